import { useMemo, useRef } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import './cards.css';
import './search-page.css';
import { useSession } from '../account/session.tsx';
import { TryIt } from '../account/try-it.tsx';
import { withQuery } from '../api/query.ts';
import { useData } from '../api/use-data.ts';
import { formatCount } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { Loading, PermanentError } from '../ui/status.tsx';
import { dashboardPath, setsHref } from './links.ts';
import { readingsOf, type ShownReading } from './readings.ts';
import type { FiltersBody, SearchPageBody } from './responses.ts';
import { SearchBox } from './search-box.tsx';
import { SearchFilters } from './search-filters.tsx';
import {
  PAGE_SIZE,
  parseSearchQuery,
  type SearchQuery,
  searchApiPath,
  searchHref,
} from './search-query.ts';
import { SearchReadings } from './search-readings.tsx';
import { Pager, SearchResults } from './search-results.tsx';
import { useScrollRestoration } from './use-scroll-restoration.ts';
import { useTypedText } from './use-typed-text.ts';
import { withoutWords } from './words.ts';

/** Searches cards with every keystroke. */
export function SearchPage() {
  const { route } = useLocation();
  const { query } = useRoute();
  const { games } = useSession();
  const addressed = parseSearchQuery(
    query,
    games.map(({ id }) => id),
  );
  const typed = useTypedText(addressed.q, (q) => {
    route(searchHref({ ...addressed, q, page: 1 }), true);
  });
  const hasTyped = typed.text !== addressed.q;
  const search = hasTyped ? { ...addressed, q: typed.text, page: 1 } : addressed;
  const filters = useFilterOptions(search.game);
  // A search for all cards of a set needs the set's code, which the filter options have.
  const isWaiting = search.q.trim() === '' && search.set !== '' && filters.isLoading;
  const apiPath = isWaiting ? null : searchApiPath(search, filters.options?.sets ?? []);
  const navigate = (change: Partial<SearchQuery>) => {
    route(searchHref({ ...search, page: 1, ...change }));
  };
  const box = useRef<HTMLInputElement>(null);
  const replaceText = (q: string) => {
    navigate({ q });
    if (q === '') box.current?.focus();
  };
  return (
    <Page title="Cards" isTitleHidden>
      <search class="search">
        <SearchBox
          input={box}
          text={typed.text}
          game={search.game}
          onText={typed.type}
          onSelect={(q) => navigate({ q })}
          onCommit={typed.flush}
        />
        <SearchFilters search={search} options={filters.options} onChange={navigate} />
      </search>
      <PermanentError error={filters.error} />
      {apiPath === null ? (
        <EmptySearch search={search} isWaiting={isWaiting} />
      ) : (
        <FoundCards search={search} apiPath={apiPath} onText={replaceText} />
      )}
    </Page>
  );
}

/** Returns the sets and rarities of a game, as far as they are loaded. */
function useFilterOptions(game: string) {
  const path = game === '' ? null : withQuery('/dashboard/filters', { game });
  const { body, path: loadedPath, error, isLoading } = useData<{ data: FiltersBody }>(path);
  return { options: loadedPath === path ? body?.data : undefined, error, isLoading };
}

/** Stands in for the results while there is nothing to search for. */
function EmptySearch({ search: { game }, isWaiting }: { search: SearchQuery; isWaiting: boolean }) {
  const { games } = useSession();
  if (isWaiting) return <Loading />;
  if (game !== '') {
    return (
      <p>
        Type a name, or choose a set. <a href={setsHref(game)}>See all sets of this game</a>
      </p>
    );
  }
  return (
    <section>
      <p>Type the name of a card to see what it is worth, or look through the sets of a game:</p>
      <ul class="games">
        {games.map(({ id, name }) => (
          <li key={id}>
            <a href={setsHref(id)}>{name}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FoundCardsProps {
  readonly search: SearchQuery;
  readonly apiPath: string;
  /** Called with the text that is left when the reader removes words from it. */
  onText(text: string): void;
}

/** A page of results, which stays until the next one is loaded. */
function FoundCards({ search, apiPath, onText }: FoundCardsProps) {
  const { body, path, error, isLoading } = useData<SearchPageBody>(dashboardPath(apiPath));
  const count = useRef<HTMLParagraphElement>(null);
  const { q, game, page } = search;
  // A search for all cards of a set has words that nobody typed.
  const isTyped = q.trim() !== '';
  const readings = useMemo(() => (isTyped ? readingsIn(body, path) : []), [body, path, isTyped]);
  const remove = (words: string) => {
    count.current?.focus(); // the button may be gone with the words
    onText(withoutWords(q, words) ?? q);
  };
  useScrollRestoration(searchHref(search), body !== undefined);
  const table = useMemo(
    () =>
      body &&
      body.data.length > 0 && <SearchResults cards={body.data} isOfAllGames={game === ''} />,
    [body, game],
  );
  if (!body) return <Loading error={error} />;
  return (
    <section class="found" aria-label="Results" aria-busy={isLoading}>
      <PermanentError error={error} />
      <div class="found-head">
        <p ref={count} tabIndex={-1} role="status" class="count">
          <span>{body.total === 1 ? '1 card' : `${formatCount(body.total)} cards`}</span>
          {readings.map(({ label, words }) => (
            <span key={label} class="sr-only">{`. ${label}: ${words}`}</span>
          ))}
        </p>
        <SearchReadings readings={readings} onRemove={remove} />
      </div>
      {table}
      {body.data.length === 0 && <NoResults search={search} body={body} />}
      <Pager
        page={page}
        pages={Math.ceil(body.total / PAGE_SIZE)}
        hrefOf={(other) => searchHref({ ...search, page: other })}
        onTurn={() => count.current?.focus()}
      />
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
  const isNarrow = search.game !== '' || search.set !== '' || search.rarity !== '';
  return (
    <p>
      No card matches every word.{' '}
      {suggestion !== undefined && (
        <>
          Did you mean{' '}
          <a href={searchHref({ ...search, q: suggestion, page: 1 })}>
            <bdi>{suggestion}</bdi>
          </a>
          ?{' '}
        </>
      )}
      {isNarrow && (
        <a href={searchHref({ q: search.q, sort: search.sort })}>Search without the filters</a>
      )}
    </p>
  );
}
