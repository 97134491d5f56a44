import { readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
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

/** A holder that does not renew its lock for this long can lose it. */
const LEASE_MS = 60_000;

/** The right to import or to sync. Only one process that shares a database holds it at a time. */
export interface ImportLock {
  /**
   * Renews the lock; call it often. A timer also renews it while a source is slow.
   * @throws OperatorError if another process has taken the lock.
   */
  renew(): Promise<void>;
  free(): Promise<void>;
}

/** The holders of this process. It may have lost the database before it could release a lock. */
const holders = new Set<string>();

/** Another import, or another sync, holds the lock. */
export class LockTaken extends OperatorError {}

/**
 * Runs work while no other process imports (or syncs, for the sync lock).
 * @throws LockTaken if another import, or another sync, is running.
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
 * Takes the import lock or the sync lock. Takes it over from a process of this machine that has
 * ended, and from any holder that has not renewed it for a minute.
 *
 * @throws LockTaken if another import, or another sync, is running.
 */
export async function takeLock(
  store: Store,
  clock: () => Millis,
  name: LockName = 'import',
): Promise<ImportLock> {
  const holder = nameHolder();
  let renewedAt = clock();
  holders.add(holder);
  const take = () => takeImportLock(store.db, holder, clock(), clock() + LEASE_MS, name);
  if (!(await take())) {
    const other = await importLockHolder(store.db, name);
    if (other && hasEnded(other.holder)) await freeImportLock(store.db, other.holder, name);
    if (!(await take())) {
      holders.delete(holder);
      const who = other ? ` (${describe(other)})` : '';
      throw new LockTaken(`Another ${name} is running${who}. Try again when it has finished.`);
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
      holders.delete(holder);
      await freeImportLock(store.db, holder, name);
    },
  };
}

/** Describes which process on which machine holds a lock, and since when. */
function describe({ holder, takenAt }: LockHolder): string {
  const since = takenAt === null ? '' : ` since ${formatMoment(takenAt)}`;
  return describeHolder(holder) + since;
}

/* The name of a lock holder: the machine, the process id with its namespace, and the lock. */

/** Returns a name for a new holder, unique even among the locks of this process. */
export function nameHolder(pid = process.pid): string {
  return [hostname(), pid, PID_SPACE, crypto.randomUUID()].join(':');
}

/** Describes the process and machine of a holder. */
export function describeHolder(holder: string): string {
  const [host, pid] = holder.split(':');
  return `process ${pid} on ${host}`;
}

/**
 * Whether a holder is known to have ended. This is only known for processes visible to this one.
 */
export function hasEnded(holder: string): boolean {
  const [host, pid, space] = holder.split(':');
  if (host !== hostname() || space !== PID_SPACE) return false;
  if (Number(pid) === process.pid) return !holders.has(holder);
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** The namespace in which process ids are unique: two containers may have the same host name. */
const PID_SPACE = pidSpace();

/** '' on systems without containers that hide processes. */
function pidSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${statSync('/proc/self/ns/pid').ino}`;
  } catch {
    return '';
  }
}
