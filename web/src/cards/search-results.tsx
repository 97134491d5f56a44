import { useMemo, useRef } from 'preact/hooks';
import { TryIt } from '../account/try-it.tsx';
import { formatCount } from '../ui/format.ts';
import { Loading, PermanentError } from '../ui/status.tsx';
import { dashboardPath } from './links.ts';
import { readingsOf, type ShownReading } from './readings.ts';
import type { SearchPageBody } from './responses.ts';
import { MAX_ROWS } from './results/batches.ts';
import { CardPages } from './results/card-pages.tsx';
import { usePages } from './results/use-pages.ts';
import type { View } from './results/views.ts';
import { countFilters, type SearchQuery, searchHref } from './search-query.ts';
import { SearchReadings } from './search-readings.tsx';
import { useScrollRestoration } from './use-scroll-restoration.ts';
import { withoutWords } from './words.ts';

interface Props {
  readonly search: SearchQuery;
  readonly apiPath: string;
  readonly view: View;
  /** Called with the text that is left when the reader removes words from it. */
  onText(text: string): void;
}

/** The results of a search, which stay until those of the next one are loaded. */
export function SearchResults({ search, apiPath, view, onText }: Props) {
  const pages = usePages<SearchPageBody>(dashboardPath(apiPath));
  const count = useRef<HTMLParagraphElement>(null);
  const { q } = search;
  const [first] = pages.batches;
  const readings = useMemo(() => readingsIn(first, pages.path), [first, pages.path]);
  const remove = (words: string) => {
    count.current?.focus(); // the button may be gone with the words
    onText(withoutWords(q, words) ?? q);
  };
  useScrollRestoration(
    searchHref(search),
    pages.path === dashboardPath(apiPath) && first !== undefined,
  );
  if (!first) return <Loading error={pages.error} />;
  return (
    <section class="found" aria-label="Results" aria-busy={pages.isLoading}>
      <PermanentError error={pages.error} />
      <div class="found-head">
        <p ref={count} tabIndex={-1} role="status" class="count">
          <span>{first.total === 1 ? '1 card' : `${formatCount(first.total)} cards`}</span>
          {first.corrected !== undefined && (
            <span class="corrected">
              <span class="sr-only">. </span>Showing results for <bdi>{first.corrected}</bdi>
            </span>
          )}
          {readings.map(({ label, words }) => (
            <span key={label} class="sr-only">{`. ${label}: ${words}`}</span>
          ))}
        </p>
        <SearchReadings readings={readings} onRemove={remove} />
      </div>
      <CardPages
        pages={pages}
        view={view}
        label="Cards that were found"
        hrefOf={(offset) => searchHref({ ...search, page: 1 + Math.floor(offset / MAX_ROWS) })}
      />
      {first.data.length === 0 && <NoResults search={search} body={first} />}
      <TryIt path={apiPath} />
    </section>
  );
}

/** Returns how the query of a response was read; the reader may have typed on since. */
function readingsIn(body: SearchPageBody | undefined, path = ''): readonly ShownReading[] {
  const q = new URLSearchParams(path.slice(path.indexOf('?'))).get('q') ?? '';
  return body?.understood ? readingsOf(body.understood, q) : [];
}

/** Why there is no result, and what the reader can do about it. */
function NoResults({ search, body }: { search: SearchQuery; body: SearchPageBody }) {
  const { suggestion, total } = body;
  if (total > 0) {
    return (
      <p>
        There are not so many pages. <a href={searchHref({ ...search, page: 1 })}>To the first</a>
      </p>
    );
  }
  return (
    <p>
      No card matches every word{countFilters(search) > 0 && ' and filter'}.{' '}
      {suggestion !== undefined && (
        <>
          Did you mean{' '}
          <a href={searchHref({ ...search, q: suggestion, page: 1 })}>
            <bdi>{suggestion}</bdi>
          </a>
          ?{' '}
        </>
      )}
      {countFilters(search) > 0 && (
        <a href={searchHref({ q: search.q, sort: search.sort })}>Search without the filters</a>
      )}
    </p>
  );
}
