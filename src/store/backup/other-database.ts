import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OperatorError } from '../../domain/errors.ts';
import { isPostgres } from '../../domain/location.ts';
import { type NamedPrinting, namedPrintings } from '../catalogue/series.ts';
import { openServerToRead, openStore, type Store, withClock } from '../connect.ts';
import { copySqlite } from '../engine/sqlite-file.ts';
import { DamagedHistory } from '../history/blocks.ts';
import { historyReader } from '../history/read.ts';
import type { Replacement } from '../history/repair.ts';
import { seriesOf } from '../history/series.ts';
import { CATALOGUE_FILE, readManifest } from './manifest.ts';
import { createPrivateFolder } from './private-folder.ts';

/** The history of another database, for the printings of ours. */
export interface OtherDatabase {
  replacementOf(names: ReadonlyMap<number, NamedPrinting>): Replacement;
  close(): Promise<void>;
}

/**
 * Opens a backup folder, a SQLite file or a PostgreSQL server to read its history. Files are copied
 * first, so migrating an older schema does not change them.
 *
 * @throws OperatorError if there is no database, the backup is damaged, or the server has a schema
 *   of another version.
 */
export async function openOther(location: string): Promise<OtherDatabase> {
  const { store, close } = await (isPostgres(location) ? openServer : openFile)(location);
  return { close, replacementOf: (names) => replacementOf(store, names) };
}

interface Other {
  readonly store: Store;
  close(): Promise<void>;
}

async function openServer(location: string): Promise<Other> {
  const store = await withClock(await openServerToRead(location));
  return { store, close: store.close };
}

async function openFile(location: string): Promise<Other> {
  const file = await fileOf(resolve(location));
  const { path, remove } = createPrivateFolder();
  try {
    const copy = join(path, CATALOGUE_FILE);
    await copySqlite(file, copy);
    const store = await openStore(copy);
    return { store, close: () => store.close().finally(remove) };
  } catch (error) {
    remove();
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${file} cannot be read as a database: ${reason}`, { cause: error });
  }
}

async function fileOf(path: string): Promise<string> {
  if (!existsSync(path)) throw new OperatorError(`There is no file or folder ${path}.`);
  if (!statSync(path).isDirectory()) return path;
  await readManifest(path);
  return join(path, CATALOGUE_FILE);
}

/** Finds printings by card and name, because row ids differ between databases. */
function replacementOf(store: Store, names: ReadonlyMap<number, NamedPrinting>): Replacement {
  const read = historyReader(store);
  return async (printing, from, to) => {
    const named = names.get(printing);
    const other = named && (await findPrinting(store, named));
    if (!other) return [];
    try {
      return await read(other, from, to);
    } catch (error) {
      if (error instanceof DamagedHistory) return [];
      throw error;
    }
  };
}

async function findPrinting(store: Store, named: NamedPrinting): Promise<number | undefined> {
  for await (const page of namedPrintings(store.db, { card: named.card })) {
    const found = page.find(({ name }) => name === named.name);
    if (!found || named.copy === undefined) {
      if (found) return found.id;
      continue;
    }
    const series = await seriesOf(store.db, [found.id]);
    return series.find(({ copy }) => copy === named.copy)?.id;
  }
  return undefined;
}
