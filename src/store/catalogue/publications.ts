import type { Kysely } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import type { Database } from './schema.ts';

/** SQL of publications: which one readers see, and how the next one takes its place. */

type Db = Kysely<Database>;

/** A publication of the catalogue. */
export interface Publication {
  /** Its number. */
  readonly revision: number;
  /** Random: after a failover another publication may have the same number. */
  readonly id: string;
  /** Null where it was not recorded. */
  readonly publishedAt: Millis | null;
}

/** What tells a publication from all others. */
export type PublicationName = Pick<Publication, 'revision' | 'id'>;

/** How many publications are remembered: years of days, and weeks of an hourly sync. */
const REMEMBERED = 1000;

/** The tables whose rows an import overwrites. */
const SUPERSEDED_TABLES = [
  'superseded_sets',
  'superseded_cards',
  'superseded_card_external_ids',
  'superseded_printings',
] as const;

/** Returns the newest publication, which is what readers see. */
export async function readPublication(db: Db): Promise<Publication> {
  const row = await db
    .selectFrom('catalog_state')
    .leftJoin('publications', 'publications.revision', 'catalog_state.revision')
    .select(['catalog_state.revision', 'publications.id', 'published_at'])
    .executeTakeFirstOrThrow();
  // A process of an older version publishes without an id. Nothing follows such a publication.
  const { revision, id, published_at } = row;
  return { revision, id: id ?? `unnamed ${revision}`, publishedAt: published_at };
}

/** Whether a publication is the newest one, or one of those before it that are remembered. */
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

/** Whether an import was killed and left rows that were never published. */
export async function hasUnpublished(db: Db): Promise<boolean> {
  const row = await db.selectFrom('catalog_state').selectAll().executeTakeFirstOrThrow();
  return row.writing > row.revision;
}

/**
 * Records that rows of `revision` are being written, which readers do not see yet. Until the
 * transaction ends no other process can publish. Returns false when that was done meanwhile.
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
 * Makes everything up to `revision` visible to readers, at once, and forgets what it superseded.
 * Returns false, and does nothing, when another process has published this revision.
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
    const row = { revision, id, predecessor, published_at: publishedAt };
    await transaction.insertInto('publications').values(row).execute();
    const oldest = revision - REMEMBERED;
    await transaction.deleteFrom('publications').where('revision', '<=', oldest).execute();
    await forgetSuperseded(transaction);
    return true;
  });
}

/** Forgets rows of earlier publications; to be called when everything that is written is published. */
export async function forgetSuperseded(db: Db): Promise<void> {
  for (const table of SUPERSEDED_TABLES) await db.deleteFrom(table).execute();
}
