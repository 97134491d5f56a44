import type { Kysely } from 'kysely';
import type { Millis } from '../domain/day.ts';
import type { Store } from './connect.ts';
import type { BulkTable } from './engine.ts';
import type { Database, ImportRow, SourceFileRow } from './schema.ts';

/** SQL of import runs: the lock, the publication, and what is remembered of sources. */

export const SOURCE_FILES: BulkTable = {
  name: 'source_files',
  columns: { source: 'text', path: 'text', digest: 'text', etag: 'text', observed_at: 'int8' },
  key: ['source', 'path'],
};

/** Remembers source files, in place of what was remembered of the same paths. */
export async function upsertSourceFiles(
  { engine }: Store,
  transaction: Kysely<Database>,
  rows: readonly SourceFileRow[],
): Promise<void> {
  const values = rows.map(({ source, path, digest, etag, observed_at }) => {
    return [source, path, digest, etag, observed_at];
  });
  await engine.upsert(transaction, SOURCE_FILES, values);
}

/** Everything remembered of one source's files, by path. */
export async function readSourceFiles(
  db: Kysely<Database>,
  source: string,
): Promise<Map<string, SourceFileRow>> {
  const rows = await db
    .selectFrom('source_files')
    .where('source', '=', source)
    .selectAll()
    .execute();
  return new Map(rows.map((row) => [row.path, row]));
}

/** What only one process does at a time: an import; all that a sync does. */
export type LockName = 'import' | 'sync';

const LOCK_ROWS: Readonly<Record<LockName, number>> = { import: 1, sync: 2 };

/** Takes or renews a lock; false when somebody else holds it. */
export async function takeImportLock(
  db: Kysely<Database>,
  holder: string,
  now: Millis,
  until: Millis,
  lock: LockName = 'import',
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('import_lock')
    .set({ holder, expires_at: until })
    .where('id', '=', LOCK_ROWS[lock])
    .where((where) =>
      where.or([
        where('holder', 'is', null),
        where('holder', '=', holder),
        where('expires_at', '<', now),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Who holds a lock, also one that has expired since. */
export async function importLockHolder(
  db: Kysely<Database>,
  lock: LockName = 'import',
): Promise<string | null> {
  const row = await db
    .selectFrom('import_lock')
    .select('holder')
    .where('id', '=', LOCK_ROWS[lock])
    .executeTakeFirst();
  return row?.holder ?? null;
}

/** Frees a lock if `holder` has it. */
export async function freeImportLock(
  db: Kysely<Database>,
  holder: string,
  lock: LockName = 'import',
): Promise<void> {
  await db
    .updateTable('import_lock')
    .set({ holder: null, expires_at: 0 })
    .where('id', '=', LOCK_ROWS[lock])
    .where('holder', '=', holder)
    .execute();
}

export interface Publication {
  /** The newest publication that readers may see. */
  readonly published: number;
  /** Whether a killed import left rows that were never published. */
  readonly unfinished: boolean;
}

export async function readPublication(db: Kysely<Database>): Promise<Publication> {
  const row = await db.selectFrom('catalog_state').selectAll().executeTakeFirstOrThrow();
  return { published: row.revision, unfinished: row.writing > row.revision };
}

/** Says that rows of `revision` are being written, and are not for readers yet. */
export async function startWriting(db: Kysely<Database>, revision: number): Promise<void> {
  await db.updateTable('catalog_state').set({ writing: revision }).execute();
}

/** Lets readers see everything up to `revision`, at once. */
export async function publish(db: Kysely<Database>, revision: number): Promise<void> {
  await db.updateTable('catalog_state').set({ revision, writing: revision }).execute();
}

export async function recordImportStart(
  db: Kysely<Database>,
  source: string,
  startedAt: Millis,
): Promise<number> {
  const { last } = await db
    .selectFrom('imports')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  const id = (last ?? 0) + 1;
  await db.insertInto('imports').values({ id, source, started_at: startedAt }).execute();
  return id;
}

/** Keeps the outcome of an import; `summary` is stored as JSON. */
export async function recordImportEnd(
  db: Kysely<Database>,
  id: number,
  outcome: { finishedAt: Millis; observedAt: Millis | null; summary: object },
): Promise<void> {
  await db
    .updateTable('imports')
    .set({
      finished_at: outcome.finishedAt,
      observed_at: outcome.observedAt,
      summary: JSON.stringify(outcome.summary),
    })
    .where('id', '=', id)
    .execute();
}

/** The newest import of a source that came to its end, or undefined. */
export async function lastFinishedImport(
  db: Kysely<Database>,
  source: string,
): Promise<ImportRow | undefined> {
  return db
    .selectFrom('imports')
    .where('source', '=', source)
    .where('finished_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .selectAll()
    .executeTakeFirst();
}
