import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Publisher } from '../load/publisher.ts';
import type { Kind } from './kinds.ts';

/** Commands that are killed while a cluster serves, and then run again. */
export type CommandFault = 'kill-import' | 'kill-sync' | 'kill-backup';

/** A command is killed within so long after its start, in milliseconds. */
const LONGEST_MS = 1500;

/** What commands work with. */
interface Place {
  readonly publisher: Publisher;
  readonly database: string;
  readonly main: string;
  readonly folder: string;
}

const FAULTS: Readonly<Record<CommandFault, (place: Place) => Promise<string>>> = {
  'kill-import': (place) => killPublication(place, 'import'),
  'kill-sync': (place) => killPublication(place, 'sync'),
  'kill-backup': killBackup,
};

/** Kills a command, runs it again, and says so; undefined if the fault is not one of commands. */
export function killCommand(name: Kind, place: Place): Promise<string> | undefined {
  return Object.hasOwn(FAULTS, name) ? FAULTS[name as CommandFault](place) : undefined;
}

async function killPublication({ publisher }: Place, by: 'import' | 'sync'): Promise<string> {
  const killAfter = Math.ceil(Math.random() * LONGEST_MS);
  await publisher.publish({ by, killAfter });
  const failure = await publisher.publish({ by });
  if (failure !== undefined) throw new Error(`The next ${by} failed: ${failure}`);
  return `Killed a publication by ${by} after ${killAfter} ms, and repeated it.`;
}

async function killBackup({ database, folder, main }: Place): Promise<string> {
  const output = join(folder, 'backups');
  mkdirSync(output, { recursive: true });
  const before = readdirSync(output).length;
  const args = [main, '--database', database, 'backup', '--output', output];
  const begin = () => spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const killed = begin();
  const after = Math.random() * LONGEST_MS;
  await Promise.race([once(killed, 'close'), sleep(after)]);
  const isComplete = killed.exitCode === 0;
  await kill(killed);
  const again = begin();
  await once(again, 'close');
  if (again.exitCode !== 0) throw new Error('The next backup failed.');
  const made = readdirSync(output).length - before;
  if (made !== (isComplete ? 2 : 1)) throw new Error(`${made} folders: ${readdirSync(output)}`);
  return `Killed a backup after ${Math.round(after)} ms, and made another one.`;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}
