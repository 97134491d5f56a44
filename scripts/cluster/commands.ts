import type { Cluster } from './cluster.ts';
import type { FaultName } from './faults.ts';
import { overview } from './overview.ts';

/** What can be asked of a running cluster, as typed behind `npm run cluster --`. */

const FAULTS: Readonly<Record<string, FaultName>> = {
  'kill primary': 'kill-postmaster',
  'kill replica': 'kill-standby',
  'kill node': 'kill-node',
  'kill etcd': 'kill-etcd-leader',
  'kill patroni': 'kill-patroni',
  pause: 'pause-primary',
  'pause primary': 'pause-primary',
  'pause replica': 'pause-standby',
  'pause node': 'pause-node',
  clock: 'node-clock',
  'clock node': 'node-clock',
  'cut proxy': 'cut-proxy',
  deploy: 'rolling-deploy',
};

/** The commands that take a number: seconds. */
const WITH_SECONDS = /^(pause|clock)\b/;

export const USAGE = `npm run cluster [-- --folder FOLDER] [--nodes 1…3]   starts a cluster; then, elsewhere:
npm run cluster -- status
npm run cluster -- kill primary|replica|node|etcd|patroni
npm run cluster -- pause [primary|replica|node] [SECONDS]
npm run cluster -- clock [node] [+SECONDS]
npm run cluster -- cut proxy
npm run cluster -- deploy
npm run cluster -- heal`;

/** A command, and the seconds that it was given. */
export interface Command {
  readonly name: string;
  readonly seconds?: number;
}

/** Reads a command. @throws Error with the usage when it is none. */
export function parseCommand(words: readonly string[]): Command {
  const last = words.at(-1) ?? '';
  const isNumber = /^\+?\d+$/.test(last);
  const name = (isNumber ? words.slice(0, -1) : words).join(' ');
  const isKnown = Object.hasOwn(FAULTS, name) || name === 'heal' || name === 'status';
  if (!isKnown || (isNumber && !WITH_SECONDS.test(name))) throw new Error(USAGE);
  return isNumber ? { name, seconds: Number(last) } : { name };
}

/** Runs a command, and returns a sentence about what it did. */
export async function execute(cluster: Cluster, { name, seconds }: Command): Promise<string> {
  const fault = FAULTS[name];
  if (fault) return cluster.fault(fault, seconds);
  if (name === 'heal') await cluster.heal();
  return overview(cluster);
}
