import Sqlite from 'better-sqlite3';
import { OperatorError } from '../../domain/errors.ts';
import { isLocked } from './locks.ts';
import { keepPrivate } from './private-file.ts';

/** Copies a database into a file that does not exist, as it is at one moment; hinders nobody. */
export async function copySqlite(file: string, copy: string): Promise<void> {
  keepPrivate(copy);
  const connection = new Sqlite(file);
  try {
    // All pages in one step: between two steps others could write, and it would begin anew.
    await connection.backup(copy, { progress: () => Number.MAX_SAFE_INTEGER });
  } finally {
    connection.close();
  }
}

/** What is wrong with a file, in SQLite's words; undefined when nothing is. */
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

/** Whether SQLite reports that a file is damaged, or is none of its own. */
export function isDamage(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code);
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}

/**
 * Writes everything of a file that is beside it into it, and removes what is beside it.
 *
 * @throws OperatorError when another process has it open.
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
