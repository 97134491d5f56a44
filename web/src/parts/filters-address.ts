import type { SearchSort } from '../../../src/search/index.ts';
import { withQuery } from '../query.ts';

/** What a reader looks for, as the address of the search page says it. */
export interface Search {
  /** As typed. */
  readonly q: string;
  /** Slug of a game; empty for all. */
  readonly game: string;
  /** Name or code of a set; empty for all. */
  readonly set: string;
  /** Empty for all. */
  readonly rarity: string;
  readonly sort: SearchSort;
  /** From 1 on. */
  readonly page: number;
}

/** What results can be ordered by, in the words of the page. */
export const SORTS: Readonly<Record<SearchSort, string>> = {
  relevance: 'Best match',
  price_desc: 'Highest price',
  price_asc: 'Lowest price',
  name: 'Name',
  newest: 'Newest set',
  number: 'Number',
};

/** What the API takes at most, in characters. */
export const MAX_TEXT = 200;

/** Results on a page: what the API gives unless it is told otherwise. */
export const PAGE_SIZE = 20;

const NO_SEARCH: Search = {
  q: '',
  game: '',
  set: '',
  rarity: '',
  sort: 'relevance',
  page: 1,
};

/** Reads a query string. What it does not say, or says wrongly, is as if nothing were chosen. */
export function readSearch(
  query: Readonly<Record<string, string>>,
  games: readonly string[],
): Search {
  const text = (name: string) => (query[name] ?? '').slice(0, MAX_TEXT);
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
  return Object.hasOwn(SORTS, text);
}

/** The address that says so; what is as by default is left out. */
export function searchAddress(search: Partial<Search>): string {
  const { q, game, set, rarity, sort, page } = { ...NO_SEARCH, ...search };
  return withQuery('/', {
    q,
    game,
    set,
    rarity,
    sort: sort === 'relevance' ? '' : sort,
    page: page === 1 ? '' : page,
  });
}

interface KnownSet {
  readonly code: string;
  readonly name: string;
}

/**
 * The call of the API for a page of results, or null when there is nothing to look for. The API
 * always wants a text: for a set without one it is the set's code, which all of its cards match.
 */
export function searchCall(search: Search, sets: readonly KnownSet[]): string | null {
  const { q, game, set, rarity, sort, page } = search;
  const wanted = q.trim() === '' ? codeOf(set, sets) : q;
  if (wanted === '') return null;
  return withQuery('/v1/search', {
    q: wanted,
    game,
    set,
    rarity,
    sort: sort === 'relevance' ? '' : sort,
    offset: (page - 1) * PAGE_SIZE || '',
  });
}

/** The code of a set as one word: its parts match no card by themselves. */
function codeOf(set: string, sets: readonly KnownSet[]): string {
  const code = sets.find(({ name }) => name === set)?.code ?? set;
  return code.replaceAll(' ', '');
}

/**
 * What to call a set so that it is not taken for another of `sets`: by its name, since many share
 * a code; by its code where only that tells it apart, or where the name is longer than the API takes.
 */
export function callSet(set: KnownSet, sets: readonly KnownSet[]): string {
  const isOnly = (key: keyof KnownSet) => {
    return sets.every((other) => other[key] !== set[key] || other === set);
  };
  const isNamed = set.name.length <= MAX_TEXT && (isOnly('name') || !isOnly('code'));
  return isNamed ? set.name : set.code;
}
