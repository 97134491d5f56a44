import { formatMoment, type Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import {
  freeImportLock,
  importLockHolder,
  type LockHolder,
  type LockName,
  takeImportLock,
} from '../store/catalogue/imports.ts';
import type { Store } from '../store/connect.ts';
import { describeHolder, hasEnded, nameHolder } from './lock-holder.ts';

/** A holder that has not renewed its lock for so long may lose it to others. */
const LEASE_MS = 60_000;

/** The right to import, or to sync: one at a time, over all processes that share a database. */
export interface ImportLock {
  /**
   * Keeps the lock; to be called often. A timer does it, too, while a source is slow.
   *
   * @throws OperatorError when another process has taken the lock.
   */
  renew(): Promise<void>;
  free(): Promise<void>;
}

/** Another import, or another sync, holds the lock. */
export class LockTaken extends OperatorError {}

/**
 * Works while nobody else imports, or syncs if that is the lock.
 *
 * @throws LockTaken when another import, or another sync, is running.
 */
export async function withLock<Result>(
  store: Store,
  clock: () => Millis,
  work: (lock: ImportLock) => Promise<Result>,
  name: LockName = 'import',
): Promise<Result> {
  const lock = await takeLock(store, clock, name);
  try {
    return await work(lock);
  } finally {
    await lock.free();
  }
}

/**
 * Takes the import lock, or that of syncs. It takes the lock over from a process of this machine
 * that has ended, and from any holder that has not renewed it for a minute.
 *
 * @throws LockTaken when another import, or another sync, is running.
 */
export async function takeLock(
  store: Store,
  clock: () => Millis,
  name: LockName = 'import',
): Promise<ImportLock> {
  const holder = nameHolder();
  let renewedAt = clock();
  const take = () => takeImportLock(store.db, holder, clock(), clock() + LEASE_MS, name);
  if (!(await take())) {
    const other = await importLockHolder(store.db, name);
    if (other && hasEnded(other.holder)) await freeImportLock(store.db, other.holder, name);
    if (!(await take())) {
      const who = other ? ` (${describe(other)})` : '';
      throw new LockTaken(
        `Another ${name} is running${who}. They take turns: try again when it is done.`,
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
      if (lost) throw new OperatorError(`The lock of the ${name} was lost to another process.`);
    },
    async free() {
      clearInterval(renewing);
      await freeImportLock(store.db, holder, name);
    },
  };
}

/** Says which process of which machine holds a lock, and since when. */
function describe({ holder, takenAt }: LockHolder): string {
  const since = takenAt === null ? '' : ` since ${formatMoment(takenAt)}`;
  return describeHolder(holder) + since;
}
