import pg from 'pg';
import { Agent, request } from 'undici';
import { readCertificate } from '../certificates.ts';
import { type DatabaseMachine, HOST } from '../layout.ts';
import { type Postgres, postgresServers, tell, until } from '../observe.ts';
import { processesIn, signal } from '../processes.ts';
import type { Runner } from '../runner.ts';
import {
  type Command,
  dataFolder,
  etcdName,
  nodeService,
  type Plan,
  patroniName,
  workingFolder,
} from '../services.ts';

/** A node of a cluster; its pid is 0 while it is not running. */
interface RunningNode {
  readonly name: string;
  readonly pid: number;
}

/** The nodes of a cluster, and operations on them. */
export interface Nodes {
  /** The database of the nodes. */
  readonly database: string;
  nodes(): readonly RunningNode[];
  nodeReady(name: string): Promise<void>;
}

/** The machines of a cluster in which faults are caused. */
export class Site {
  readonly plan: Plan;
  readonly runner: Runner;
  readonly #nodes: Nodes;
  #resuming: NodeJS.Timeout | undefined;

  constructor(plan: Plan, runner: Runner, nodes: Nodes) {
    this.plan = plan;
    this.runner = runner;
    this.#nodes = nodes;
  }

  /** The database of the nodes, through their proxy. */
  get database(): string {
    return this.#nodes.database;
  }

  /** The server with a role. Waits for a server that is about to get it. */
  async server(role: Postgres['role']): Promise<Postgres> {
    let found: Postgres | undefined;
    await until(`there is a ${role}`, async () => {
      found = (await this.servers(role))[0];
      return found !== undefined;
    });
    if (!found) throw new Error(`There is no ${role}.`);
    return found;
  }

  async servers(role: Postgres['role']): Promise<readonly Postgres[]> {
    return (await postgresServers(this.plan)).filter((server) => server.role === role);
  }

  /** The machine of a server or of a member of etcd. */
  machine(name: string): DatabaseMachine {
    const machine = this.plan.layout.databases.find((one) => one.name === name);
    if (!machine) throw new Error(`There is no ${name}.`);
    return machine;
  }

  /** The postmaster of a machine, and all processes that it started. */
  postgresOf(name: string): number[] {
    return processesIn(dataFolder(this.plan, this.machine(name)));
  }

  /** PostgreSQL and Patroni of a machine. */
  databaseOf(name: string): number[] {
    return this.serviceOf(patroniName(name));
  }

  /** PostgreSQL, Patroni and etcd of a machine. */
  machineOf(name: string): number[] {
    return [...this.databaseOf(name), ...this.serviceOf(etcdName(name))];
  }

  /** The processes of a service, such as `node-1` or `haproxy-front`. */
  serviceOf(name: string): number[] {
    return processesIn(workingFolder(this.plan, name));
  }

  /** Kills Patroni and PostgreSQL of a machine. */
  async killDatabase(name: string): Promise<void> {
    await this.runner.end(patroniName(name), 'SIGKILL');
    signal(this.postgresOf(name), 'SIGKILL');
  }

  /** Pauses processes, and after some seconds resumes those that still exist. */
  pause(processes: () => number[], seconds: number): void {
    signal(processes(), 'SIGSTOP');
    this.#resuming = setTimeout(() => signal(processes(), 'SIGCONT'), seconds * 1000);
  }

  /** Resumes all paused processes. */
  resume(): void {
    this.close();
    signal(this.serviceOf('.'), 'SIGCONT');
  }

  /** Cancels the end of a pause. */
  close(): void {
    clearTimeout(this.#resuming);
  }

  /** The names of the running nodes, in random order. */
  nodeNames(): string[] {
    const running = this.#nodes.nodes().filter(({ pid }) => pid > 0);
    if (running.length === 0) throw new Error('No node is running.');
    return running.map(({ name }) => name).toSorted(() => Math.random() - 0.5);
  }

  /** The name of a running node. */
  someNode(): string {
    return this.nodeNames()[0] ?? '';
  }

  /** Restarts a node, with a version or a clock that is ahead, and resolves when it is ready. */
  async restartNode(
    name: string,
    how: { readonly seconds?: number; readonly version?: Command } = {},
  ): Promise<void> {
    const machine = this.plan.layout.nodes.find((node) => node.name === name);
    if (!machine) return;
    await this.runner.end(name, 'SIGTERM');
    this.runner.start(nodeService(this.plan, machine, how));
    await this.#nodes.nodeReady(name);
  }

  /** Sends a command to the Patroni of a machine; resolves with its refusal. */
  async tellPatroni(name: string, what: string, body: object): Promise<string | undefined> {
    const { folder, layout } = this.plan;
    const dispatcher = new Agent({ connect: readCertificate(folder, name, 'patroni') });
    const url = `https://${HOST}:${this.machine(name).patroni}/${what}`;
    const headers = { authorization: `Basic ${btoa(`patroni:${layout.password}`)}` };
    const how = { dispatcher, method: 'POST', headers, body: JSON.stringify(body) } as const;
    const response = await request(url, how);
    const said = await response.body.text();
    await dispatcher.close();
    return response.statusCode === 200 ? undefined : said;
  }

  /** Sends a command to the proxy that leads to the databases. */
  tellProxy(command: string): Promise<string> {
    return tell(this.plan, 'database', command);
  }
}

/** Runs SQL as the superuser of a server. */
export function query<Row extends object>(server: Postgres, text: string): Promise<readonly Row[]> {
  return connected(server, async (client) => (await client.query<Row>(text)).rows);
}

/** Does work with a superuser connection to a server, bypassing the proxy. */
export async function connected<Result>(
  { directUrl }: Postgres,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: directUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
