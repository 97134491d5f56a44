import { withQuery } from '../api/query.ts';
import { setsHref } from './links.ts';
import { MAX_ROWS } from './results/batches.ts';
import { MAX_TEXT_LENGTH, parsePage } from './search-query.ts';
import { parseSetOrder, type SetOrder } from './sets.ts';

/** Which sets of a game a page shows, as its address has it. */
export interface SetsQuery {
  /** A part of a name or code, as typed. */
  readonly q: string;
  readonly sort: SetOrder;
  /** The page of the list, from 1 on. */
  readonly page: number;
}

/** Sets that are fetched at once. */
const BATCH_SIZE = 50;

/** Parses the query of an address. Missing and invalid parameters have their default. */
export function parseSetsQuery(query: Readonly<Record<string, string>>): SetsQuery {
  const { q = '', sort, page } = query;
  return { q: q.slice(0, MAX_TEXT_LENGTH), sort: parseSetOrder(sort), page: parsePage(page) };
}

/** Returns the link to sets of a game. Parameters with their default are left out. */
export function setsQueryHref(game: string, { q, sort, page }: SetsQuery): string {
  return withQuery(setsHref(game), { q, sort: orderOf(sort), page: page === 1 ? '' : page });
}

/** Returns the path of the API call for the first sets of a page. */
export function setsApiPath(game: string, { q, sort, page }: SetsQuery): string {
  const offset = (page - 1) * MAX_ROWS || '';
  return withQuery('/v1/sets', {
    game,
    q: q.trim(),
    sort: orderOf(sort),
    limit: BATCH_SIZE,
    offset,
  });
}

function orderOf(sort: SetOrder): string {
  return sort === 'newest' ? '' : sort;
}
