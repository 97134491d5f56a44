import { etcdLeader, type Postgres, postgresServers, tell, until } from './observe.ts';
import { processesIn, signal } from './processes.ts';
import type { Runner } from './runner.ts';
import {
  dataFolder,
  etcdName,
  nodeService,
  type Plan,
  patroniName,
  workingFolder,
} from './services.ts';

/** What happens to machines, done on purpose. */
export type FaultName =
  | 'kill-postmaster'
  | 'kill-patroni'
  | 'kill-etcd-leader'
  | 'kill-standby'
  | 'kill-node'
  | 'pause-primary'
  | 'pause-standby'
  | 'pause-node'
  | 'rolling-deploy'
  | 'node-clock'
  | 'cut-proxy';

/** The nodes of a cluster. */
interface Nodes {
  nodes(): readonly { readonly name: string; readonly pid: number }[];
  nodeReady(name: string): Promise<void>;
}

/** How long a machine is paused by default, in seconds: longer than the primary's lock is valid. */
const PAUSE_S = 40;

/** By how much a node's clock is ahead unless told, in seconds. */
const AHEAD_S = 90;

/** Causes faults, and undoes the lasting ones. Dead processes stay dead until they are started. */
export class Faults {
  readonly #plan: Plan;
  readonly #runner: Runner;
  readonly #cluster: Nodes;
  /** The node whose clock is wrong. */
  #ahead: string | undefined;
  #resuming: NodeJS.Timeout | undefined;
  #isCut = false;

  constructor(plan: Plan, runner: Runner, cluster: Nodes) {
    this.#plan = plan;
    this.#runner = runner;
    this.#cluster = cluster;
  }

  /** Causes a fault, and says in a sentence what it did. */
  cause(name: FaultName, amount?: number): Promise<string> {
    const causes: Record<FaultName, () => Promise<string>> = {
      'kill-postmaster': () => this.#killPostmaster(),
      'kill-patroni': async () => this.#killMachine(await this.#server('primary')),
      'kill-standby': async () => this.#killMachine(await this.#server('sync standby')),
      'kill-etcd-leader': () => this.#killEtcdLeader(),
      'kill-node': () => this.#killNode(),
      'pause-primary': () => this.#pauseServer('primary', amount),
      'pause-standby': () => this.#pauseServer('sync standby', amount),
      'pause-node': async () => this.#pauseNode(amount),
      'rolling-deploy': () => this.#deploy(),
      'node-clock': () => this.#setClock(amount ?? AHEAD_S),
      'cut-proxy': () => this.#cut(),
    };
    return causes[name]();
  }

  /** Resumes paused processes, reconnects cut ones, and ends a node with a wrong clock. */
  async undo(): Promise<void> {
    this.close();
    signal(processesIn(workingFolder(this.#plan, '.')), 'SIGCONT');
    if (this.#isCut) for (const name of this.#proxied()) await this.#tell(`enable server ${name}`);
    this.#isCut = false;
    if (this.#ahead) await this.#runner.end(this.#ahead, 'SIGTERM');
    this.#ahead = undefined;
  }

  /** Forgets the end of a pause. */
  close(): void {
    clearTimeout(this.#resuming);
  }

  async #killPostmaster(): Promise<string> {
    const { name, pid } = await this.#server('primary');
    if (pid !== undefined) signal([pid], 'SIGKILL');
    return `Killed the postmaster ${pid} of ${name}, the primary.`;
  }

  async #killMachine({ name, role }: Postgres): Promise<string> {
    await this.#runner.end(patroniName(name), 'SIGKILL');
    signal(this.#processesOf(name), 'SIGKILL');
    return `Killed Patroni and PostgreSQL of ${name}, the ${role}.`;
  }

  async #killEtcdLeader(): Promise<string> {
    const leader = await etcdLeader(this.#plan);
    if (!leader) throw new Error('etcd has no leader at the moment.');
    await this.#runner.end(etcdName(leader.name), 'SIGKILL');
    return `Killed etcd of ${leader.name}, the leader.`;
  }

  async #killNode(): Promise<string> {
    const name = this.#someNode();
    await this.#runner.end(name, 'SIGKILL');
    return `Killed ${name}.`;
  }

  /** The name of a node that runs. */
  #someNode(): string {
    const running = this.#cluster.nodes().filter(({ pid }) => pid > 0);
    const node = running[Math.floor(Math.random() * running.length)];
    if (!node) throw new Error('No node is running.');
    return node.name;
  }

  async #pauseServer(role: Postgres['role'], seconds = PAUSE_S): Promise<string> {
    const { name } = await this.#server(role);
    this.#pause(() => this.#processesOf(name), seconds);
    return `Paused PostgreSQL of ${name}, the ${role}, for ${seconds} s.`;
  }

  #pauseNode(seconds = PAUSE_S): string {
    const name = this.#someNode();
    this.#pause(() => processesIn(workingFolder(this.#plan, name)), seconds);
    return `Paused ${name} for ${seconds} s.`;
  }

  /** Stops processes, and resumes after some seconds those that are there then. */
  #pause(processes: () => number[], seconds: number): void {
    signal(processes(), 'SIGSTOP');
    this.#resuming = setTimeout(() => signal(processes(), 'SIGCONT'), seconds * 1000);
  }

  async #deploy(): Promise<string> {
    for (const { name } of this.#cluster.nodes()) await this.#restart(name);
    return `Restarted ${this.#cluster.nodes().length} nodes, one after the other.`;
  }

  async #setClock(seconds: number): Promise<string> {
    const [node] = this.#cluster.nodes();
    if (!node) throw new Error('There is no node.');
    await this.#restart(node.name, seconds);
    this.#ahead = node.name;
    return `Restarted ${node.name} with a clock that is ${seconds} s ahead.`;
  }

  async #restart(name: string, seconds = 0): Promise<void> {
    const machine = this.#plan.layout.nodes.find((node) => node.name === name);
    if (!machine) return;
    await this.#runner.end(name, 'SIGTERM');
    this.#runner.start(nodeService(this.#plan, machine, seconds));
    await this.#cluster.nodeReady(name);
  }

  async #cut(): Promise<string> {
    this.#isCut = true;
    for (const name of this.#proxied()) {
      await this.#tell(`disable server ${name}`);
      await this.#tell(`shutdown sessions server ${name}`);
    }
    return 'Cut the nodes off from all databases, at the proxy.';
  }

  #tell(command: string): Promise<string> {
    return tell(this.#plan, 'database', command);
  }

  /** The servers of the proxy by their names there. */
  #proxied(): string[] {
    const { databases } = this.#plan.layout;
    return ['primary', 'replicas'].flatMap((listen) => {
      return databases.map(({ name }) => `${listen}/${name}`);
    });
  }

  /** The server that has a role; one that is about to get it is waited for. */
  async #server(role: Postgres['role']): Promise<Postgres> {
    let found: Postgres | undefined;
    await until(`there is a ${role}`, async () => {
      const servers = await postgresServers(this.#plan);
      found = servers.find((server) => server.role === role);
      return found !== undefined;
    });
    if (!found) throw new Error(`There is no ${role}.`);
    return found;
  }

  /** The postmaster of a machine, and all that it started. */
  #processesOf(name: string): number[] {
    const machine = this.#plan.layout.databases.find((one) => one.name === name);
    return machine ? processesIn(dataFolder(this.#plan, machine)) : [];
  }
}
