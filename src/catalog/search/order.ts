import { marketPrice } from '../../domain/card.ts';
import { parseDay } from '../../domain/day.ts';
import { MAX_CENTS } from '../../domain/money.ts';
import type { Entry } from './entries.ts';

export const SEARCH_SORTS = [
  'relevance',
  'price_desc',
  'price_asc',
  'name',
  'newest',
  'number',
] as const;
export type SearchSort = (typeof SEARCH_SORTS)[number];

/** What cards are ordered by, smallest first; whole numbers below 2^32. Equals go by id. */
export const ORDERS: Readonly<Record<SearchSort, (entry: Entry) => number>> = {
  relevance: dearestFirst,
  price_desc: dearestFirst,
  price_asc: (entry) => marketPrice(entry.card) ?? UNPRICED,
  name: (entry) => entry.name.rank,
  newest: (entry) => LAST_DAY - releaseDay(entry),
  number: (entry) => entry.number.rank,
};

const UNPRICED = MAX_CENTS + 1;
const LAST_DAY = 2 ** 31;

function dearestFirst(entry: Entry): number {
  return MAX_CENTS - (marketPrice(entry.card) ?? -1);
}

/** Cards of unknown age count as the oldest. */
function releaseDay(entry: Entry): number {
  const { releaseDate } = entry.card.set;
  return releaseDate === null ? 0 : (parseDay(releaseDate) ?? 0);
}
