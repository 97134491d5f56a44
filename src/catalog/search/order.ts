import { type Card, type CardSet, marketPrice, type Printing } from '../../domain/card.ts';
import { parseDay } from '../../domain/day.ts';
import { type Cents, MAX_CENTS } from '../../domain/money.ts';
import { hasPrice } from '../../domain/price.ts';
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

/** What some cards are ordered by, smallest first; whole numbers below 2^32. Equals go by id. */
export type Order = (entries: readonly Entry[]) => number[];

export const ORDERS: Readonly<Record<SearchSort, Order>> = {
  relevance: dearestFirst,
  price_desc: dearestFirst,
  price_asc: (entries) => marketPrices(entries).map((price) => price ?? UNPRICED),
  name: (entries) => entries.map(({ name }) => name.rank),
  newest: (entries) => entries.map(({ card }) => LAST_DAY - releaseDay(card.set)),
  number: (entries) => entries.map(({ number }) => number.rank),
};

const UNPRICED = MAX_CENTS + 1;
const LAST_DAY = 2 ** 31;

function dearestFirst(entries: readonly Entry[]): number[] {
  return marketPrices(entries).map((price) => MAX_CENTS - (price ?? -1));
}

/**
 * The market price of each card. Each step for all cards before the next: `together.ts` says why.
 * Most prices are those of the first printing; where it has none the others are looked at.
 */
function marketPrices(entries: readonly Entry[]): (Cents | null)[] {
  const count = entries.length;
  const cards = new Array<Card>(count);
  const printings = new Array<Printing | undefined>(count);
  const shown = new Array<Printing['prices'] | undefined>(count);
  for (let i = 0; i < count; i++) cards[i] = (entries[i] as Entry).card;
  for (let i = 0; i < count; i++) printings[i] = cards[i]?.printings[0];
  for (let i = 0; i < count; i++) shown[i] = printings[i]?.prices;
  return cards.map((card, i) => {
    const prices = shown[i];
    return prices && hasPrice(prices) ? prices.market : marketPrice(card);
  });
}

/** The release days of sets by their date. */
const releaseDays = new Map<string, number>();

/** Sets of unknown age count as the oldest. */
function releaseDay({ releaseDate }: CardSet): number {
  if (releaseDate === null) return 0;
  const day = releaseDays.get(releaseDate) ?? parseDay(releaseDate) ?? 0;
  releaseDays.set(releaseDate, day);
  return day;
}
