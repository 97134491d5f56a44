import type { Kysely } from 'kysely';
import { type CardFacts, type FactsBySource, mergeFacts } from '../../domain/facts.ts';
import { type SearchedFacts, searchedFacts } from '../../domain/searched-facts.ts';
import type { Store } from '../connect.ts';
import type { BulkTable, Opened } from '../engine/engine.ts';
import { queryInChunks, readPages } from '../engine/paging.ts';
import type { CardFactsRow, Database } from './schema.ts';

/** SQL of the facts of cards. */

type Db = Kysely<Database>;

/** The facts of a card by source, and the part that the search keeps. */
export interface StoredFacts {
  readonly cardRowId: number;
  readonly bySource: FactsBySource;
  /** The publication that last changed them. */
  readonly revision: number;
}

/** The part of a card's facts that the search keeps. */
export type StoredSearchedFacts = SearchedFacts & { readonly cardRowId: number };

const CARD_FACTS: BulkTable<CardFactsRow> = {
  name: 'card_facts',
  columns: {
    card_id: 'int4',
    facts: 'text',
    words: 'text',
    numbers: 'text',
    artist: 'text',
    revision: 'int4',
  },
  key: ['card_id'],
};

type SearchedFactsRow = Omit<CardFactsRow, 'facts'>;

/** Only the columns that the search reads. */
export const SEARCHED_FACTS: BulkTable<SearchedFactsRow> = {
  name: 'card_facts',
  columns: { card_id: 'int4', words: 'text', numbers: 'text', artist: 'text', revision: 'int4' },
  key: ['card_id'],
};

export function searchedFactsOf({ card_id, words, numbers, artist }: SearchedFactsRow) {
  return { cardRowId: card_id, words, numbers, artist };
}

/** Inserts facts of cards, and overwrites existing ones. */
export function upsertFacts(
  { engine }: Store,
  transaction: Db,
  facts: readonly StoredFacts[],
): Promise<void> {
  return engine.upsert(transaction, CARD_FACTS, facts.map(rowOf));
}

function rowOf({ cardRowId, bySource, revision }: StoredFacts): CardFactsRow {
  const facts = JSON.stringify(bySource);
  return { card_id: cardRowId, facts, ...searchedFacts(mergeFacts(bySource)), revision };
}

/** Returns the facts of cards as JSON by source, by row id of the card. */
export async function storedFacts(
  { engine }: Store,
  transaction: Db,
  cards: readonly number[],
): Promise<Map<number, string>> {
  const rows = await engine.lookup(transaction, CARD_FACTS, cards);
  return new Map(rows.map(({ card_id, facts }) => [card_id, facts]));
}

/** Reads the facts of cards, by row ids of the cards. Omits cards without facts. */
export type FactsReader = (cards: readonly number[]) => Promise<ReadonlyMap<number, CardFacts>>;

/** Returns the reader of facts. Facts of a running import may appear early. */
export function factsReader({ db }: Opened<Database>): FactsReader {
  return async (cards) => {
    const rows = await readFactsJson(db, cards);
    return new Map(rows.map(({ card_id, facts }) => [card_id, parseFacts(facts)]));
  };
}

/** Returns the rows of cards with their facts by source, as JSON. */
export function readFactsJson(db: Db, cards: readonly number[]) {
  return queryInChunks(cards, (chunk) => {
    return db
      .selectFrom('card_facts')
      .where('card_id', 'in', chunk)
      .select(['card_id', 'facts'])
      .execute();
  });
}

/** Cards read by one statement of a scan. */
const CARDS_PER_PAGE = 500;

/** Reads the facts of all cards page by page, in the order of their row ids. */
export async function* scanFacts({
  db,
}: Opened<Database>): AsyncGenerator<
  readonly { readonly cardRowId: number; readonly facts: CardFacts }[]
> {
  const read = (above: number) => {
    return db
      .selectFrom('card_facts')
      .where('card_id', '>', above)
      .orderBy('card_id')
      .limit(CARDS_PER_PAGE)
      .select(['card_id', 'facts'])
      .execute();
  };
  for await (const page of readPages(read, ({ card_id }) => card_id)) {
    yield page.map(({ card_id, facts }) => ({ cardRowId: card_id, facts: parseFacts(facts) }));
  }
}

function parseFacts(json: string): CardFacts {
  return mergeFacts(JSON.parse(json) as FactsBySource);
}
