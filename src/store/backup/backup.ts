import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { formatMoment, type Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { displayLocation, isPostgres } from '../../domain/location.ts';
import {
  isMissing,
  newerMigrationsOf,
  type OpenDatabase,
  openServerToRead,
  openStore,
  type Store,
} from '../connect.ts';
import { copySqlite, damageOf, holdFile, isHeld } from '../engine/sqlite-file.ts';
import { freeStamp } from './free-stamp.ts';
import { BACKUP_FILES, CATALOGUE_FILE, type Manifest, writeManifest } from './manifest.ts';
import {
  clear,
  copyRows,
  countRows,
  type Part,
  partsOf,
  readServer,
  type Tables,
} from './tables.ts';

/** The names of backup folders. Sorting by name sorts by time. */
const NAME = /^cardprice-\d{8}T\d{6}Z$/;

/** A backup that was made and verified. */
export interface Backup {
  readonly folder: string;
  readonly manifest: Manifest;
  /** Migrations of a newer version. The copy lacks everything that they added. */
  readonly leftOut: readonly string[];
}

export interface BackupOptions {
  /** The folder that receives one folder per backup. Created if missing. */
  readonly to: string;
  readonly version: string;
  readonly now: Millis;
}

/**
 * Backs up a database while it is in use, as of one moment, into a new folder. The folder has three
 * SQLite files, for either engine, and a manifest. The copy gets its final name only after it was
 * read back, so a folder with such a name is complete.
 *
 * @throws OperatorError if there is no database, or the copy differs from the data read.
 */
export async function backUp(location: string, options: BackupOptions): Promise<Backup> {
  const { to, version, now } = options;
  mkdirSync(to, { recursive: true, mode: 0o700 });
  removeAbandoned(to);
  const folder = freeFolder(resolve(to), now);
  const unfinished = `${folder}.unfinished`;
  mkdirSync(unfinished, { mode: 0o700 });
  const release = holdFile(join(unfinished, LOCK));
  try {
    const engine = isPostgres(location) ? 'postgres' : 'sqlite';
    const copy = engine === 'postgres' ? copyServer : copyFiles;
    const leftOut = await copy(location, unfinished);
    const rows = await readBack(unfinished);
    const about = { version, createdAt: formatMoment(now), engine, rows } as const;
    const manifest = await writeManifest(unfinished, about);
    renameSync(unfinished, folder);
    rmSync(join(folder, LOCK));
    return { folder, manifest, leftOut };
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    release();
  }
}

/** Returns the folder of a backup, which is named after a later second if one has that name. */
function freeFolder(to: string, now: Millis): string {
  const folderAt = (stamp: string) => join(to, `cardprice-${stamp}Z`);
  const stamp = freeStamp(now, (one) => {
    return existsSync(folderAt(one)) || existsSync(`${folderAt(one)}.unfinished`);
  });
  return folderAt(stamp);
}

/** The file in the folder of a backup that its process holds until the backup is finished. */
const LOCK = 'lock';
const UNFINISHED = /^cardprice-\d{8}T\d{6}Z\.unfinished$/;

/** Removes what killed processes have left, and nothing that a living one is working on. */
function removeAbandoned(to: string): void {
  for (const name of readdirSync(to).filter((one) => UNFINISHED.test(one))) {
    const folder = join(to, name);
    if (!isHeld(join(folder, LOCK))) rmSync(folder, { recursive: true, force: true });
  }
}

/** Deletes all but the newest `kept` backups in a folder. Returns the deleted ones. */
export function pruneBackups(to: string, kept: number): string[] {
  const names = readdirSync(to).filter((name) => NAME.test(name));
  const old = names.sort().slice(0, Math.max(0, names.length - kept));
  for (const name of old) rmSync(join(to, name), { recursive: true });
  return old.map((name) => join(to, name));
}

/** Returns when the newest backup in a folder was made; null if there is none. */
export function newestBackup(folder: string): Millis | null {
  if (!existsSync(folder)) return null;
  const newest = readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort()
    .at(-1);
  return newest === undefined ? null : statSync(join(folder, newest)).mtimeMs;
}

async function copyFiles(location: string, folder: string): Promise<string[]> {
  const file = resolve(location);
  if (isMissing(location)) throw new OperatorError(`There is no database ${file}.`);
  // Opening a database of an older version creates its files for accounts and usage.
  await (await openStore(location)).close();
  for (const [index, ending] of ['', '-accounts', '-usage'].entries()) {
    await copySqlite(`${file}${ending}`, join(folder, BACKUP_FILES[index] ?? ''));
  }
  return [];
}

async function copyServer(location: string, folder: string): Promise<string[]> {
  const copy = await openStore(join(folder, CATALOGUE_FILE));
  try {
    const server = await openServerToRead(location);
    return await copyTables(server, copy).finally(() => server.close());
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${displayLocation(location)} cannot be backed up: ${reason}.`, {
      cause: error,
    });
  } finally {
    await copy.close();
  }
}

/** Copies all tables in one transaction, so they are consistent. Returns what is left out. */
async function copyTables(server: OpenDatabase, copy: Store): Promise<string[]> {
  await server.db.connection().execute(async (connection) => {
    const pages = connection as unknown as Kysely<Tables>;
    await sql`begin isolation level repeatable read read only`.execute(connection);
    for (const part of partsOf(copy)) await copyPart(pages, part);
    await sql`commit`.execute(connection);
  });
  return newerMigrationsOf(server);
}

async function copyPart(server: Kysely<Tables>, part: Part): Promise<void> {
  await part.db.transaction().execute(async (transaction) => {
    await clear(part, transaction);
    for (const table of part.tables) {
      await copyRows(readServer(server, table), { ...part, db: transaction }, table);
    }
  });
}

/**
 * Checks every page of the copy, and returns the number of rows of each table.
 *
 * @throws OperatorError if SQLite finds a fault.
 */
async function readBack(folder: string): Promise<Record<string, number>> {
  for (const name of BACKUP_FILES) {
    const fault = damageOf(join(folder, name));
    if (fault) throw new OperatorError(`The copy ${name} is damaged: ${fault}. Try again.`);
  }
  const store: Store = await openStore(join(folder, CATALOGUE_FILE));
  try {
    const [catalogue, accounts] = await Promise.all(partsOf(store).map(countRows));
    return { ...catalogue, ...accounts };
  } finally {
    await store.close();
  }
}
