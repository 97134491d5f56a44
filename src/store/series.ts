import type { Kysely } from 'kysely';
import type { Millis } from '../domain/day.ts';
import type { GameSlug } from '../domain/games.ts';
import type { Database } from './schema.ts';

/** SQL of which card and printing a series of prices belongs to. */

export interface KeyedCard {
  readonly key: string;
  /** The card's row id. */
  readonly card: number;
  readonly game: GameSlug;
}

/** Every card that a source has a key for, by that key; by its public id when `source` is null. */
export async function readKeyedCards(
  db: Kysely<Database>,
  source: string | null,
): Promise<KeyedCard[]> {
  const cards = db.selectFrom('cards').innerJoin('sets', 'sets.id', 'cards.set_id');
  if (source === null) {
    return cards.select(['cards.public_id as key', 'cards.id as card', 'sets.game']).execute();
  }
  return cards
    .innerJoin('card_keys', 'card_keys.card_id', 'cards.id')
    .where('card_keys.source', '=', source)
    .select(['card_keys.key', 'cards.id as card', 'sets.game'])
    .execute();
}

/** When the newest price of a source was observed, for each game that it has any of. */
export async function newestObservations(
  db: Kysely<Database>,
  source: string,
): Promise<Map<GameSlug, Millis>> {
  const rows = await db
    .selectFrom('quotes')
    .innerJoin('printings', 'printings.id', 'quotes.printing_id')
    .innerJoin('cards', 'cards.id', 'printings.card_id')
    .innerJoin('sets', 'sets.id', 'cards.set_id')
    .where('quotes.source', '=', source)
    .groupBy('sets.game')
    .select(({ fn }) => ['sets.game', fn.max('quotes.observed_at').as('newest')])
    .execute();
  return new Map(rows.map(({ game, newest }) => [game, newest]));
}

/** Which printings to list; what is left out means all of them. */
export interface PrintingFilter {
  readonly game?: GameSlug;
  /** Row ids of sets. */
  readonly sets?: readonly number[];
  /** The public id of a card. */
  readonly card?: string;
  /** Without regard to letter case. */
  readonly printing?: string;
  /** The row id of a printing. */
  readonly id?: number;
}

export interface NamedPrinting {
  readonly id: number;
  /** The public id of its card. */
  readonly card: string;
  readonly name: string;
}

const PAGE_ROWS = 1000;

/** Printings with what they are called, by row id, in pages of at least one. */
export async function* namedPrintings(
  db: Kysely<Database>,
  filter: PrintingFilter,
): AsyncGenerator<NamedPrinting[]> {
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
  let page = await rows.execute();
  for (let last = page.at(-1); last; last = page.at(-1)) {
    yield page;
    page = await rows.where('printings.id', '>', last.id).execute();
  }
}
