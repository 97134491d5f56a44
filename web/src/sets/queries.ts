import { setApiPath, setHref, setsHref, withQuery } from '../api/links.ts';
import type { SetBody } from '../api/responses.ts';
import {
  type AddressQuery,
  offsetParameter,
  type PriceFilter,
  pageParameter,
  parseChoice,
  parsePage,
  parsePriceFilter,
  parseText,
  priceParameters,
} from '../cards/filters.ts';
import { formatCount } from '../ui/format.ts';

/** The cards on the page of a set, as in its address. */
export interface SetQuery {
  readonly sort: SetSort;
  /** Empty for all rarities. */
  readonly rarity: string;
  /** Empty for all printings. */
  readonly printing: string;
  readonly prices: PriceFilter;
  /** The page of the checklist, starting at 1. */
  readonly page: number;
}

/** The sort orders of a set's cards, with their labels. */
export const SET_SORT_LABELS = {
  number: 'Number',
  price_desc: 'Highest price',
  price_asc: 'Lowest price',
  name: 'Name',
} as const;

export type SetSort = keyof typeof SET_SORT_LABELS;

/** The cards and the sets per call. */
const CARDS_BATCH = 60;
const SETS_BATCH = 50;

/** Parses the query of an address. Missing and invalid parameters get their defaults. */
export function parseSetQuery(query: AddressQuery): SetQuery {
  return {
    sort: parseChoice(SET_SORT_LABELS, query.sort, 'number'),
    rarity: parseText(query.rarity),
    printing: parseText(query.printing),
    prices: parsePriceFilter(query),
    page: parsePage(query.page),
  };
}

/** Returns the link to the page of a set. Omits parameters with their default. */
export function setQueryHref(game: string, id: string, query: SetQuery): string {
  return withQuery(setHref(game, id), {
    ...cardParametersOf(query),
    page: pageParameter(query.page),
  });
}

/** Returns the path of the API call for the first cards of the checklist. */
export function setCardsApiPath(id: string, query: SetQuery): string {
  return withQuery(`${setApiPath(id)}/cards`, {
    ...cardParametersOf(query),
    limit: CARDS_BATCH,
    offset: offsetParameter(query.page),
  });
}

function cardParametersOf({ sort, rarity, printing, prices }: SetQuery) {
  const order = sort === 'number' ? '' : sort;
  return { sort: order, rarity, printing, ...priceParameters(prices) };
}

/** The sets of a game that a page shows, as in its address. */
export interface SetsQuery {
  /** A part of a name or code, as typed. */
  readonly q: string;
  readonly sort: SetOrder;
  /** The page of the list, starting at 1. */
  readonly page: number;
}

/** The sort orders of a game's sets, with their labels. */
export const SET_ORDERS = {
  newest: 'Newest first',
  value: 'Most valuable',
  name: 'Name',
} as const;

export type SetOrder = keyof typeof SET_ORDERS;

/** Parses a sort order; `newest` if it is missing or invalid. */
export function parseSetOrder(text: string | undefined): SetOrder {
  return parseChoice(SET_ORDERS, text, 'newest');
}

/** Parses the query of an address. Missing and invalid parameters get their defaults. */
export function parseSetsQuery({ q, sort, page }: AddressQuery): SetsQuery {
  return { q: parseText(q), sort: parseSetOrder(sort), page: parsePage(page) };
}

/** Returns the link to the sets of a game. Omits parameters with their default. */
export function setsQueryHref(game: string, { q, sort, page }: SetsQuery): string {
  return withQuery(setsHref(game), { q, sort: orderOf(sort), page: pageParameter(page) });
}

/** Returns the path of the API call for the first sets of a page. */
export function setsApiPath(game: string, { q, sort, page }: SetsQuery): string {
  return withQuery('/v1/sets', {
    game,
    q: q.trim(),
    sort: orderOf(sort),
    limit: SETS_BATCH,
    offset: offsetParameter(page),
  });
}

function orderOf(sort: SetOrder): string {
  return sort === 'newest' ? '' : sort;
}

/** Formats the number of a set's cards with a price: `118`, `all` or `none`. */
export function formatPricedCount({
  cardCount,
  pricedCount,
}: Pick<SetBody, 'cardCount' | 'pricedCount'>): string {
  if (pricedCount === 0) return 'none';
  return pricedCount >= cardCount ? 'all' : formatCount(pricedCount);
}

/** Sets under one title; the title of a single group is empty. */
export interface SetGroup {
  readonly title: string;
  readonly sets: readonly SetBody[];
}

/** Groups sets that are sorted newest first by year of release. Other orders form one group. */
export function groupSets(sets: readonly SetBody[], order: SetOrder): readonly SetGroup[] {
  if (sets.length === 0) return [];
  if (order !== 'newest') return [{ title: '', sets }];
  const years = Map.groupBy(sets, ({ releaseDate }) => {
    return releaseDate?.slice(0, 4) ?? 'Release date unknown';
  });
  return [...years].map(([title, grouped]) => ({ title, sets: grouped }));
}
