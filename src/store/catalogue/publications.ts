import type { Kysely } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import { forgetChanges, recordChanges } from './changes.ts';
import { beginJournal, recordNewestDays } from './known-publications.ts';
import type { Database } from './schema.ts';

/** SQL of publications: the one that readers see, and its replacement by the next one. */

type Db = Kysely<Database>;

/** A publication of the catalogue. */
export interface Publication {
  /** Its number. */
  readonly revision: number;
  /** Random: after a failover another publication may have the same number. */
  readonly id: string;
  /** Null if it was not recorded. */
  readonly publishedAt: Millis | null;
}

/** Identifies a publication uniquely. */
export type PublicationName = Pick<Publication, 'revision' | 'id'>;

/** Stored publications: ten years of hourly syncs, in 10 MB. */
const REMEMBERED = 100_000;

/** The tables whose rows an import overwrites. */
const SUPERSEDED_TABLES = [
  'superseded_sets',
  'superseded_cards',
  'superseded_card_external_ids',
  'superseded_card_names',
  'superseded_card_facts',
  'superseded_printings',
] as const;

/** Returns the newest publication, which is what readers see. */
export async function readPublication(db: Db): Promise<Publication> {
  const row = await db
    .selectFrom('catalog_state')
    .leftJoin('publications', 'publications.revision', 'catalog_state.revision')
    .select(['catalog_state.revision', 'publications.id', 'published_at'])
    .executeTakeFirstOrThrow();
  // Older versions publish without an id. Such a publication has no successor.
  const { revision, id, published_at } = row;
  return { revision, id: id ?? `unnamed ${revision}`, publishedAt: published_at };
}

/** Whether a publication is the newest one or a remembered earlier one. */
export async function isOfThisDatabase(
  db: Db,
  { revision, id }: PublicationName,
): Promise<boolean> {
  const row = await db
    .selectFrom('publications')
    .where('revision', '=', revision)
    .where('id', '=', id)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the first publication after a number; undefined if there is none. */
export async function nextPublication(db: Db, revision: number): Promise<Publication | undefined> {
  const row = await db
    .selectFrom('publications')
    .select(['revision', 'id', 'published_at'])
    .where('revision', '>', revision)
    .orderBy('revision')
    .limit(1)
    .executeTakeFirst();
  return row && { revision: row.revision, id: row.id, publishedAt: row.published_at };
}

/**
 * Returns when the first publication after a served one was published; null if there is none. After
 * a failover, another publication with the same number also counts as later.
 */
export async function firstPublishedAfter(
  db: Db,
  { revision, id }: PublicationName,
): Promise<Millis | null> {
  const row = await db
    .selectFrom('publications')
    .where('revision', '>=', revision)
    .where('id', '!=', id)
    .select(({ fn }) => fn.min('published_at').as('first'))
    .executeTakeFirst();
  return row?.first ?? null;
}

/** Whether a killed import left rows that were never published. */
export async function hasUnpublished(db: Db): Promise<boolean> {
  const row = await db.selectFrom('catalog_state').selectAll().executeTakeFirstOrThrow();
  return row.writing > row.revision;
}

/**
 * Records that rows of `revision` are being written. Readers do not see them yet. No other process
 * can publish until the transaction ends. Returns false if another process published in between.
 */
export async function startWriting(db: Db, revision: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('catalog_state')
    .set({ writing: revision })
    .where('revision', '=', revision - 1)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Makes everything up to `revision` visible to readers at once, records its changes, and deletes
 * the superseded rows. Returns false, and does nothing, if another process has published this
 * revision.
 */
export function publish(db: Db, revision: number, publishedAt: Millis): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { id: predecessor } = await readPublication(transaction);
    const { numUpdatedRows } = await transaction
      .updateTable('catalog_state')
      .set({ revision, writing: revision })
      .where('revision', '=', revision - 1)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return false;
    const id = crypto.randomUUID();
    const made = { revision, id, predecessor, published_at: publishedAt };
    const row = { ...made, has_changes: 1, has_journal: 1 };
    await transaction.insertInto('publications').values(row).execute();
    const oldest = revision - REMEMBERED;
    await transaction.deleteFrom('publications').where('revision', '<=', oldest).execute();
    await recordChanges(transaction, revision);
    await beginJournal(transaction, revision);
    await recordNewestDays(transaction, revision);
    await forgetChanges(transaction, publishedAt);
    await forgetSuperseded(transaction);
    return true;
  });
}

/** Deletes rows of earlier publications. Call it only when all written rows are published. */
export async function forgetSuperseded(db: Db): Promise<void> {
  for (const table of SUPERSEDED_TABLES) await db.deleteFrom(table).execute();
}
