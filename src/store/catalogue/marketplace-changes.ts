import type { Kysely } from 'kysely';
import type { Day, Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Store } from '../connect.ts';
import { writeInChunks } from '../engine/paging.ts';
import type { Database } from './schema.ts';

/** SQL of changes of the marketplace whose figures a printing serves. */

type Db = Kysely<Database>;

/** A change of the marketplace whose figures a printing serves. */
export interface NewMarketplaceChange {
  /** The row id of the printing. */
  readonly printing: number;
  readonly from: string;
  readonly to: string;
  /** The UTC day on which the first figures of the new marketplace were observed. */
  readonly day: Day;
}

export interface MarketplaceChange extends Omit<NewMarketplaceChange, 'printing'> {
  /** The public id of the card. */
  readonly card: string;
  readonly name: string;
  readonly game: GameSlug;
  /** The name of the set. */
  readonly set: string;
  /** The name of the printing. */
  readonly printing: string;
  /** When the import that made the change began. */
  readonly changedAt: Millis;
}

/** Filters for changes. An omitted filter does not restrict the list. */
export interface MarketplaceChangeFilter {
  readonly game?: GameSlug | undefined;
  /** Only changes by imports that began at this moment or later. */
  readonly since?: Millis | undefined;
  /** Only changes whose first figures were observed on this UTC day or later. */
  readonly sinceDay?: Day | undefined;
}

/** A page of the changes. */
export interface MarketplaceChangePage extends MarketplaceChangeFilter {
  readonly limit: number;
  /** The number of newest changes to skip; 0 by default. */
  readonly offset?: number;
}

/** Reads a page of changes, newest first, and the number of changes on all pages. */
export type MarketplaceChangesReader = (
  page: MarketplaceChangePage,
) => Promise<{ readonly changes: readonly MarketplaceChange[]; readonly total: number }>;

/** Returns a function that reads pages of changes of the served marketplace. */
export function marketplaceChangesReader({ db }: Store): MarketplaceChangesReader {
  return async (page) => ({
    changes: await listMarketplaceChanges(db, page),
    total: await countMarketplaceChanges(db, page),
  });
}

export function insertMarketplaceChanges(
  db: Db,
  changes: readonly NewMarketplaceChange[],
  changedAt: Millis,
): Promise<void> {
  const rows = changes.map(({ printing, from, to, day }) => ({
    printing_id: printing,
    from_marketplace: from,
    to_marketplace: to,
    day,
    changed_at: changedAt,
  }));
  return writeInChunks(rows, (chunk) =>
    db.insertInto('marketplace_changes').values(chunk).execute(),
  );
}

/** Lists changes of the served marketplace, newest first. */
export async function listMarketplaceChanges(
  db: Db,
  { limit, offset = 0, ...filter }: MarketplaceChangePage,
): Promise<MarketplaceChange[]> {
  const rows = await filtered(db, filter)
    .select([
      'cards.public_id as card',
      'cards.name',
      'sets.game',
      'sets.name as set',
      'printings.name as printing',
      'from_marketplace as from',
      'to_marketplace as to',
      'day',
      'changed_at as changedAt',
    ])
    .orderBy('changed_at', 'desc')
    .orderBy('marketplace_changes.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map((row) => ({ ...row, day: row.day as Day }));
}

/** Counts the changes that {@link listMarketplaceChanges} lists on all pages. */
async function countMarketplaceChanges(db: Db, filter: MarketplaceChangeFilter): Promise<number> {
  const row = await filtered(db, filter)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

function filtered(db: Db, { game, since, sinceDay }: MarketplaceChangeFilter) {
  let rows = db
    .selectFrom('marketplace_changes')
    .innerJoin('printings', 'printings.id', 'marketplace_changes.printing_id')
    .innerJoin('cards', 'cards.id', 'printings.card_id')
    .innerJoin('sets', 'sets.id', 'cards.set_id')
    .where('cards.product_type', 'is', null);
  if (game !== undefined) rows = rows.where('sets.game', '=', game);
  if (since !== undefined) rows = rows.where('changed_at', '>=', since);
  if (sinceDay !== undefined) rows = rows.where('day', '>=', sinceDay);
  return rows;
}
