import { PAGES } from '../../../src/dashboard/pages.ts';
import type { SearchSort } from '../../../src/search/index.ts';
import { withQuery } from '../api/links.ts';
import {
  type AddressQuery,
  ANY_PRICE,
  offsetParameter,
  type PriceFilter,
  pageParameter,
  parseAmount,
  parseChoice,
  parsePage,
  parsePriceFilter,
  parseText,
  priceParameters,
} from '../cards/filters.ts';

/** A search, as in the address of the search page. */
export interface SearchQuery {
  /** The text as typed. */
  readonly q: string;
  /** The slug of a game; empty for all games. */
  readonly game: string;
  /** The setId, name or code of a set; empty for all sets. */
  readonly set: string;
  /** Empty for all rarities. */
  readonly rarity: string;
  readonly prices: PriceFilter;
  readonly sort: SearchSort;
  /** The page of results, starting at 1. */
  readonly page: number;
}

/** The sort orders of results, with their labels. */
export const SORT_LABELS: Readonly<Record<SearchSort, string>> = {
  relevance: 'Best match',
  price_desc: 'Highest price',
  price_asc: 'Lowest price',
  name: 'Name',
  newest: 'Newest set',
  number: 'Number',
};

/** The results per call. There is a call for each keystroke, and the cards per day are limited. */
const BATCH_SIZE = 20;

const EMPTY_QUERY: SearchQuery = {
  q: '',
  game: '',
  set: '',
  rarity: '',
  prices: ANY_PRICE,
  sort: 'relevance',
  page: 1,
};

/** Parses the query of an address. Missing and invalid parameters get their defaults. */
export function parseSearchQuery(query: AddressQuery, games: readonly string[]): SearchQuery {
  const { q, game = '', set, rarity, sort, page } = query;
  return {
    q: parseText(q),
    game: games.includes(game) ? game : '',
    set: parseText(set),
    rarity: parseText(rarity),
    prices: parsePriceFilter(query),
    sort: parseChoice(SORT_LABELS, sort, 'relevance'),
    page: parsePage(page),
  };
}

/** Returns the invalid filters of an address, each with its name and text. */
export function invalidFilters(
  query: AddressQuery,
  games: readonly string[],
): readonly (readonly [name: string, text: string])[] {
  const { game = '', min_price: min = '', max_price: max = '' } = query;
  const filters = [
    ['game', game, games.includes(game)],
    ['lowest price', min, parseAmount(min) !== ''],
    ['highest price', max, parseAmount(max) !== ''],
  ] as const;
  return filters.flatMap(([name, text, isValid]) => {
    return text === '' || isValid ? [] : [[name, parseText(text)] as const];
  });
}

/** Returns the link to the results of a search. Omits parameters with their default. */
export function searchHref(search: Partial<SearchQuery>): string {
  const all = { ...EMPTY_QUERY, ...search };
  return withQuery(PAGES.search, { ...parametersOf(all), page: pageParameter(all.page) });
}

/** Returns the path of the API call for results, or null if there is nothing to search for. */
export function searchApiPath(search: SearchQuery): string | null {
  if (search.q.trim() === '') return null;
  const offset = offsetParameter(search.page);
  return withQuery('/v1/search', { ...parametersOf(search), limit: BATCH_SIZE, offset });
}

function parametersOf({ q, game, set, rarity, prices, sort }: SearchQuery) {
  const order = sort === EMPTY_QUERY.sort ? '' : sort;
  return { q, game, set, rarity, ...priceParameters(prices), sort: order };
}

/** Returns the number of filters in a search. Two amounts count as one filter. */
export function countFilters({ game, set, rarity, prices }: SearchQuery): number {
  const { min, max, isPriced } = prices;
  return [game, set, rarity, min || max, isPriced].filter(Boolean).length;
}
