import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { databaseUrl, tlsFolder, withCertificates } from './certificates.ts';
import { clockVariables, postgresqlFolder, settableClock } from './clocks.ts';
import { type DatabaseMachine, HOST, type Layout, type NodeMachine } from './layout.ts';
import { LINKS, linksConfig } from './links.ts';
import type { Programs } from './programs.ts';

/**
 * The services of a local cluster. Their settings are those of deploy/cluster/. This file replaces
 * the files for a machine (`*.env`): addresses, names, folders and passwords.
 */

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const DEPLOY = join(REPOSITORY, 'deploy/cluster');

/** The command that starts Patroni. */
const PATRONI = 'cardprice-patroni.py';

/** Variables of one program. */
export type Variables = Readonly<Record<string, string>>;

/** A process of the cluster, with its own folder. */
export interface Service {
  readonly name: string;
  readonly folder: string;
  readonly command: Command;
  readonly env: Variables;
  /** Files that it reads in its folder. */
  readonly files?: readonly ServiceFile[];
  /** The folder of the certificates of its machine. */
  readonly tls: string;
  /** A folder into which it and similar services write. */
  readonly shared?: string;
  /** Whether it refuses to run as root. */
  readonly isUnprivileged: boolean;
}

interface ServiceFile {
  readonly name: string;
  readonly text: string;
}

/** The parameters of a cluster's services. */
export interface Plan {
  readonly folder: string;
  readonly layout: Layout;
  readonly programs: Programs;
  /** Additional settings of the nodes. */
  readonly nodeEnv: NodeJS.ProcessEnv;
  /** The command of Cardprice. */
  readonly version: Command;
  /** The command of the version to which nodes are upgraded. */
  readonly nextVersion: Command;
}

/** A program with its first arguments. */
export type Command = readonly [program: string, ...args: string[]];

/** The command of this version, from its source. */
export const THIS_VERSION: Command = [process.execPath, join(REPOSITORY, 'bin/cardprice.js')];

/** The folder in which a service works. */
export function workingFolder({ folder }: Plan, name: string): string {
  return join(folder, 'run', name);
}

/** The folder of the data of a PostgreSQL server, in which all its processes work. */
export function dataFolder(plan: Plan, { name }: DatabaseMachine): string {
  return join(workingFolder(plan, patroniName(name)), 'data');
}

/** The runtime socket of a proxy. */
export function socketOf(plan: Plan, role: ProxyRole): string {
  return join(workingFolder(plan, `haproxy-${role}`), 'socket');
}

export function etcdName(machine: string): string {
  return machine.replace('database', 'etcd');
}

export function patroniName(machine: string): string {
  return machine.replace('database', 'patroni');
}

/** The folder of the WAL archive. */
export function archiveOf({ folder }: Plan): string {
  return join(folder, 'archive');
}

/** The proxies that all nodes share here, although in production each machine has its own. */
export type ProxyRole = 'database' | 'front';

export function etcdService(plan: Plan, machine: DatabaseMachine): Service {
  const tls = tlsFolder(plan.folder, machine.name);
  const text = withCertificates(deployed('etcd.env').text, tls);
  const common = parseEnv(text) as Variables;
  return service(plan, etcdName(machine.name), {
    tls,
    command: [plan.programs.etcd],
    env: { ...common, ...etcdVariables(plan, machine) },
  });
}

export function patroniService(plan: Plan, machine: DatabaseMachine): Service {
  return service(plan, patroniName(machine.name), {
    tls: tlsFolder(plan.folder, machine.name),
    command: ['/usr/bin/python3', PATRONI, 'patroni.yml'],
    env: {
      ...patroniVariables(plan, machine),
      ...passwordVariables(plan.layout),
      ...settableClock(plan, machine.name),
    },
    files: [deployed(PATRONI), deployed('patroni.yml')],
    shared: archiveOf(plan),
    isUnprivileged: true,
  });
}

export function proxyService(plan: Plan, role: ProxyRole): Service {
  return haproxyService(plan, `haproxy-${role}`, {
    tls: tlsFolder(plan.folder, 'node-1'),
    config: deployed(`haproxy-${role}.cfg`),
    env: proxyVariables(plan),
  });
}

/** The proxy that connects the database machines with each other. */
export function linksService(plan: Plan): Service {
  return haproxyService(plan, LINKS, {
    tls: tlsFolder(plan.folder, 'node-1'),
    config: { name: 'haproxy-links.cfg', text: linksConfig(plan.layout) },
    env: {},
  });
}

/** The proxy before a node that terminates TLS from the proxy in front. */
export function nodeProxyService(plan: Plan, machine: NodeMachine): Service {
  return haproxyService(plan, `haproxy-${machine.name}`, {
    tls: tlsFolder(plan.folder, machine.name),
    config: deployed('haproxy-node.cfg'),
    env: nodeVariables(machine),
  });
}

function haproxyService(
  plan: Plan,
  name: string,
  { tls, config, env }: { tls: string; config: ServiceFile; env: Variables },
): Service {
  return service(plan, name, {
    tls,
    files: [config],
    command: [plan.programs.haproxy, '-f', config.name],
    env: { ...env, HAPROXY_SOCKET: join(workingFolder(plan, name), 'socket') },
  });
}

/** A file of deploy/cluster/. */
function deployed(name: string): ServiceFile {
  return { name, text: readFileSync(join(DEPLOY, name), 'utf8') };
}

/** A node of a version of Cardprice, with a clock that is `seconds` ahead. */
export function nodeService(
  plan: Plan,
  { name, port }: NodeMachine,
  { seconds = 0, version = plan.version }: { seconds?: number; version?: Command } = {},
): Service {
  return service(plan, name, {
    tls: tlsFolder(plan.folder, name),
    command: [...version, 'serve'],
    env: {
      CARDPRICE_HOST: HOST,
      CARDPRICE_PORT: String(port),
      CARDPRICE_DATABASE: databaseUrl(plan.folder, plan.layout.primary),
      CARDPRICE_DATABASE_REPLICA: databaseUrl(plan.folder, plan.layout.replicas),
      CARDPRICE_DOWNLOADS: workingFolder(plan, name),
      CARDPRICE_TRUST_PROXY: '127.0.0.1',
      // The proxy in front notices within two checks, half a second each.
      CARDPRICE_DRAIN_SECONDS: '2',
      ...(plan.nodeEnv as Variables),
      ...clockVariables(plan, seconds),
    },
  });
}

function service(
  plan: Plan,
  name: string,
  own: Pick<Service, 'command' | 'env' | 'tls'> & Partial<Service>,
): Service {
  return { name, folder: workingFolder(plan, name), isUnprivileged: false, ...own };
}

/** The lines for etcd in deploy/cluster/database-machine.env. */
export function etcdVariables(plan: Plan, machine: DatabaseMachine) {
  const { name, etcdClient, etcdPeer, etcdMetrics, links } = machine;
  const at = (port: number) => `https://${HOST}:${port}`;
  const members = plan.layout.databases.map((one) => `${one.name}=${at(one.links.etcdPeer)}`);
  return {
    ETCD_NAME: name,
    ETCD_DATA_DIR: join(workingFolder(plan, etcdName(name)), 'data'),
    ETCD_LISTEN_PEER_URLS: at(etcdPeer),
    ETCD_INITIAL_ADVERTISE_PEER_URLS: at(links.etcdPeer),
    ETCD_LISTEN_CLIENT_URLS: at(etcdClient),
    ETCD_ADVERTISE_CLIENT_URLS: at(links.etcdClient),
    ETCD_LISTEN_METRICS_URLS: `http://${HOST}:${etcdMetrics}`,
    ETCD_INITIAL_CLUSTER: members.join(','),
  };
}

/** The lines for Patroni in deploy/cluster/database-machine.env. */
export function patroniVariables(plan: Plan, machine: DatabaseMachine) {
  const at = (port: number) => `${HOST}:${port}`;
  const etcd = plan.layout.databases.map(({ links }) => at(links.etcdClient));
  const tls = tlsFolder(plan.folder, machine.name);
  return {
    PATRONI_NAME: machine.name,
    PATRONI_ETCD_HOSTS: etcd.join(','),
    PATRONI_RESTAPI_LISTEN: at(machine.patroni),
    PATRONI_RESTAPI_CONNECT_ADDRESS: at(machine.links.patroni),
    PATRONI_POSTGRESQL_LISTEN: at(machine.postgres),
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: at(machine.links.postgres),
    PATRONI_POSTGRESQL_BIN_DIR: postgresqlFolder(plan),
    PATRONI_POSTGRESQL_DATA_DIR: dataFolder(plan, machine),
    PATRONI_POSTGRESQL_PGPASS: join(workingFolder(plan, patroniName(machine.name)), 'pgpass'),
    PGSSLMODE: 'verify-full',
    PGSSLROOTCERT: join(tls, 'ca.crt'),
    PGSSLCERT: join(tls, 'patroni.crt'),
    PGSSLKEY: join(tls, 'patroni.key'),
    WAL_ARCHIVE: archiveOf(plan),
  };
}

/** deploy/cluster/patroni-password.env. */
export function passwordVariables({ password }: Layout) {
  return {
    PATRONI_RESTAPI_USERNAME: 'patroni',
    PATRONI_RESTAPI_PASSWORD: password,
  };
}

/** The settings of deploy/cluster/node-machine.env that differ between nodes here. */
export function nodeVariables({ port, tls }: NodeMachine): Variables {
  return { NODE_BIND: `${HOST}:${tls}`, NODE_SERVER: `${HOST}:${port}` };
}

/** The other lines of deploy/cluster/node-machine.env. */
export function proxyVariables({ layout }: Plan): Variables {
  const databases = layout.databases.flatMap(({ postgres, patroni }, index) => [
    [`DATABASE_${index + 1}`, `${HOST}:${postgres}`],
    [`DATABASE_${index + 1}_PATRONI`, String(patroni)],
  ]);
  const nodes = layout.nodes.map(({ tls }, index) => [`NODE_${index + 1}`, `${HOST}:${tls}`]);
  return {
    PRIMARY_BIND: `${HOST}:${layout.primary}`,
    REPLICA_BIND: `${HOST}:${layout.replicas}`,
    FRONT_BIND: `${HOST}:${layout.front}`,
    ...(Object.fromEntries([...databases, ...nodes]) as Variables),
  };
}
