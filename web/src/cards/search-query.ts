import { PAGES } from '../../../src/dashboard/pages.ts';
import type { SearchSort } from '../../../src/search/index.ts';
import { withQuery } from '../api/query.ts';
import { MAX_ROWS } from './results/batches.ts';

/** A search, as the address of the search page has it. */
export interface SearchQuery {
  /** As typed. */
  readonly q: string;
  /** The slug of a game; empty for all games. */
  readonly game: string;
  /** The setId of a set, or a name or code; empty for all sets. */
  readonly set: string;
  /** Empty for all rarities. */
  readonly rarity: string;
  readonly prices: PriceFilter;
  readonly sort: SearchSort;
  /** The page of results, from 1 on. */
  readonly page: number;
}

/** Which prices results may have. */
export interface PriceFilter {
  /** The least market price in dollars, as typed; empty for any. */
  readonly min: string;
  /** The highest market price in dollars, as typed; empty for any. */
  readonly max: string;
  /** Whether results must have a price. */
  readonly isPriced: boolean;
}

/** The orders of results, with their labels on the page. */
export const SORT_LABELS: Readonly<Record<SearchSort, string>> = {
  relevance: 'Best match',
  price_desc: 'Highest price',
  price_asc: 'Lowest price',
  name: 'Name',
  newest: 'Newest set',
  number: 'Number',
};

/** The length of the longest text that the API accepts, in characters. */
export const MAX_TEXT_LENGTH = 200;

/** Results that are fetched at once, with every key: the pages show only so many cards a day. */
export const BATCH_SIZE = 20;

export const ANY_PRICE: PriceFilter = { min: '', max: '', isPriced: false };

const EMPTY_QUERY: SearchQuery = {
  q: '',
  game: '',
  set: '',
  rarity: '',
  prices: ANY_PRICE,
  sort: 'relevance',
  page: 1,
};

type AddressQuery = Readonly<Record<string, string>>;

/** Parses the query of an address. Missing and invalid parameters have their default. */
export function parseSearchQuery(query: AddressQuery, games: readonly string[]): SearchQuery {
  const text = (name: string) => (query[name] ?? '').slice(0, MAX_TEXT_LENGTH);
  const { game = '', sort = '' } = query;
  return {
    q: text('q'),
    game: games.includes(game) ? game : '',
    set: text('set'),
    rarity: text('rarity'),
    prices: parsePriceFilter(query),
    sort: isSort(sort) ? sort : 'relevance',
    page: parsePage(query.page),
  };
}

/** Returns what the filters of an address say that means nothing, as its name and its text. */
export function meaninglessFilters(
  query: AddressQuery,
  games: readonly string[],
): readonly (readonly [name: string, text: string])[] {
  const { game = '', min_price: min = '', max_price: max = '' } = query;
  const filters = [
    ['game', game, games.includes(game)],
    ['lowest price', min, parseAmount(min) !== ''],
    ['highest price', max, parseAmount(max) !== ''],
  ] as const;
  return filters.flatMap(([name, text, isRead]) => {
    return text === '' || isRead ? [] : [[name, text.slice(0, MAX_TEXT_LENGTH)] as const];
  });
}

/** Parses the number of a page in an address; 1 for what is none. */
export function parsePage(page = ''): number {
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1;
}

/**
 * Parses the price filter of an address. What is not an amount stands for any, and the lower one of
 * two amounts is the least price.
 */
export function parsePriceFilter(query: AddressQuery): PriceFilter {
  const amounts = [parseAmount(query.min_price), parseAmount(query.max_price)];
  if (!amounts.includes('')) amounts.sort((a, b) => Number(a) - Number(b));
  const [min = '', max = ''] = amounts;
  return { min, max, isPriced: query.priced === 'true' };
}

/** Returns an amount of dollars as the API takes it, or an empty text for what is none. */
export function parseAmount(text = ''): string {
  const amount = text.trim().replace(/^\$/, '').replaceAll(',', '');
  return /^\d{1,7}(\.\d{1,2})?$/.test(amount) ? amount : '';
}

/** The parameters of a price filter, which addresses and the API share. */
export function priceParameters({ min, max, isPriced }: PriceFilter) {
  return { min_price: min, max_price: max, priced: isPriced ? 'true' : '' };
}

function isSort(text: string): text is SearchSort {
  return Object.hasOwn(SORT_LABELS, text);
}

/** Returns the link to the results of a search. Parameters with their default are left out. */
export function searchHref(search: Partial<SearchQuery>): string {
  const all = { ...EMPTY_QUERY, ...search };
  return withQuery(PAGES.search, { ...parametersOf(all), page: all.page === 1 ? '' : all.page });
}

/** Returns the path of the API call for results, or null when there is nothing to search for. */
export function searchApiPath(search: SearchQuery): string | null {
  if (search.q.trim() === '') return null;
  const offset = (search.page - 1) * MAX_ROWS || '';
  return withQuery('/v1/search', { ...parametersOf(search), limit: BATCH_SIZE, offset });
}

function parametersOf({ q, game, set, rarity, prices, sort }: SearchQuery) {
  const order = sort === 'relevance' ? '' : sort;
  return { q, game, set, rarity, ...priceParameters(prices), sort: order };
}

/** Returns how many filters a search has. */
export function countFilters({ game, set, rarity, prices }: SearchQuery): number {
  const { min, max, isPriced } = prices;
  return [game, set, rarity, min || max, isPriced].filter(Boolean).length;
}
