import { closeSync, fchmodSync, fstatSync, openSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { OperatorError } from '../../domain/errors.ts';
import { isLocked } from './locks.ts';

/** The permission bits of users other than the owner and the group. */
const OTHERS = 0o007;

/** How long `OpenFile` caches its last check of the path, in milliseconds. */
const BELIEVED_MS = 100;

/**
 * Creates a missing file that only its owner may read, regardless of the umask. Removes the
 * permissions of others from an existing file. SQLite gives its -wal and -shm files the same mode.
 */
export function keepPrivate(file: string): void {
  const descriptor = openSync(file, 'a', 0o600);
  try {
    const { mode } = fstatSync(descriptor);
    if (mode & OTHERS) fchmodSync(descriptor, mode & ~OTHERS & 0o777);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * A file that a connection has open. The operating system keeps a removed or replaced file for
 * processes that have it open, so a process would continue with data that nobody else sees.
 */
export class OpenFile {
  readonly path: string;
  readonly #inode: number | undefined;
  #isMoved = false;
  #lookAgainAt = 0;

  /** @param path The path of a file that has just been opened. */
  constructor(path: string) {
    this.path = path;
    this.#inode = inodeOf(path);
  }

  /** Whether the path now leads to another file or to none. The answer is up to 100 ms old. */
  isMoved(): boolean {
    const now = performance.now();
    if (now >= this.#lookAgainAt) {
      this.#isMoved = inodeOf(this.path) !== this.#inode;
      this.#lookAgainAt = now + BELIEVED_MS;
    }
    return this.#isMoved;
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/**
 * Copies a database, as of one moment, into a new file. Readers and writers do not wait.
 */
export async function copySqlite(file: string, copy: string): Promise<void> {
  keepPrivate(copy);
  const connection = new Sqlite(file);
  try {
    // Copy all pages in one step: SQLite starts over if somebody writes between two steps.
    await connection.backup(copy, { progress: () => Number.MAX_SAFE_INTEGER });
  } finally {
    connection.close();
  }
}

/** Returns the fault that SQLite finds in a file; undefined if the file is intact. */
export function damageOf(file: string): string | undefined {
  const connection = new Sqlite(file);
  try {
    const result = String(connection.pragma('integrity_check(1)', { simple: true }));
    // The first line only names the database.
    return result === 'ok' ? undefined : result.split('\n').at(-1);
  } catch (error) {
    if (isDamage(error)) return (error as Error).message;
    throw error;
  } finally {
    connection.close();
  }
}

/**
 * Holds a file, which is created, until the returned function is called or the process ends, even
 * if it is killed.
 */
export function holdFile(file: string): () => void {
  const connection = new Sqlite(file, { timeout: 0 });
  // Nothing is written, so no file for a rollback is needed next to it.
  connection.pragma('journal_mode = MEMORY');
  connection.exec('begin exclusive');
  return () => connection.close();
}

/** Whether a living process holds a file by {@link holdFile}. */
export function isHeld(file: string): boolean {
  try {
    holdFile(file)();
    return false;
  } catch (error) {
    if (isLocked(error)) return true;
    throw error;
  }
}

/** Whether SQLite reports a damaged file or a file that is not a SQLite database. */
export function isDamage(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code);
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}

/**
 * Merges the -wal file into the database, and removes the -wal and -shm files.
 *
 * @throws OperatorError if another process has the database open.
 */
export function closeFile(file: string): void {
  const connection = new Sqlite(file);
  try {
    connection.pragma('busy_timeout = 1000');
    connection.pragma('journal_mode = DELETE');
  } catch (error) {
    if (!isLocked(error)) throw error;
    throw new OperatorError(`${file} is in use. Stop the service first.`, { cause: error });
  } finally {
    connection.close();
  }
}
