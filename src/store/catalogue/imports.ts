import { type Kysely, type NotNull, sql } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import { countsAs } from '../../domain/sources.ts';
import type { Store } from '../connect.ts';
import type { BulkTable } from '../engine/engine.ts';
import { IMPORT_SUMMARY, type StoredSummary } from './json-columns.ts';
import type { ObservedSpan } from './observations.ts';
import type { Database, ImportRow, SourceFileRow } from './schema.ts';

/** SQL of import runs, their locks and the files that they read. */

const SOURCE_FILES: BulkTable<SourceFileRow> = {
  name: 'source_files',
  columns: { source: 'text', path: 'text', digest: 'text', etag: 'text', observed_at: 'int8' },
  key: ['source', 'path'],
};

/** A file that an import has read. Imports skip it while it is unchanged. */
export interface ReadFile {
  readonly path: string;
  /** SHA-256, hexadecimal. */
  readonly digest: string;
  readonly etag: string | null;
  readonly observedAt: Millis;
}

/** Records the files read from a source. A newer file replaces the record of the same path. */
export function upsertSourceFiles(
  { engine }: Store,
  transaction: Kysely<Database>,
  source: string,
  files: readonly ReadFile[],
): Promise<void> {
  const rows = files.map(({ path, digest, etag, observedAt }) => {
    return { source, path, digest, etag, observed_at: observedAt };
  });
  return engine.upsert(transaction, SOURCE_FILES, rows);
}

/** Returns the files last read from a source, by path. */
export async function readSourceFiles(
  db: Kysely<Database>,
  source: string,
): Promise<Map<string, ReadFile>> {
  const rows = await db
    .selectFrom('source_files')
    .where('source', '=', source)
    .selectAll()
    .execute();
  return new Map(
    rows.map(({ path, digest, etag, observed_at: observedAt }) => {
      return [path, { path, digest, etag, observedAt }];
    }),
  );
}

/**
 * Deletes the records of files read in a span, so the next import and the next sync read these
 * files again. Returns the number of files.
 */
export async function forgetFilesIn(
  db: Kysely<Database>,
  { source, from, before }: ObservedSpan,
): Promise<number> {
  const files = await db.selectFrom('source_files').select('source').distinct().execute();
  const checks = await db.selectFrom('source_checks').select('source').execute();
  const imported = await importedSources(db);
  const all = new Set([...[...files, ...checks].map((row) => row.source), ...imported]);
  const names = [...all].filter((name) => countsAs(name) === source);
  if (names.length === 0) return 0;
  const { numDeletedRows } = await db
    .deleteFrom('source_files')
    .where('source', 'in', names)
    .where('observed_at', '>=', from)
    .where('observed_at', '<', before)
    .executeTakeFirstOrThrow();
  await db
    .updateTable('imports')
    .set({ observed_at: null })
    .where('source', 'in', names)
    .where('observed_at', '>=', from)
    .where('observed_at', '<', before)
    .execute();
  await db
    .updateTable('source_checks')
    .set({ version: null })
    .where('source', 'in', names)
    .execute();
  return Number(numDeletedRows);
}

/** Work that only one process may do at a time. */
export type LockName = 'import' | 'sync' | 'bulk export';

const LOCK_ROWS: Readonly<Record<LockName, number>> = {
  import: 1,
  sync: 2,
  'bulk export': 3,
};

/** A lock that lasts this much longer than a new one was set by a wrong clock. */
const MAX_AHEAD_MS = 3_600_000;

/** Takes or renews a lock until a moment. Returns false if another process holds it. */
export async function takeImportLock(
  db: Kysely<Database>,
  holder: string,
  now: Millis,
  until: Millis,
  lock: LockName = 'import',
): Promise<boolean> {
  // Older schemas have no row for the newer locks.
  await db
    .insertInto('import_lock')
    .values({ id: LOCK_ROWS[lock], holder: null, expires_at: 0, taken_at: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const { numUpdatedRows } = await db
    .updateTable('import_lock')
    .set({
      holder,
      expires_at: until,
      taken_at: sql<number>`case when holder = ${holder} then taken_at else ${now} end`,
    })
    .where('id', '=', LOCK_ROWS[lock])
    .where((where) =>
      where.or([
        where('holder', 'is', null),
        where('holder', '=', holder),
        where('expires_at', '<', now),
        where('expires_at', '>', until + MAX_AHEAD_MS),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The holder of a lock. */
export interface LockHolder {
  readonly holder: string;
  /** Null if an older version took the lock. */
  readonly takenAt: Millis | null;
}

/** Returns the holder of a lock, even if the lock has expired; undefined if it is free. */
export async function importLockHolder(
  db: Kysely<Database>,
  lock: LockName = 'import',
): Promise<LockHolder | undefined> {
  const row = await db
    .selectFrom('import_lock')
    .select(['holder', 'taken_at as takenAt'])
    .where('id', '=', LOCK_ROWS[lock])
    .executeTakeFirst();
  return row?.holder ? { holder: row.holder, takenAt: row.takenAt } : undefined;
}

/** Frees a lock if `holder` holds it. */
export async function freeImportLock(
  db: Kysely<Database>,
  holder: string,
  lock: LockName = 'import',
): Promise<void> {
  await db
    .updateTable('import_lock')
    .set({ holder: null, expires_at: 0, taken_at: null })
    .where('id', '=', LOCK_ROWS[lock])
    .where('holder', '=', holder)
    .execute();
}

/** Records the start of an import, and returns its id. */
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

/** Records the end of an import. `summary` is stored as JSON. */
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
      summary: IMPORT_SUMMARY.write(outcome.summary),
    })
    .where('id', '=', id)
    .execute();
}

/** An import that has ended. */
export interface FinishedImport {
  readonly startedAt: Millis;
  readonly finishedAt: Millis;
  /** The time of the data according to the source; null if unknown. */
  readonly observedAt: Millis | null;
  /** Null if none was recorded. */
  readonly summary: StoredSummary | null;
}

/** Returns the newest finished import of a source. */
export async function lastFinishedImport(
  db: Kysely<Database>,
  source: string,
): Promise<FinishedImport | undefined> {
  const row = await db
    .selectFrom('imports')
    .where('source', '=', source)
    .where('finished_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .select(['started_at', 'finished_at', 'observed_at', 'summary'])
    .$narrowType<{ finished_at: NotNull }>()
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    observedAt: row.observed_at,
    summary: IMPORT_SUMMARY.read(row.summary),
  };
}

/** Returns the source of the newest finished import. */
export async function lastImportedSource(db: Kysely<Database>): Promise<string | undefined> {
  const row = await db
    .selectFrom('imports')
    .where('finished_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .select('source')
    .executeTakeFirst();
  return row?.source;
}

/** Returns the sources of all imports, by the names under which they were imported. */
export async function importedSources(db: Kysely<Database>): Promise<string[]> {
  const rows = await db.selectFrom('imports').select('source').distinct().execute();
  return rows.map(({ source }) => source);
}

/** Returns when the newest imported data was observed; null if unknown. */
export async function newestObservation(db: Kysely<Database>): Promise<Millis | null> {
  const { newest } = await db
    .selectFrom('imports')
    .where('finished_at', 'is not', null)
    .select(({ fn }) => fn.max('observed_at').as('newest'))
    .executeTakeFirstOrThrow();
  return newest;
}

/** An import that did not read everything. */
export interface FailedImport {
  readonly source: string;
  readonly startedAt: Millis;
  /** Null if it never finished. */
  readonly finishedAt: Millis | null;
  /** The number of unreadable parts of the source, and the first one with its reason. */
  readonly broken: number;
  readonly example: string | null;
}

/** Returns the newest import of each source, if it failed or could not read everything. */
export async function failedImports(db: Kysely<Database>): Promise<FailedImport[]> {
  const newest = db
    .selectFrom('imports')
    .groupBy('source')
    .select(({ fn }) => fn.max('id').as('id'));
  const rows = await db
    .selectFrom('imports')
    .where('id', 'in', newest)
    .selectAll()
    .orderBy('source')
    .execute();
  return rows.map(outcomeOf).filter(({ finishedAt, broken }) => finishedAt === null || broken > 0);
}

function outcomeOf({ source, started_at, finished_at, summary }: ImportRow): FailedImport {
  const { broken = [], brokenCount = broken.length } = IMPORT_SUMMARY.read(summary) ?? {};
  const [first] = broken;
  return {
    source,
    startedAt: started_at,
    finishedAt: finished_at,
    broken: brokenCount,
    example: first ? `${first.name}: ${first.reason}` : null,
  };
}
