import { MAX_CENTS } from '../domain/money.ts';
import type { DocId, Documents } from './cards.ts';

export const SEARCH_SORTS = [
  'relevance',
  'price_desc',
  'price_asc',
  'name',
  'newest',
  'number',
] as const;
export type SearchSort = (typeof SEARCH_SORTS)[number];

/** What a card is ordered by, smallest first; a whole number below 2^32. Equals go by id. */
export type Order = (cards: Documents, slot: DocId) => number;

export const ORDERS: Readonly<Record<SearchSort, Order>> = {
  relevance: dearestFirst,
  price_desc: dearestFirst,
  price_asc: (cards, slot) => cards.price(slot) ?? UNPRICED,
  name: (cards, slot) => cards.name(slot).rank,
  newest: (cards, slot) => LAST_DAY - (cards.set(slot).released ?? UNKNOWN_DAY),
  number: (cards, slot) => cards.number(slot).rank,
};

const UNPRICED = MAX_CENTS + 1;
const LAST_DAY = 2 ** 31;
/** Sets of unknown age count as the oldest. */
const UNKNOWN_DAY = 1 - LAST_DAY;

function dearestFirst(cards: Documents, slot: DocId): number {
  return MAX_CENTS - (cards.price(slot) ?? -1);
}
