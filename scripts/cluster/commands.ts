import type { Cluster } from './cluster.ts';
import { FAULTS, isFault } from './faults/index.ts';
import { overview } from './overview.ts';

/** The commands for a running cluster, as typed after `npm run cluster --`. */

export const USAGE = `npm run cluster [-- --folder FOLDER] [--nodes 1…3]   starts a cluster; then, elsewhere:
npm run cluster -- status
npm run cluster -- heal
npm run cluster -- FAULT [SECONDS]   causes one of these (docs/cluster.md):
${inLines(Object.keys(FAULTS))}`;

/** A command, with its seconds. */
export interface Command {
  readonly name: string;
  readonly seconds?: number;
}

/** Names in lines of at most 100 characters. */
function inLines(names: readonly string[]): string {
  return names
    .join(', ')
    .replaceAll(/(.{1,96})(?: |$)/g, '  $1\n')
    .trimEnd();
}

/**
 * Reads a command: `kill primary` and `kill-primary` are the same. @throws Error with the usage.
 */
export function parseCommand(words: readonly string[]): Command {
  const last = words.at(-1) ?? '';
  const isNumber = /^\+?\d+$/.test(last);
  const name = (isNumber ? words.slice(0, -1) : words).join('-');
  const takesNumber = isFault(name) && FAULTS[name].seconds !== undefined;
  const isKnown = isFault(name) || name === 'heal' || name === 'status';
  if (!isKnown || (isNumber && !takesNumber)) throw new Error(USAGE);
  return isNumber ? { name, seconds: Number(last) } : { name };
}

/** Runs a command, and returns a sentence about its effect. */
export async function execute(cluster: Cluster, { name, seconds }: Command): Promise<string> {
  if (isFault(name)) return cluster.fault(name, seconds);
  if (name === 'heal') await cluster.heal();
  return overview(cluster);
}
