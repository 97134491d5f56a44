import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Agent, fetch, type Response } from 'undici';
import { databaseUrl, readCertificate } from './certificates.ts';
import { type DatabaseMachine, HOST } from './layout.ts';
import { isAlive } from './processes.ts';
import { dataFolder, type Plan, type ProxyRole, socketOf } from './services.ts';

/** The state of a cluster, as reported by its parts. */

const POLL_MS = 100;

/** The time limit of a query, in milliseconds. A paused server never answers. */
const ANSWER_MS = 2000;

/** A PostgreSQL server, with its role. */
export interface Postgres {
  readonly name: string;
  readonly role: 'primary' | 'sync standby' | 'replica' | 'down';
  /** The id of its postmaster, while that is alive. */
  readonly pid: number | undefined;
  /** Its own address, bypassing the proxy, for the superuser. */
  readonly directUrl: string;
}

const ROLES: Readonly<Record<string, Postgres['role']>> = {
  leader: 'primary',
  sync_standby: 'sync standby',
  replica: 'replica',
};

/** Each PostgreSQL server with the role that Patroni gives it. */
export async function postgresServers(plan: Plan): Promise<readonly Postgres[]> {
  const members = await patroniMembers(plan);
  return plan.layout.databases.map((machine) => {
    const { name } = machine;
    const pid = postmasterOf(plan, machine);
    const told = members.find((member) => member.name === name);
    const role = pid === undefined ? 'down' : (ROLES[told?.role ?? ''] ?? 'down');
    return { name, role, pid, directUrl: databaseUrl(plan.folder, machine.postgres, 'postgres') };
  });
}

/** Patroni's report about a server. */
interface Member {
  readonly name: string;
  readonly role: string;
  readonly timeline?: number;
}

/** The report of the first Patroni that answers about all servers; nothing if none does. */
async function patroniMembers({ folder, layout }: Plan): Promise<readonly Member[]> {
  const dispatcher = new Agent({ connect: readCertificate(folder, 'node-1', 'haproxy') });
  const answers = layout.databases.map(async ({ patroni }) => {
    const url = `https://${HOST}:${patroni}/cluster`;
    const response = await fetch(url, { dispatcher, ...limit() });
    return ((await response.json()) as { members: Member[] }).members;
  });
  const members = await Promise.any(answers).catch(() => []);
  await dispatcher.destroy();
  return members;
}

/** The id of a living postmaster. */
function postmasterOf(plan: Plan, machine: DatabaseMachine): number | undefined {
  try {
    const [line] = readFileSync(join(dataFolder(plan, machine), 'postmaster.pid'), 'utf8').split(
      '\n',
    );
    const pid = Number(line);
    return pid > 0 && isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** The member of etcd that is the leader. */
export async function etcdLeader({ layout }: Plan): Promise<DatabaseMachine | undefined> {
  for (const machine of layout.databases) {
    const figures = await get(machine.etcdMetrics, '/metrics')
      .then((response) => response.text())
      .catch(() => '');
    if (/^etcd_server_is_leader 1$/m.test(figures)) return machine;
  }
  return undefined;
}

/** Whether all members of etcd answer. */
export async function isEtcdWhole({ layout }: Plan): Promise<boolean> {
  const answers = layout.databases.map(({ etcdMetrics }) => answers200(etcdMetrics, '/health'));
  return (await Promise.all(answers)).every(Boolean);
}

/** Whether the primary answers through the proxy, and all others follow it synchronously. */
export async function isDatabaseWhole(plan: Plan): Promise<boolean> {
  const members = await patroniMembers(plan);
  const roles = members.map(({ role }) => role).toSorted();
  // A former primary may briefly follow before it detects that it has to be rewound.
  const timelines = new Set(members.map(({ timeline }) => timeline));
  const areInPlace = roles.join() === 'leader,sync_standby,sync_standby';
  return areInPlace && timelines.size === 1 && (await isFollowed(plan));
}

/** Whether commits of the primary wait for all others. */
async function isFollowed({ folder, layout }: Plan): Promise<boolean> {
  const connectionString = databaseUrl(folder, layout.primary, 'postgres');
  const limits = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
  const client = new pg.Client({ connectionString, ...limits });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ count: number }>(FOLLOWERS);
    return rows[0]?.count === layout.databases.length - 1;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

const FOLLOWERS = `
  select count(*)::int as count from pg_stat_replication
  where state = 'streaming' and sync_state = 'sync' and not pg_is_in_recovery()`;

/** Whether a node answers requests, and the proxy in front leads to it. */
export async function isNodeReady(plan: Plan, name: string, port: number): Promise<boolean> {
  if (!(await answers200(port, '/readyz'))) return false;
  const state = await tell(plan, 'front', `show servers state ready`);
  // The fields of a line: backend id, backend, server id, server, address, state (2: running), …
  return state.split('\n').some((line) => {
    const fields = line.split(' ');
    return fields[3] === name && fields[5] === '2';
  });
}

/**
 * Sends a command to the runtime socket of a proxy, and returns the answer. Waits for a proxy that
 * is starting, because its socket is missing until then.
 */
export async function tell(plan: Plan, role: ProxyRole, command: string): Promise<string> {
  const path = socketOf(plan, role);
  await until(`the proxy ${role} listens`, () => isListening(path));
  const socket = connect(path).setTimeout(ANSWER_MS);
  socket.once('timeout', () => socket.destroy(new Error(`the proxy ${role} does not answer`)));
  socket.end(`${command}\n`);
  return text(socket);
}

/**
 * Whether a process accepts connections at the path of a socket. A killed process leaves the path.
 */
function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Waits until a condition holds. @throws Error if it still does not after `seconds`. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  seconds = 120,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`After ${seconds} s, still not so: ${what}.`);
    await sleep(POLL_MS);
  }
}

async function answers200(port: number, path: string): Promise<boolean> {
  const response = await get(port, path).catch(() => null);
  await response?.body?.cancel();
  return response?.status === 200;
}

function get(port: number, path: string): Promise<Response> {
  return fetch(`http://${HOST}:${port}${path}`, limit());
}

function limit(): { signal: AbortSignal } {
  return { signal: AbortSignal.timeout(ANSWER_MS) };
}
