import { hostname } from 'node:os';
import type { Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import type { Store } from '../store/connect.ts';
import {
  freeImportLock,
  importLockHolder,
  type LockName,
  takeImportLock,
} from '../store/imports.ts';

/** How long a holder may stay silent before others may take over. */
const LEASE_MS = 60_000;

/** The right to import, or to sync: one process at a time, over all that share a database. */
export interface ImportLock {
  /**
   * To be called often: keeps the lock ours, as a timer does while a source is slow.
   *
   * @throws OperatorError when it was lost.
   */
  renew(): Promise<void>;
  free(): Promise<void>;
}

/** Somebody else does just now what only one process may do at a time. */
export class LockTaken extends OperatorError {}

/**
 * Takes the import lock, or that of syncs. One that was left by a process of this machine that
 * is gone, or that has not been renewed for a minute, is taken over.
 *
 * @throws LockTaken when another import, or another sync, is running.
 */
export async function takeLock(
  store: Store,
  clock: () => Millis,
  lock: LockName = 'import',
): Promise<ImportLock> {
  const holder = `${hostname()}:${process.pid}`;
  let renewedAt = clock();
  const take = () => takeImportLock(store.db, holder, clock(), clock() + LEASE_MS, lock);
  if (!(await take())) {
    const other = await importLockHolder(store.db, lock);
    if (other !== null && isGone(other)) await freeImportLock(store.db, other, lock);
    if (!(await take())) {
      throw new LockTaken(
        `Another ${lock} is running (${other}). They take turns: try again when it is done.`,
      );
    }
  }
  let lost = false;
  const renewing = setInterval(async () => {
    lost ||= !(await take().catch(() => true));
  }, LEASE_MS / 3).unref();
  return {
    async renew() {
      if (clock() - renewedAt >= LEASE_MS / 6) {
        renewedAt = clock();
        lost ||= !(await take());
      }
      if (lost) throw new OperatorError(`The lock of the ${lock} was lost to another process.`);
    },
    async free() {
      clearInterval(renewing);
      await freeImportLock(store.db, holder, lock);
    },
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
