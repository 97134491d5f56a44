import { useMemo, useRef } from 'preact/hooks';
import { useLocalCall } from '../api/currency.ts';
import type { SearchPageBody } from '../api/responses.ts';
import { usePages } from '../cards/batches.ts';
import { CardPages } from '../cards/card-pages.tsx';
import { pageAt } from '../cards/filters.ts';
import type { View } from '../cards/views.ts';
import { ProductList } from '../products/product-list.tsx';
import { formatConversion, formatCounted } from '../ui/format.ts';
import { useScrollRestoration } from '../ui/hooks.ts';
import { Loading, PermanentError } from '../ui/status.tsx';
import { TryIt } from '../ui/try-it.tsx';
import { problemsOf, readingsOf, type ShownReading } from './readings.ts';
import { countFilters, type SearchQuery, searchHref } from './search-query.ts';

interface SearchResultsProps {
  readonly search: SearchQuery;
  readonly apiPath: string;
  readonly view: View;
  /** Called with the remaining text when the reader removes words from it. */
  onText(text: string): void;
}

/** The results of a search, which stay until the next results are loaded. */
export function SearchResults({ search, apiPath, view, onText }: SearchResultsProps) {
  const pages = usePages<SearchPageBody>(useLocalCall(apiPath));
  const count = useRef<HTMLParagraphElement>(null);
  const [first] = pages.batches;
  const readings = useMemo(() => readingsIn(first, pages.path), [first, pages.path]);
  const copy = first?.understood?.copy;
  const problems = first?.understood ? problemsOf(first.understood) : [];
  const remove = (rest: string) => {
    count.current?.focus(); // the button may disappear with the words
    onText(rest);
  };
  useScrollRestoration(searchHref(search), pages.isCurrent);
  if (!first) return <Loading error={pages.error} />;
  return (
    <section class="found" aria-label="Results" aria-busy={pages.isLoading}>
      <PermanentError error={pages.error} />
      <div class="found-head">
        <p ref={count} tabIndex={-1} role="status" class="count">
          <span>{formatCounted(first.total, 'card')}</span>
          {first.corrected !== undefined && (
            <span class="corrected">
              <span class="sr-only">. </span>Showing results for <bdi>{first.corrected}</bdi>
            </span>
          )}
          {readings.map(({ label, words }) => (
            <span key={`${label} ${words}`} class="sr-only">{`. ${label}: ${words}`}</span>
          ))}
        </p>
        <SearchReadings readings={readings} onRemove={remove} />
      </div>
      {problems.length > 0 && <p class="notice">{problems.join(' ')}</p>}
      {first.understood?.converted?.map((conversion) => (
        <p key={conversion.from} class="hint">
          Amounts {formatConversion(conversion)}
        </p>
      ))}
      {copy && !copy.priced && (
        <p class="notice">No price of a {copy.name} copy is known for these cards.</p>
      )}
      {first.hint && <Products hint={first.hint} />}
      <CardPages
        pages={pages}
        view={view}
        label="Cards found"
        hrefOf={(offset) => searchHref({ ...search, page: pageAt(offset) })}
      />
      {first.data.length === 0 && <NoResults search={search} body={first} />}
      <TryIt path={apiPath} />
    </section>
  );
}

/** Returns the readings of the query that a response answers, which may not be the current one. */
function readingsIn(body: SearchPageBody | undefined, path = ''): readonly ShownReading[] {
  const q = new URLSearchParams(path.slice(path.indexOf('?'))).get('q') ?? '';
  return body?.understood ? readingsOf(body.understood, q) : [];
}

/** The sealed products that the words of a search mean. */
function Products({ hint: { products, total } }: { hint: NonNullable<SearchPageBody['hint']> }) {
  return (
    <section aria-labelledby="hinted">
      <h2 id="hinted">{formatCounted(total, 'sealed product')}</h2>
      <ProductList products={products} label="Sealed products" hasSet />
    </section>
  );
}

/** Explains why there is no result and what the reader can do. */
function NoResults({ search, body }: { search: SearchQuery; body: SearchPageBody }) {
  const { suggestion, total } = body;
  if (total > 0) {
    return (
      <p>
        This page does not exist.{' '}
        <a href={searchHref({ ...search, page: 1 })}>Go to the first page</a>
      </p>
    );
  }
  return (
    <p class="no-label">
      <span>
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
          <a href={searchHref({ q: search.q, sort: search.sort })}>Search without filters</a>
        )}
      </span>
    </p>
  );
}

interface SearchReadingsProps {
  readonly readings: readonly ShownReading[];
  /** Called with the remaining text when the reader removes words. */
  onRemove(rest: string): void;
}

/**
 * The reading of the query, as filters that can be removed. They stay on one line, which scrolls.
 */
export function SearchReadings({ readings, onRemove }: SearchReadingsProps) {
  if (readings.length === 0) return null;
  return (
    <ul class="readings" aria-label="How the search was understood">
      {readings.map((reading) => (
        <li key={`${reading.label} ${reading.words}`}>
          <Reading {...reading} onRemove={onRemove} />
        </li>
      ))}
    </ul>
  );
}

interface ReadingProps extends ShownReading {
  onRemove(rest: string): void;
}

function Reading({ label, words, rest, onRemove }: ReadingProps) {
  const reading = (
    <>
      <span class="quiet">{label}:</span> <bdi>{words}</bdi>
    </>
  );
  if (rest === undefined) return <span class="fixed">{reading}</span>;
  return (
    <button type="button" onClick={() => onRemove(rest)}>
      <span class="sr-only">Remove</span>
      {reading} <span aria-hidden="true">✕</span>
    </button>
  );
}
