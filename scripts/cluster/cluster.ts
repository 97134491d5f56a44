import { mkdirSync, realpathSync } from 'node:fs';
import { databaseUrl, makeCertificates } from './certificates.ts';
import { makePostgresql } from './clocks.ts';
import { type FaultName, Faults } from './faults/index.ts';
import { HOST, layoutOf, MOST_NODES, saveLayout } from './layout.ts';
import {
  isDatabaseWhole,
  isEtcdWhole,
  isNodeReady,
  type Postgres,
  postgresServers,
  until,
} from './observe.ts';
import { findPrograms } from './programs.ts';
import { Runner } from './runner.ts';
import { createDatabase, fillDatabase } from './seed.ts';
import {
  type Command,
  etcdService,
  linksService,
  nodeProxyService,
  nodeService,
  type Plan,
  patroniService,
  proxyService,
  THIS_VERSION,
} from './services.ts';

export interface ClusterOptions {
  /** The folder of its files. The folder of an earlier cluster is reused. */
  readonly folder: string;
  /** Whether the folder is removed at the end. */
  readonly isTemporary?: boolean;
  /** The number of nodes, 1 to 3; 3 by default. */
  readonly nodes?: number;
  /** Fills the database before the nodes start; with the starter catalogue by default. */
  readonly fill?: (database: string) => Promise<void>;
  /** Receives a line for each step. */
  readonly tell?: (line: string) => void;
  /** Additional settings of the nodes. */
  readonly env?: NodeJS.ProcessEnv;
  /** The command of Cardprice; that of this version by default. */
  readonly version?: Command;
  /** The command of the version to which the fault `upgrade` upgrades; the same by default. */
  readonly nextVersion?: Command;
}

/** A node of Cardprice. */
export interface ClusterNode {
  readonly name: string;
  /** Its own address, bypassing the proxy. */
  readonly url: string;
  /** 0 while it is not running. */
  readonly pid: number;
}

/**
 * Three database machines, nodes of Cardprice and the proxies between them, all on this machine,
 * set up as deploy/cluster/ does on many machines. Everything ends with this process.
 */
export class Cluster {
  /** The address of the proxy in front of the nodes. */
  readonly url: string;
  /** The database of the nodes, through the proxy: always the primary. */
  readonly database: string;
  /** The same through the proxy that leads to replicas. */
  readonly replicas: string;
  readonly #plan: Plan;
  readonly #runner: Runner;
  readonly #faults: Faults;
  readonly #count: number;

  private constructor(plan: Plan, runner: Runner, count: number) {
    const { layout } = plan;
    this.#plan = plan;
    this.#runner = runner;
    this.#count = count;
    this.#faults = new Faults(plan, runner, this);
    this.url = `http://${HOST}:${layout.front}`;
    this.database = databaseUrl(plan.folder, layout.primary);
    this.replicas = databaseUrl(plan.folder, layout.replicas);
  }

  /**
   * Starts a cluster, and resolves when all of it is ready. Leaves nothing running if that fails.
   *
   * @throws Error with the packages to install if programs are missing.
   */
  static async start(options: ClusterOptions): Promise<Cluster> {
    const programs = findPrograms();
    const { isTemporary = false, nodes = MOST_NODES, env: nodeEnv = {} } = options;
    const { version = THIS_VERSION, nextVersion = version } = options;
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    const folder = realpathSync(options.folder);
    const layout = await layoutOf(folder);
    const plan = { folder, layout, programs, nodeEnv, version, nextVersion };
    const cluster = new Cluster(plan, new Runner(folder, isTemporary), nodes);
    try {
      await cluster.#start(options);
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  async #start({ tell = () => {}, fill = fillDatabase }: ClusterOptions): Promise<void> {
    const { folder, layout } = this.#plan;
    await makeCertificates(folder, layout);
    makePostgresql(this.#plan);
    tell('Starting etcd, PostgreSQL under Patroni, and the proxies …');
    this.#startDatabases();
    await until('a primary and two standbys', () => isDatabaseWhole(this.#plan));
    saveLayout(folder, layout);
    tell('Filling the database …');
    await createDatabase(databaseUrl(folder, layout.primary, 'postgres'));
    await fill(this.database);
    tell('Starting the nodes …');
    await this.heal();
  }

  /** The nodes, including those that are not running. */
  nodes(): readonly ClusterNode[] {
    const machines = this.#plan.layout.nodes.slice(0, this.#count);
    return machines.map(({ name, port }) => {
      return { name, url: `http://${HOST}:${port}`, pid: this.#runner.pidOf(name) ?? 0 };
    });
  }

  /** The PostgreSQL servers with their current roles. */
  postgres(): Promise<readonly Postgres[]> {
    return postgresServers(this.#plan);
  }

  /** Resolves with the name of the primary as soon as there is one. */
  async primary(): Promise<string> {
    let primary: Postgres | undefined;
    await until('there is a primary', async () => {
      primary = (await this.postgres()).find(({ role }) => role === 'primary');
      return primary !== undefined;
    });
    return primary?.name ?? '';
  }

  /**
   * Causes a fault, and returns a sentence about it. `seconds` is the length of a pause, or how far
   * a clock is ahead.
   */
  fault(name: FaultName, seconds?: number): Promise<string> {
    return this.#faults.inject(name, seconds);
  }

  /**
   * Undoes faults and starts the processes that they ended; resolves when everything works again.
   */
  async heal(): Promise<void> {
    // Done first, because undoing a cut needs the proxy of the databases.
    this.#startDatabases();
    await this.#faults.heal();
    // Starts processes that healing has ended, such as a server with a wrong clock.
    this.#startDatabases();
    for (const { name } of this.nodes()) this.#startNode(name);
    await until('etcd has three members', () => isEtcdWhole(this.#plan));
    await until('a primary and two standbys', () => isDatabaseWhole(this.#plan));
    for (const { name } of this.nodes()) await this.nodeReady(name);
  }

  /** Resolves when a node answers, and the proxy in front leads to it. */
  async nodeReady(name: string): Promise<void> {
    const port = this.#plan.layout.nodes.find((node) => node.name === name)?.port ?? 0;
    await until(`${name} is ready`, () => isNodeReady(this.#plan, name, port));
  }

  /** Ends every process that it started. */
  stop(): Promise<void> {
    this.#faults.close();
    return this.#runner.close();
  }

  #startDatabases(): void {
    const { databases, nodes } = this.#plan.layout;
    this.#runner.start(linksService(this.#plan));
    for (const machine of databases) this.#runner.start(etcdService(this.#plan, machine));
    for (const machine of databases) this.#runner.start(patroniService(this.#plan, machine));
    this.#runner.start(proxyService(this.#plan, 'database'));
    for (const node of nodes.slice(0, this.#count))
      this.#runner.start(nodeProxyService(this.#plan, node));
    this.#runner.start(proxyService(this.#plan, 'front'));
  }

  #startNode(name: string): void {
    const machine = this.#plan.layout.nodes.find((node) => node.name === name);
    if (machine) this.#runner.start(nodeService(this.#plan, machine));
  }
}
