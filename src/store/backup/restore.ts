import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Kysely } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { displayLocation, isPostgres } from '../../domain/location.ts';
import { newerMigrationsOf, openStore, requireMigratable, type Store } from '../connect.ts';
import type { Opened } from '../engine/engine.ts';
import { type OutageOptions, throughOutages } from '../engine/outages.ts';
import { continueNumbers } from '../engine/postgres.ts';
import { closeFile } from '../engine/sqlite-file.ts';
import { freeStamp } from './free-stamp.ts';
import { BACKUP_FILES, CATALOGUE_FILE, type Manifest, readManifest } from './manifest.ts';
import { createPrivateFolder } from './private-folder.ts';
import { clear, copyRows, countRows, type Part, partsOf, readFile, type Tables } from './tables.ts';

export interface RestoreOptions extends OutageOptions {
  /** Whether to replace an existing database. SQLite files are kept under another name. */
  readonly replace: boolean;
  readonly now: Millis;
}

/** The restored data, and the new location of the replaced files. */
export interface Restored {
  readonly manifest: Manifest;
  readonly kept: readonly string[];
  /** Migrations of a newer version. The database lacks everything that they added. */
  readonly leftOut: readonly string[];
}

/**
 * Restores a backup into a database of either engine. The schema of an older backup is migrated now
 * or when the database is next opened. If the server is lost, waits for it.
 *
 * @throws OperatorError if the backup is damaged or of a version that this one cannot migrate, or
 *   if a database exists and may not be replaced. In these cases nothing has changed.
 */
export async function restore(
  folder: string,
  location: string,
  options: RestoreOptions,
): Promise<Restored> {
  const manifest = await readManifest(folder);
  if (!isPostgres(location)) {
    return { manifest, kept: await restoreFiles(folder, location, options), leftOut: [] };
  }
  return { manifest, kept: [], leftOut: await restoreServer(folder, location, options) };
}

async function restoreFiles(
  folder: string,
  location: string,
  options: RestoreOptions,
): Promise<string[]> {
  const file = resolve(location);
  const endings = BACKUP_FILES.map((name) => name.slice(CATALOGUE_FILE.length));
  const there = endings.map((ending) => file + ending).filter((to) => existsSync(to));
  if (there.length > 0 && !options.replace) throw occupied(file);
  const unfinished = `${file}.unfinished`;
  try {
    for (const ending of endings) {
      copyFileSync(join(folder, CATALOGUE_FILE + ending), unfinished + ending);
    }
    await requireMigratable(unfinished, join(folder, CATALOGUE_FILE));
    const kept = moveAway(there, options.now);
    for (const ending of endings) renameSync(unfinished + ending, file + ending);
    return kept;
  } finally {
    for (const ending of endings) rmSync(unfinished + ending, { force: true });
  }
}

/** Moves the files of a database, and returns their new names. */
function moveAway(there: readonly string[], now: Millis): string[] {
  const stamp = freeStamp(now, (one) => there.some((file) => existsSync(keptName(file, one))));
  // Close before moving anything: a process that has a file open would keep writing to it.
  for (const to of there) closeFile(to);
  return there.map((to) => {
    const name = keptName(to, stamp);
    renameSync(to, name);
    return name;
  });
}

function keptName(file: string, stamp: string): string {
  return `${file}.before-${stamp}`;
}

async function restoreServer(
  folder: string,
  location: string,
  { replace, ...outages }: RestoreOptions,
): Promise<string[]> {
  const { path, remove } = createPrivateFolder();
  try {
    for (const name of BACKUP_FILES) copyFileSync(join(folder, name), join(path, name));
    await requireMigratable(join(path, CATALOGUE_FILE), join(folder, CATALOGUE_FILE));
    // Opening the copy migrates it.
    const from = await openStore(join(path, CATALOGUE_FILE));
    const to = await openStore(location);
    try {
      if (!replace && !(await isEmpty(to))) throw occupied(displayLocation(location));
      await throughOutages(to, () => copyStore(from, to), outages);
      return await newerMigrationsOf(from);
    } finally {
      await from.close();
      await to.close();
    }
  } finally {
    remove();
  }
}

async function isEmpty({ db, accounts }: Store): Promise<boolean> {
  const card = await db.selectFrom('cards').select('id').limit(1).executeTakeFirst();
  const account = await accounts.db.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
  return card === undefined && account === undefined;
}

/** Copies all rows in one transaction, so a backup is restored completely or not at all. */
async function copyStore(from: Store, to: Store): Promise<void> {
  const target = to.db as unknown as Kysely<Tables>;
  await target.transaction().execute(async (transaction) => {
    for (const part of partsOf(to).toReversed()) await clear(part, transaction);
    const opened = { engine: to.engine, db: transaction };
    for (const part of partsOf(from)) await copyPart(part, opened);
  });
}

async function copyPart(part: Part, to: Opened<Tables>): Promise<void> {
  for (const table of part.tables) {
    await copyRows(readFile(part.db, table), to, table);
    await continueNumbers(to.db, table);
  }
  const copied = await countRows({ ...part, db: to.db });
  const original = await countRows(part);
  const differing = part.tables.find((table) => copied[table] !== original[table]);
  if (differing) throw new Error(`${differing} has other rows than the backup`);
}

function occupied(what: string): OperatorError {
  return new OperatorError(
    `There is a database at ${what} already. Add --replace to put the backup in its place; the ` +
      'files of SQLite are kept under another name.',
  );
}
