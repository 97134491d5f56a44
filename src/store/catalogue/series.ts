import type { Kysely } from 'kysely';
import type { CopyName } from '../../domain/copy.ts';
import type { Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import { readPages } from '../engine/paging.ts';
import type { Database } from './schema.ts';

/** SQL of the cards and printings for imports and exports of price series. */

type Db = Kysely<Database>;

export interface KnownCardId {
  readonly externalId: string;
  /** The card's row id. */
  readonly card: number;
  /** The row id of its set. */
  readonly set: number;
  readonly game: GameSlug;
}

/** Returns every card with its external id in an id space; for null, with its public id. */
export async function readCardIds(db: Db, idSpace: string | null): Promise<KnownCardId[]> {
  const cards = db.selectFrom('cards').innerJoin('sets', 'sets.id', 'cards.set_id');
  if (idSpace === null) {
    return cards
      .select(['cards.public_id as externalId', 'cards.id as card', 'sets.id as set', 'sets.game'])
      .execute();
  }
  return cards
    .innerJoin('card_external_ids', 'card_external_ids.card_id', 'cards.id')
    .where('card_external_ids.id_space', '=', idSpace)
    .select([
      'card_external_ids.external_id as externalId',
      'cards.id as card',
      'sets.id as set',
      'sets.game',
    ])
    .execute();
}

/** When the newest prices of a game were observed at a marketplace. */
export interface NewestObservation {
  readonly game: GameSlug;
  readonly marketplace: string;
  readonly newest: Millis;
}

/** Returns when the newest prices of a source were observed, by game and marketplace. */
export function newestObservations(db: Db, source: string): Promise<NewestObservation[]> {
  return db
    .selectFrom('observations')
    .innerJoin('printings', 'printings.id', 'observations.printing_id')
    .innerJoin('cards', 'cards.id', 'printings.card_id')
    .innerJoin('sets', 'sets.id', 'cards.set_id')
    .where('observations.source', '=', source)
    .groupBy(['sets.game', 'observations.marketplace'])
    .select(({ fn }) => [
      'sets.game',
      'observations.marketplace',
      fn.max('observations.observed_at').as('newest'),
    ])
    .execute();
}

/** Filters for printings. An omitted filter does not restrict the list. */
export interface PrintingFilter {
  readonly game?: GameSlug;
  /** Row ids of sets. */
  readonly sets?: readonly number[];
  /** The public id of a card. */
  readonly card?: string;
  /** The name of the printing, case-insensitive. */
  readonly printing?: string;
  /** The row id of a printing. */
  readonly id?: number;
}

export interface NamedPrinting {
  /** Its row id, or the id of the series of its condition or grade. */
  readonly id: number;
  /** The condition or grade of the history; undefined for the figures. */
  readonly copy?: CopyName;
  /** The public id of its card. */
  readonly card: string;
  readonly name: string;
}

const PAGE_ROWS = 1000;

/** Yields printings with their cards' public ids, by row id, in pages, none of them empty. */
export function namedPrintings(db: Db, filter: PrintingFilter): AsyncGenerator<NamedPrinting[]> {
  const { game, sets, card, printing, id } = filter;
  let rows = db
    .selectFrom('printings')
    .innerJoin('cards', 'cards.id', 'printings.card_id')
    .innerJoin('sets', 'sets.id', 'cards.set_id')
    .select(['printings.id', 'cards.public_id as card', 'printings.name'])
    .orderBy('printings.id')
    .limit(PAGE_ROWS);
  if (game !== undefined) rows = rows.where('sets.game', '=', game);
  if (sets !== undefined) rows = rows.where('sets.id', 'in', sets);
  if (card !== undefined) rows = rows.where('cards.public_id', '=', card);
  if (printing !== undefined) {
    rows = rows.where(({ fn }) => fn('lower', ['printings.name']), '=', printing.toLowerCase());
  }
  if (id !== undefined) rows = rows.where('printings.id', '=', id);
  return readPages(
    (above) => rows.where('printings.id', '>', above).execute(),
    (row) => row.id,
  );
}
