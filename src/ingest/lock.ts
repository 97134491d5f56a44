import { hostname } from 'node:os';
import type { Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import type { Store } from '../store/connect.ts';
import { freeImportLock, importLockHolder, takeImportLock } from '../store/imports.ts';

/** How long a holder may stay silent before others may take over. */
const LEASE_MS = 60_000;

/** The right to import: one process at a time, over all machines that share a database. */
export interface ImportLock {
  /** To be called often: keeps the lock ours. */
  renew(): Promise<void>;
  free(): Promise<void>;
}

/**
 * Takes the import lock. One that was left by a process of this machine that is gone, or that
 * has not been renewed for a minute, is taken over.
 *
 * @throws OperatorError when another import is running.
 */
export async function takeLock(store: Store, clock: () => Millis): Promise<ImportLock> {
  const holder = `${hostname()}:${process.pid}`;
  let renewedAt = clock();
  const take = () => takeImportLock(store.db, holder, clock(), clock() + LEASE_MS);
  if (!(await take())) {
    const other = await importLockHolder(store.db);
    if (other !== null && isGone(other)) await freeImportLock(store.db, other);
    if (!(await take())) {
      throw new OperatorError(
        `Another import is running (${other}). Imports take turns: try again when it is done.`,
      );
    }
  }
  return {
    async renew() {
      if (clock() - renewedAt < LEASE_MS / 6) return;
      renewedAt = clock();
      if (!(await take())) throw new OperatorError('The import lock was lost to another process.');
    },
    free: () => freeImportLock(store.db, holder),
  };
}

/** Whether the holder was a process of this machine that does not run any more. */
function isGone(holder: string): boolean {
  const [host, pid] = holder.split(':');
  if (host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
