import { withQuery } from '../api/query.ts';
import { setApiPath, setHref } from './links.ts';
import { MAX_ROWS } from './results/batches.ts';
import {
  MAX_TEXT_LENGTH,
  type PriceFilter,
  parsePage,
  parsePriceFilter,
  priceParameters,
} from './search-query.ts';

/** Which cards the page of a set shows, as its address has it. */
export interface SetQuery {
  readonly sort: SetSort;
  /** Empty for all rarities. */
  readonly rarity: string;
  /** Empty for all printings. */
  readonly printing: string;
  readonly prices: PriceFilter;
  /** The page of the checklist, from 1 on. */
  readonly page: number;
}

/** The orders of a set's cards, with their labels on the page. */
export const SET_SORT_LABELS = {
  number: 'Number',
  price_desc: 'Highest price',
  price_asc: 'Lowest price',
  name: 'Name',
} as const;

export type SetSort = keyof typeof SET_SORT_LABELS;

/** Cards that are fetched at once. */
const BATCH_SIZE = 60;

/** Parses the query of an address. Missing and invalid parameters have their default. */
export function parseSetQuery(query: Readonly<Record<string, string>>): SetQuery {
  const text = (name: string) => (query[name] ?? '').slice(0, MAX_TEXT_LENGTH);
  return {
    sort: isSort(query.sort) ? query.sort : 'number',
    rarity: text('rarity'),
    printing: text('printing'),
    prices: parsePriceFilter(query),
    page: parsePage(query.page),
  };
}

function isSort(text = ''): text is SetSort {
  return Object.hasOwn(SET_SORT_LABELS, text);
}

/** Returns the link to the page of a set. Parameters with their default are left out. */
export function setQueryHref(game: string, id: string, query: SetQuery): string {
  const page = query.page === 1 ? '' : query.page;
  return withQuery(setHref(game, id), { ...parametersOf(query), page });
}

/** Returns the path of the API call for the first cards of the checklist. */
export function setCardsApiPath(id: string, query: SetQuery): string {
  const offset = (query.page - 1) * MAX_ROWS || '';
  return withQuery(`${setApiPath(id)}/cards`, {
    ...parametersOf(query),
    limit: BATCH_SIZE,
    offset,
  });
}

function parametersOf({ sort, rarity, printing, prices }: SetQuery) {
  const order = sort === 'number' ? '' : sort;
  return { sort: order, rarity, printing, ...priceParameters(prices) };
}
