import { useRef } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import './cards.css';
import './search-page.css';
import { useSession } from '../account/session.tsx';
import { Page } from '../ui/page.tsx';
import { setHref, setsHref } from './links.ts';
import { useView } from './results/views.ts';
import { SearchBox } from './search-box.tsx';
import { SearchFilters } from './search-filters.tsx';
import {
  meaninglessFilters,
  parseSearchQuery,
  type SearchQuery,
  searchApiPath,
  searchHref,
} from './search-query.ts';
import { SearchResults } from './search-results.tsx';
import { useTypedText } from './use-typed-text.ts';

/** Searches cards with every keystroke. */
export function SearchPage() {
  const { route } = useLocation();
  const addressed = useAddressedSearch();
  const typed = useTypedText(addressed.q, (q) => {
    route(searchHref({ ...addressed, q, page: 1 }), true);
  });
  const hasTyped = typed.text !== addressed.q;
  const search = hasTyped ? { ...addressed, q: typed.text, page: 1 } : addressed;
  const apiPath = searchApiPath(search);
  const navigate = (change: Partial<SearchQuery>) => {
    route(searchHref({ ...search, page: 1, ...change }));
  };
  const [view, setView] = useView();
  const box = useRef<HTMLInputElement>(null);
  const replaceText = (q: string) => {
    navigate({ q });
    if (q === '') box.current?.focus();
  };
  return (
    <Page title={search.q === '' ? 'Search' : `Search for ${search.q}`} isTitleHidden>
      <search class="search">
        <SearchBox
          input={box}
          text={typed.text}
          game={search.game}
          onText={typed.type}
          onSelect={(q) => navigate({ q })}
          onCommit={typed.flush}
        />
        <SearchFilters search={search} view={view} onView={setView} onChange={navigate} />
      </search>
      <MeaninglessFilters />
      {apiPath === null ? (
        <EmptySearch search={search} />
      ) : (
        <SearchResults search={search} apiPath={apiPath} view={view} onText={replaceText} />
      )}
    </Page>
  );
}

function useAddressedSearch(): SearchQuery {
  const { query } = useRoute();
  return parseSearchQuery(query, useGameIds());
}

function useGameIds(): string[] {
  return useSession().games.map(({ id }) => id);
}

/** Tells which filters of the address are left out, as nobody can know what they mean. */
function MeaninglessFilters() {
  const { query } = useRoute();
  const filters = meaninglessFilters(query, useGameIds());
  if (filters.length === 0) return null;
  return (
    <p class="notice">
      Left out, because it means nothing:{' '}
      {filters.map(([name, text], i) => (
        <span key={name}>
          {i > 0 && ', '}
          {name} <bdi>“{text}”</bdi>
        </span>
      ))}
      .
    </p>
  );
}

/** Stands in for the results while there is nothing to search for. */
function EmptySearch({ search: { game, set } }: { search: SearchQuery }) {
  const { games } = useSession();
  if (game !== '') {
    return (
      <p>
        Type a name,{' '}
        {set !== '' && (
          <>
            see <a href={setHref(game, set)}>all cards of this set</a>,{' '}
          </>
        )}
        or choose one of <a href={setsHref(game)}>all sets of this game</a>.
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
