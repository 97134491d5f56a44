import { PAGES } from '../../../src/dashboard/pages.ts';
import type { SearchSort } from '../../../src/search/index.ts';
import { withQuery } from '../api/query.ts';

/** A search, as the address of the search page has it. */
export interface SearchQuery {
  /** As typed. */
  readonly q: string;
  /** The slug of a game; empty for all games. */
  readonly game: string;
  /** The setId of a set, or a name or code as typed; empty for all sets. */
  readonly set: string;
  /** Empty for all rarities. */
  readonly rarity: string;
  readonly sort: SearchSort;
  /** The page of results, from 1 on. */
  readonly page: number;
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

/** Results on a page: the default limit of the API. */
export const PAGE_SIZE = 20;

const EMPTY_QUERY: SearchQuery = {
  q: '',
  game: '',
  set: '',
  rarity: '',
  sort: 'relevance',
  page: 1,
};

/** Parses the query of an address. Missing and invalid parameters have their default. */
export function parseSearchQuery(
  query: Readonly<Record<string, string>>,
  games: readonly string[],
): SearchQuery {
  const text = (name: string) => (query[name] ?? '').slice(0, MAX_TEXT_LENGTH);
  const { game = '', sort = '', page = '' } = query;
  return {
    q: text('q'),
    game: games.includes(game) ? game : '',
    set: text('set'),
    rarity: text('rarity'),
    sort: isSort(sort) ? sort : 'relevance',
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  };
}

function isSort(text: string): text is SearchSort {
  return Object.hasOwn(SORT_LABELS, text);
}

/** Returns the link to the results of a search. Parameters with their default are left out. */
export function searchHref(search: Partial<SearchQuery>): string {
  const { q, game, set, rarity, sort, page } = { ...EMPTY_QUERY, ...search };
  return withQuery(PAGES.search, {
    q,
    game,
    set,
    rarity,
    sort: sort === 'relevance' ? '' : sort,
    page: page === 1 ? '' : page,
  });
}

interface KnownSet {
  readonly setId: string;
  readonly code: string;
  readonly name: string;
}

/**
 * Returns the path of the API call for a page of results, or null when there is nothing to search
 * for. The API requires a text: to search for a set alone it is the code of the set, which matches
 * all its cards.
 */
export function searchApiPath(search: SearchQuery, sets: readonly KnownSet[]): string | null {
  const { q, game, set, rarity, sort, page } = search;
  const text = q.trim() === '' ? findCodeWord(set, sets) : q;
  if (text === '') return null;
  return withQuery('/v1/search', {
    q: text,
    game,
    set,
    rarity,
    sort: sort === 'relevance' ? '' : sort,
    offset: (page - 1) * PAGE_SIZE || '',
  });
}

/** Returns the code of a set as one word, because its parts match no card. */
function findCodeWord(set: string, sets: readonly KnownSet[]): string {
  const known = sets.find(({ setId, name }) => setId === set || name === set);
  return (known?.code ?? set).replaceAll(' ', '');
}

/** Returns the name of the set of a setId, or `set` as it is where no set has this id. */
export function setName(set: string, sets: readonly KnownSet[]): string {
  return sets.find(({ setId }) => setId === set)?.name ?? set;
}

/** Returns the setId of the only set of a name, or `text` as it is where there is none. */
export function setFilter(text: string, sets: readonly KnownSet[]): string {
  const [named, ...others] = sets.filter(({ name }) => name === text);
  return named && others.length === 0 ? named.setId : text;
}
