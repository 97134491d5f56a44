import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdFile, isHeld } from '../engine/sqlite-file.ts';

/** Folders of one process for a copy of a database, below the system's for temporary files. */

export interface PrivateFolder {
  readonly path: string;
  /** Removes it with all files. Signals that end the process also remove it. */
  remove(): void;
}

/** The start of a name, without the purpose of the folder. */
const PREFIX = 'cardprice-copy-';

/** The file in a folder that its process holds. */
const LOCK = 'lock';

/** Creates a folder, and removes those of processes that were killed. */
export function createPrivateFolder(): PrivateFolder {
  removeAbandoned();
  // Listens first: a signal between the folder and its listener would leave the folder behind.
  // The listeners also keep the lock from the garbage collector, which would free it.
  const stopWatching = whenStopped(() => erase());
  const path = mkdtempSync(join(tmpdir(), PREFIX));
  const release = holdFile(join(path, LOCK));
  const erase = () => {
    rmSync(path, { recursive: true, force: true });
    release();
  };
  const remove = () => {
    stopWatching();
    erase();
  };
  return { path, remove };
}

/** Others may write into the system's folder, so only this user's folders are examined. */
function removeAbandoned(): void {
  const names = readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX));
  for (const folder of names.map((name) => join(tmpdir(), name))) {
    const lock = join(folder, LOCK);
    const isOwn = statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.();
    if (isOwn && existsSync(lock) && !isHeld(lock))
      rmSync(folder, { recursive: true, force: true });
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs `last` when a signal ends the process. Returns a function that cancels this. */
function whenStopped(last: () => void): () => void {
  const end = (signal: NodeJS.Signals) => {
    last();
    stop();
    process.kill(process.pid, signal);
  };
  const stop = () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
  for (const signal of SIGNALS) process.once(signal, end);
  return stop;
}
