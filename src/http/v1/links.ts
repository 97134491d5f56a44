import { pathOf } from '../paths.ts';

/** The place of a page in its list. */
export interface PagePlace {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** Longer URLs get no links: four of them could exceed the header limits of clients. */
const LONGEST_URL = 1500;

/**
 * Returns the `Link` header of a page (RFC 8288): the first, previous, next and last page, if they
 * exist. It leaves out an API key in the query. Undefined if the URL is very long.
 */
export function pageLinks(url: string, { total, limit, offset }: PagePlace): string | undefined {
  if (url.length > LONGEST_URL) return undefined;
  const path = pathOf(url);
  const query = new URLSearchParams(url.slice(path.length + 1));
  query.delete('api_key');
  const last = lastOffset({ total, limit, offset });
  const offsets: readonly (readonly [rel: string, offset: number])[] = [
    ['first', 0],
    ['prev', Math.max(0, Math.min(offset - limit, last))],
    ['next', offset + limit],
    ['last', last],
  ];
  return offsets
    .filter(([rel, to]) => (rel !== 'prev' || offset > 0) && (rel !== 'next' || to < total))
    .map(([rel, to]) => {
      query.set('limit', String(limit));
      query.set('offset', String(to));
      return `<${path}?${query}>; rel="${rel}"`;
    })
    .join(', ');
}

/** Returns the offset of the last page when stepping on from this one; 0 for an empty list. */
function lastOffset({ total, limit, offset }: PagePlace): number {
  const start = offset < total ? offset % limit : 0;
  return total <= start ? 0 : start + Math.floor((total - start - 1) / limit) * limit;
}
