import '../cards/cards.css';
import { useRef } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { dashboardPath, raritiesApiPath, setHref, setsHref } from '../api/links.ts';
import type { RarityBody } from '../api/responses.ts';
import { useSession } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { PriceField, rarityOptions, ViewSwitch } from '../cards/toolbar.tsx';
import { useView, type View } from '../cards/views.ts';
import { Filters, SelectField } from '../ui/controls.tsx';
import { useTypedQuery } from '../ui/hooks.ts';
import { Page } from '../ui/page.tsx';
import { SearchBox } from './search-box.tsx';
import {
  countFilters,
  invalidFilters,
  parseSearchQuery,
  type SearchQuery,
  SORT_LABELS,
  searchApiPath,
  searchHref,
} from './search-query.ts';
import { SearchResults } from './search-results.tsx';
import { SetField } from './set-field.tsx';

/** Searches cards with every keystroke. */
export function SearchPage() {
  const { route } = useLocation();
  const { typed, query: search } = useTypedQuery(useAddressedSearch(), searchHref);
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
      <InvalidFilters />
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

/** Lists the invalid filters of the address, which are ignored. */
function InvalidFilters() {
  const { query } = useRoute();
  const filters = invalidFilters(query, useGameIds());
  if (filters.length === 0) return null;
  return (
    <p class="notice">
      Ignored invalid filters:{' '}
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

/** Replaces the results while there is nothing to search for. */
function EmptySearch({ search: { game, set } }: { search: SearchQuery }) {
  const { games } = useSession();
  if (game !== '') {
    return (
      <p>
        Type a name,{' '}
        {set !== '' && (
          <>
            see <a href={setHref(game, set)}>all cards in this set</a>,{' '}
          </>
        )}
        or browse <a href={setsHref(game)}>all sets of this game</a>.
      </p>
    );
  }
  return (
    <section>
      <p>Type the name of a card to see its price, or browse the sets of a game:</p>
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

interface SearchFiltersProps {
  readonly search: SearchQuery;
  readonly view: View;
  onView(view: View): void;
  onChange(change: Partial<SearchQuery>): void;
}

/**
 * The filters of a search, the order of its results and how they are shown. On a phone a button
 * opens the filters.
 */
export function SearchFilters({ search, view, onView, onChange }: SearchFiltersProps) {
  return (
    <div class="toolbar">
      <Filters count={countFilters(search)}>
        <FilterFields search={search} onChange={onChange} />
      </Filters>
      <SelectField
        label="Sort by"
        value={search.sort}
        options={Object.entries(SORT_LABELS)}
        onChange={(selected) => onChange({ sort: selected as SearchQuery['sort'] })}
      />
      <ViewSwitch view={view} onChange={onView} />
    </div>
  );
}

function FilterFields({ search, onChange }: Pick<SearchFiltersProps, 'search' | 'onChange'>) {
  const { games } = useSession();
  const { game, set, rarity, prices } = search;
  const rarities = useRarities(game);
  return (
    <>
      <SelectField
        label="Game"
        value={game}
        options={[['', 'All games'], ...games.map(({ id, name }) => [id, name] as const)]}
        onChange={(selected) => onChange({ game: selected, set: '', rarity: '' })}
      />
      {(game || set) && (
        <SetField value={set} game={game} onChange={(selected) => onChange({ set: selected })} />
      )}
      {(game || rarity) && (
        <SelectField
          label="Rarity"
          value={rarity}
          options={rarityOptions(rarity, rarities)}
          onChange={(selected) => onChange({ rarity: selected })}
        />
      )}
      <PriceField prices={prices} onChange={(changed) => onChange({ prices: changed })} />
    </>
  );
}

/** The rarities of a game, as far as they are loaded. */
function useRarities(game: string): readonly RarityBody[] {
  const wanted = game === '' ? null : dashboardPath(raritiesApiPath(game));
  const { body, path } = useData<{ data: RarityBody[] }>(wanted);
  return (path === wanted ? body?.data : undefined) ?? [];
}
