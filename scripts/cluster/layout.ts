import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** The addresses of all services of a local cluster. */

export const HOST = '127.0.0.1';

/** Machines with etcd and PostgreSQL: two of three keep working without the third. */
const DATABASES = 3;

/** Nodes that deploy/cluster/haproxy-front.cfg leads to. */
export const MOST_NODES = 3;

/** Ports of servers, below the range that the system assigns to outgoing connections. */
const PORTS = { from: 15_000, to: 32_000 };

/** The ports at which other database machines reach this one. */
export interface Links {
  readonly etcdClient: number;
  readonly etcdPeer: number;
  readonly postgres: number;
  readonly patroni: number;
}

/** A database machine: etcd, Patroni and PostgreSQL. */
export interface DatabaseMachine extends Links {
  readonly name: string;
  /** The port for etcd's metrics, without TLS. */
  readonly etcdMetrics: number;
  /** The proxy that connects the other database machines to these ports. */
  readonly links: Links;
}

/** A machine with a process of Cardprice. */
export interface NodeMachine {
  readonly name: string;
  /** The port of Cardprice itself, without TLS. */
  readonly port: number;
  /** The port of the proxy that terminates TLS from the proxy in front. */
  readonly tls: number;
}

/** All decisions of a start, so that another start in the same folder makes the same ones. */
export interface Layout {
  readonly databases: readonly DatabaseMachine[];
  /** As many as the proxy knows. Only the first of them run. */
  readonly nodes: readonly NodeMachine[];
  /** The ports of the proxies. */
  readonly primary: number;
  readonly replicas: number;
  readonly front: number;
  /** The port of Patroni's own interface. */
  readonly password: string;
}

/**
 * Returns the layout of the cluster in a folder, or a new one.
 * @throws Error if a start in the folder was interrupted: half a database cannot be used.
 */
export async function layoutOf(folder: string): Promise<Layout> {
  const file = layoutFile(folder);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Layout;
  if (!existsSync(join(folder, 'run'))) return newLayout();
  throw new Error(`A start in ${folder} was interrupted. Remove the folder, or name another one.`);
}

/** Saves the layout of a complete cluster for later starts. */
export function saveLayout(folder: string, layout: Layout): void {
  writeFileSync(layoutFile(folder), JSON.stringify(layout, undefined, 2), { mode: 0o600 });
}

function layoutFile(folder: string): string {
  return join(folder, 'layout.json');
}

async function newLayout(): Promise<Layout> {
  const ports = await freePorts(DATABASES * 9 + MOST_NODES * 2 + 3);
  const next = () => ports.pop() ?? 0;
  const links = (): Links => {
    return { etcdClient: next(), etcdPeer: next(), postgres: next(), patroni: next() };
  };
  const databases = named('database', DATABASES, (name) => {
    return { name, ...links(), etcdMetrics: next(), links: links() };
  });
  const nodes = named('node', MOST_NODES, (name) => ({ name, port: next(), tls: next() }));
  const proxies = { primary: next(), replicas: next(), front: next() };
  return { databases, nodes, ...proxies, password: randomBytes(24).toString('hex') };
}

function named<Machine>(kind: string, count: number, make: (name: string) => Machine): Machine[] {
  return Array.from({ length: count }, (_, index) => make(`${kind}-${index + 1}`));
}

/** Ports on which nothing listens at the moment. */
async function freePorts(count: number): Promise<number[]> {
  const free = new Set<number>();
  while (free.size < count) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
    if (await isFree(port)) free.add(port);
  }
  return [...free];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, HOST, () => probe.close(() => resolve(true)));
  });
}
