import '../cards/cards.css';
import { useId, useMemo, useRef } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { dashboardPath, gameIndexApiPath, setHref, setsHref } from '../api/links.ts';
import type { GameBody, PageBody, SetBody } from '../api/responses.ts';
import { useSession } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { type Pages, usePages } from '../cards/batches.ts';
import { LoadMore } from '../cards/card-pages.tsx';
import { pageAt } from '../cards/filters.ts';
import { CardName, GameNav } from '../cards/parts.tsx';
import { Spine } from '../cards/picture.tsx';
import { SelectField } from '../ui/controls.tsx';
import { formatCount, formatCounted, formatDay, formatMoney } from '../ui/format.ts';
import { useScrollRestoration, useTypedQuery } from '../ui/hooks.ts';
import { Page } from '../ui/page.tsx';
import { Loading, PermanentError } from '../ui/status.tsx';
import { TryIt } from '../ui/try-it.tsx';
import { PriceIndex } from './price-index.tsx';
import {
  formatPricedCount,
  groupSets,
  parseSetOrder,
  parseSetsQuery,
  SET_ORDERS,
  type SetGroup,
  type SetsQuery,
  setsApiPath,
  setsQueryHref,
} from './queries.ts';

/** The sets of the game in the address, or all games. */
export function SetsPage() {
  const { game } = useRoute().params;
  const { games } = useSession();
  const found = games.find(({ id }) => id === game);
  if (found) return <GamePage key={found.id} id={found.id} name={found.name} />;
  if (game !== undefined) return <NoSuchGame />;
  return (
    <Page
      title="Sets"
      description="The newest sets and all games, with the price of one of each card."
    >
      <Games />
      <NewestSets />
      <TryIt path={GAMES_PATH} also={{ sets: '/v1/sets' }} />
    </Page>
  );
}

function NoSuchGame() {
  return (
    <Page title="Game not found" isNotFound>
      <p>There is no game at this address. It may be mistyped. Choose a game:</p>
      <Games />
    </Page>
  );
}

function GamePage({ id, name }: { id: string; name: string }) {
  return (
    <Page
      title={`Sets of ${name}`}
      description={`All ${name} sets by year, with the value of each.`}
    >
      <GameNav current={id} hrefOf={setsHref} />
      <PriceIndex apiPath={gameIndexApiPath(id)} />
      <SetList game={id} />
    </Page>
  );
}

const GAMES_PATH = '/v1/games';

function Games() {
  const { body, error } = useData<{ data: GameBody[] }>(dashboardPath(GAMES_PATH));
  if (!body) return <Loading error={error} />;
  return (
    <ul class="games">
      {body.data.map(({ id, name, setCount, cardCount }) => (
        <li key={id}>
          <a href={setsHref(id)}>{name}</a>
          <span class="quiet">
            {formatCount(setCount)} sets, {formatCount(cardCount)} cards
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The newest sets of all games. */
function NewestSets() {
  const { body } = useData<{ data: SetBody[] }>('/dashboard/newest-sets');
  if (!body || body.data.length === 0) return null;
  return (
    <section aria-labelledby="newest-sets">
      <h2 id="newest-sets">Newest sets</h2>
      <SetRows sets={body.data} label="Newest sets" />
    </section>
  );
}

/** The sets of a game by year, with a box that filters them. */
export function SetList({ game }: { game: string }) {
  const { route } = useLocation();
  const { typed, query } = useTypedQuery(parseSetsQuery(useRoute().query), (changed) =>
    setsQueryHref(game, changed),
  );
  const apiPath = setsApiPath(game, query);
  const pages = usePages<PageBody<SetBody>>(dashboardPath(apiPath));
  useScrollRestoration(setsQueryHref(game, query), pages.isCurrent);
  return (
    <>
      <div class="toolbar">
        <FilterBox text={typed.text} onText={typed.type} onLeave={typed.flush} />
        <SelectField
          label="Sort by"
          value={query.sort}
          options={Object.entries(SET_ORDERS)}
          onChange={(selected) => {
            route(setsQueryHref(game, { ...query, sort: parseSetOrder(selected), page: 1 }));
          }}
        />
      </div>
      <FoundSets game={game} query={query} pages={pages} />
      <TryIt path={apiPath} />
    </>
  );
}

interface FilterBoxProps {
  readonly text: string;
  onText(text: string): void;
  onLeave(): void;
}

function FilterBox({ text, onText, onLeave }: FilterBoxProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Name or code</label>
      <input
        id={id}
        type="search"
        autocomplete="off"
        maxLength={200}
        dir="auto"
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        onBlur={onLeave}
      />
    </div>
  );
}

interface FoundSetsProps {
  readonly game: string;
  readonly query: SetsQuery;
  readonly pages: Pages<PageBody<SetBody>>;
}

function FoundSets({ game, query, pages }: FoundSetsProps) {
  const { batches, error, isLoading } = pages;
  const list = useRef<HTMLDivElement>(null);
  const sets = useMemo(() => batches.flatMap(({ data }) => data), batches);
  const [first] = batches;
  if (!first) return <Loading error={error} />;
  const { total, offset } = first;
  return (
    <div ref={list} aria-busy={isLoading}>
      <PermanentError error={error} />
      <p role="status" class="count">
        {formatCounted(total, 'set')}
      </p>
      <SetGroups
        groups={groupSets(sets, query.sort)}
        goesBack={offset > 0}
        goesOn={offset + sets.length < total}
      />
      <LoadMore
        pages={pages}
        list={list}
        shown={sets.length}
        offset={offset}
        total={total}
        hrefOf={(from) => setsQueryHref(game, { ...query, page: pageAt(from) })}
      />
    </div>
  );
}

interface GroupsProps {
  readonly groups: readonly SetGroup[];
  /** Whether the list has sets before these, and after these. */
  readonly goesBack: boolean;
  readonly goesOn: boolean;
}

/** Sets by year. A year has a summary if all of its sets are loaded. */
function SetGroups({ groups, goesBack, goesOn }: GroupsProps) {
  return groups.map(({ title, sets }, index) => {
    const isCut = (goesBack && index === 0) || (goesOn && index === groups.length - 1);
    return (
      <section key={title} class="year">
        {title !== '' && (
          <h2>
            {title} {!isCut && <span class="quiet">{summarize(sets)}</span>}
          </h2>
        )}
        <SetRows sets={sets} label={title === '' ? 'Sets' : `Sets of ${title}`} />
      </section>
    );
  });
}

/** Formats the sets of a year and the price of one of each card: `12 sets, $4,310.25`. */
function summarize(sets: readonly SetBody[]): string {
  const count = formatCounted(sets.length, 'set');
  const value = sets.reduce((sum, set) => sum + (set.value ?? 0), 0);
  return value > 0 ? `${count}, ${formatMoney(value)}` : count;
}

interface SetRowsProps {
  readonly sets: readonly SetBody[];
  /** The name of the list, for screen readers. */
  readonly label: string;
}

/** Sets as rows. Each row is one link. */
export function SetRows({ sets, label }: SetRowsProps) {
  return (
    <ul class="set-list" aria-label={label}>
      {sets.map((set) => (
        <li key={set.setId}>
          <SetLink set={set} />
        </li>
      ))}
    </ul>
  );
}

function SetLink({ set }: { set: SetBody }) {
  const { setId, game, code, name, releaseDate, cardCount, pricedCount, value } = set;
  return (
    <a href={setHref(game, setId)}>
      <Spine game={game} code={code} words={code} />
      {/* The spine is a drawing. */}
      <span class="sr-only">{code} </span>
      <span class="name">
        <CardName name={name} />
      </span>
      <span class="set-facts">
        {releaseDate !== null && <span class="date">{formatDay(releaseDate)}</span>}
        <span class="cards">{formatCounted(cardCount, 'card')}</span>
        {pricedCount < cardCount && <span class="priced">{formatPricedCount(set)} priced</span>}
      </span>
      <span class="set-value">
        {value === null ? (
          <span class="quiet">{pricedCount === 0 ? 'no price' : 'no reliable price'}</span>
        ) : (
          formatMoney(value)
        )}
      </span>
    </a>
  );
}
