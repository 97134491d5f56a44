/**
 * Measures the processor time of PostgreSQL for each identified and charged request, with nodes
 * that together receive a fixed number of requests a second. The server must run on this machine.
 *
 *     npx node bench/charges.ts --database postgres://localhost/empty                # 20 seconds
 *
 * Options: --per-second N (5000); --nodes N (3); --accounts N (200); --seconds N (8).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { Accounts } from '../src/accounts/accounts.ts';
import { AccountKeys } from '../src/accounts/keys/account-keys.ts';
import { openStore } from '../src/store/connect.ts';
import type { Load } from './charges/node.ts';

const { values } = parseArgs({
  options: {
    'per-second': { type: 'string', default: '5000' },
    nodes: { type: 'string', default: '3' },
    accounts: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '8' },
    database: { type: 'string' },
  },
});
const LIMIT = 100_000_000;

if (!values.database) throw new Error('--database is required: the URL of an empty database.');
await measure(values.database);

async function measure(database: string): Promise<void> {
  const nodes = Number(values.nodes);
  const keys = await makeKeys(database);
  const perSecond = Number(values['per-second']) / nodes;
  const load: Load = { database, keys, perSecond, seconds: Number(values.seconds) };
  const program = new URL('charges/node.ts', import.meta.url);
  const children = Array.from({ length: nodes }, () => fork(program, [JSON.stringify(load)]));
  const client = new pg.Client(database);
  await client.connect();
  try {
    await Promise.all(children.map(nextTimes));
    await runAll(children);
    const before = await serverTime(client);
    const times = await runAll(children);
    report(times, (await serverTime(client)) - before);
  } finally {
    await client.end();
    for (const child of children) child.disconnect();
    await Promise.all(children.map((child) => once(child, 'exit')));
  }
}

async function makeKeys(database: string): Promise<string[]> {
  const store = await openStore(database);
  const accounts = new Accounts(store, Date.now);
  const keys: string[] = [];
  for (let index = 0; index < Number(values.accounts); index += 1) {
    const email = `bench-${index}@shop.example`;
    await accounts.create(email, 'business');
    await accounts.setLimits(email, { dailyRequests: LIMIT });
    keys.push((await new AccountKeys(store, Date.now).create(email)).key);
  }
  await store.close();
  return keys;
}

/** Has all nodes run once; returns the times of all requests, ascending, in ms. */
async function runAll(children: readonly ChildProcess[]): Promise<number[]> {
  const results = children.map(nextTimes);
  for (const child of children) child.send('run');
  return (await Promise.all(results)).flat().sort((a, b) => a - b);
}

async function nextTimes(child: ChildProcess): Promise<number[]> {
  const [times] = await once(child, 'message');
  return times as number[];
}

/** Microseconds of processor time so far of all processes of the server that run now. */
async function serverTime(client: pg.Client): Promise<number> {
  const processes = 'select pid from pg_stat_activity where pid <> pg_backend_pid()';
  const { rows } = await client.query<{ pid: number }>(processes);
  return rows.reduce((sum, { pid }) => sum + processTime(pid), 0);
}

function processTime(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;
  } catch {
    // It has ended in the meantime, as workers of autovacuum do.
    return 0;
  }
}

function report(times: readonly number[], microseconds: number): void {
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  const rate = Math.round(times.length / Number(values.seconds));
  console.log(
    `${rate}/s over ${values.nodes} nodes: ${(microseconds / times.length).toFixed(1)} µs of ` +
      `PostgreSQL a request; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  );
}
