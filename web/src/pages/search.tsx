import { useMemo, useRef } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import '../cards.css';
import { useData } from '../data.ts';
import { formatCount } from '../format.ts';
import type { Filters as Choices, SearchPageBody } from '../parts/card-bodies.ts';
import { Pager } from '../parts/card-pager.tsx';
import { own, setsAddress } from '../parts/card-paths.ts';
import { useKeptPlace } from '../parts/card-place.ts';
import { Refusal } from '../parts/card-refusal.tsx';
import { Results } from '../parts/card-results.tsx';
import { Filters } from '../parts/filters.tsx';
import {
  PAGE_SIZE,
  readSearch,
  type Search,
  searchAddress,
  searchCall,
} from '../parts/filters-address.ts';
import { Page } from '../parts/page.tsx';
import { Suggest } from '../parts/suggest.tsx';
import { useTypedText } from '../parts/suggest-text.ts';
import { TryIt } from '../parts/try-it.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { withQuery } from '../query.ts';
import { useSession } from '../session.tsx';

/** Cards by what is typed, painted with every key. */
export function SearchPage() {
  const { route } = useLocation();
  const { query } = useRoute();
  const { games } = useSession();
  const said = readSearch(
    query,
    games.map(({ id }) => id),
  );
  const typed = useTypedText(said.q, (q) => route(searchAddress({ ...said, q, page: 1 }), true));
  const search = typed.text === said.q ? said : { ...said, q: typed.text, page: 1 };
  const choices = useChoices(search.game);
  // The code of a chosen set comes with the choices.
  const isWaiting = search.q.trim() === '' && search.set !== '' && choices.isLoading;
  const call = isWaiting ? null : searchCall(search, choices.body?.sets ?? []);
  const go = (change: Partial<Search>) => route(searchAddress({ ...search, page: 1, ...change }));
  return (
    <Page title="Cards" isTitleHidden>
      <search class="search">
        <Suggest
          text={typed.text}
          game={search.game}
          onText={typed.type}
          onChoose={(q) => go({ q })}
          onDone={typed.settle}
        />
        <Filters search={search} choices={choices.body} onChange={go} />
      </search>
      <Refusal error={choices.error} />
      {call === null ? (
        <Start search={search} isWaiting={isWaiting} />
      ) : (
        <Found search={search} call={call} />
      )}
    </Page>
  );
}

/** What a search of a game can be narrowed down to. */
function useChoices(game: string) {
  const path = game === '' ? null : withQuery('/dashboard/filters', { game });
  const { body, path: answered, ...rest } = useData<{ data: Choices }>(path);
  return { ...rest, body: answered === path ? body?.data : undefined };
}

/** What stands where results will be. */
function Start({ search: { game }, isWaiting }: { search: Search; isWaiting: boolean }) {
  const { games } = useSession();
  if (isWaiting) return <Waiting />;
  if (game !== '') {
    return (
      <p>
        Type a name, or choose a set. <a href={setsAddress(game)}>See all sets of this game</a>
      </p>
    );
  }
  return (
    <section>
      <p>Type the name of a card to see what it is worth, or look through the sets of a game:</p>
      <ul class="games">
        {games.map(({ id, name }) => (
          <li key={id}>
            <a href={setsAddress(id)}>{name}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A page of results, which stays until the next one is there. */
function Found({ search, call }: { search: Search; call: string }) {
  const { body, error, isLoading } = useData<SearchPageBody>(own(call));
  const count = useRef<HTMLParagraphElement>(null);
  const { game, page } = search;
  useKeptPlace(searchAddress(search), body !== undefined);
  const table = useMemo(
    () => body && body.data.length > 0 && <Results cards={body.data} isOfAllGames={game === ''} />,
    [body, game],
  );
  if (!body) return <Waiting error={error} />;
  return (
    <section class="found" aria-label="Results" aria-busy={isLoading}>
      <Refusal error={error} />
      <p ref={count} tabIndex={-1} role="status" class="count">
        {body.total === 1 ? '1 card' : `${formatCount(body.total)} cards`}
      </p>
      {table}
      {body.data.length === 0 && <Nothing search={search} body={body} />}
      <Pager
        page={page}
        pages={Math.ceil(body.total / PAGE_SIZE)}
        addressOf={(other) => searchAddress({ ...search, page: other })}
        onTurn={() => count.current?.focus()}
      />
      <TryIt path={call} />
    </section>
  );
}

/** Why there is no card, and what to do about it. */
function Nothing({ search, body }: { search: Search; body: SearchPageBody }) {
  const { suggestion, total } = body;
  if (total > 0) {
    return (
      <p>
        There are not so many pages.{' '}
        <a href={searchAddress({ ...search, page: 1 })}>To the first</a>
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
          <a href={searchAddress({ ...search, q: suggestion, page: 1 })}>
            <bdi>{suggestion}</bdi>
          </a>
          ?{' '}
        </>
      )}
      {isNarrow && (
        <a href={searchAddress({ q: search.q, sort: search.sort })}>Search without the filters</a>
      )}
    </p>
  );
}
