/** The search engines in this process that are compared: this one, MiniSearch and Orama. */
import { create, insertMultiple, search as searchOrama } from '@orama/orama';
import MiniSearch from 'minisearch';
import { type Card, marketPrice } from '../../src/domain/card.ts';
import { foldWords } from '../../src/domain/text.ts';
import { SearchIndex } from '../../src/search/index.ts';
import { FIELDS, fieldsOf, folded } from './fields.ts';

export interface Engine {
  readonly name: string;
  /** The size of its index in megabytes. */
  readonly megabytes: number;
  readonly buildMs: number;
  /** Returns the first five cards. */
  search(q: string): readonly Card[] | Promise<readonly Card[]>;
  close(): Promise<void>;
}

/** How many cards a search returns. */
export const PAGE = 5;

export async function buildOurs(cards: readonly Card[]): Promise<Engine> {
  const { made: index, ...cost } = await measured(() => {
    const index = new SearchIndex();
    for (const card of cards) index.add(card);
    index.commit();
    return index;
  });
  return {
    name: 'cardprice',
    ...cost,
    search: (q) => index.search({ q, sort: 'relevance', limit: PAGE, offset: 0 }).cards,
    close: async () => {},
  };
}

/**
 * Builds MiniSearch: all words have to match, and any may where none has all. Only the last word may
 * be unfinished, and words are corrected by as many edits as ours. Measured on a part of the queries,
 * this is the best of: prefixes of all words, of the last; no edits, a fifth of the letters, ours;
 * any word from the start; weights of 1 to 5 for names, 1 to 3 for numbers and 1 to 2 for sets.
 */
export async function buildMiniSearch(cards: readonly Card[]): Promise<Engine> {
  const { made: index, ...cost } = await measured(() => {
    const index = new MiniSearch<{ id: number }>({
      fields: [...FIELDS],
      tokenize: (text) => foldWords(text),
      processTerm: (term) => term,
      searchOptions: {
        prefix: (_, place, terms) => place === terms.length - 1,
        fuzzy: editsOf,
        boost: { name: 2 },
      },
    });
    index.addAll(cards.map((card, id) => ({ id, ...fieldsOf(card) })));
    return index;
  });
  return {
    name: 'MiniSearch',
    ...cost,
    search: (q) => {
      const all = index.search(q, { combineWith: 'AND' });
      const found = all.length > 0 ? all : index.search(q, { combineWith: 'OR' });
      return cardsAt(cards, found.slice(0, PAGE), ({ id }) => Number(id));
    },
    close: async () => {},
  };
}

function editsOf(term: string): number | false {
  if (term.length < 4 || /\d/.test(term)) return false;
  return term.length < 8 ? 1 : 2;
}

const TEXT = 'string';

/**
 * Builds Orama: all words have to match, and any may where none has all. The best of these, measured
 * on a part of the queries: all or any words from the start; no edits, one; weights as for
 * MiniSearch. Edits make it slower by far and find less.
 */
export async function buildOrama(cards: readonly Card[]): Promise<Engine> {
  const { made: db, ...cost } = await measured(async () => {
    const db = create({
      schema: { name: TEXT, number: TEXT, set: TEXT, rarity: TEXT, rest: TEXT },
      sort: { enabled: false },
      components: {
        tokenizer: {
          language: 'english',
          normalizationCache: new Map(),
          tokenize: (text) => foldWords(text),
        },
      },
    });
    const documents = cards.map((card, id) => ({ id: `${id}`, ...fieldsOf(card) }));
    await insertMultiple(db, documents, 5000);
    return db;
  });
  const find = async (q: string, threshold: number) => {
    const boost = { name: 5, number: 3, set: 2, rarity: 0.5, rest: 0.2 };
    const found = await searchOrama(db, { term: folded(q), boost, threshold, limit: PAGE });
    return cardsAt(cards, found.hits, ({ id }) => Number(id));
  };
  return {
    name: 'Orama',
    ...cost,
    search: async (q) => {
      const all = await find(q, 0);
      return all.length > 0 ? all : find(q, 1);
    },
    close: async () => {},
  };
}

/** Builds an index in memory and measures the time and the memory that it takes. */
async function measured<T>(
  make: () => T | Promise<T>,
): Promise<{ made: T; buildMs: number; megabytes: number }> {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const start = performance.now();
  const made = await make();
  const buildMs = performance.now() - start;
  globalThis.gc?.();
  return { made, buildMs, megabytes: (process.memoryUsage().heapUsed - before) / 1e6 };
}

/** Returns the cards that an engine found, by their places in its list. */
export function cardsAt<Row>(
  cards: readonly Card[],
  rows: readonly Row[],
  place: (row: Row) => number,
): Card[] {
  return rows.flatMap((row) => cards[place(row)] ?? []);
}

/** Orders cards by price, for engines that leave equal scores in the order of their rows. */
export function highestPriceFirst(cards: readonly Card[]): Card[] {
  return cards.toSorted((a, b) => (marketPrice(b) ?? -1) - (marketPrice(a) ?? -1));
}
