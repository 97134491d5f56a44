import { PAGES } from '../../../src/dashboard/pages.ts';
import { GAMES } from '../../../src/domain/games.ts';
import { useLocalCall } from '../api/currency.ts';
import { searchTextHref, setHref, setsHref, withQuery } from '../api/links.ts';
import type { GameBody, MoversBody, PriceCounts, SetBody } from '../api/responses.ts';
import { useSession } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { Spine } from '../cards/picture.tsx';
import { MoverList } from '../movers/mover-list.tsx';
import { QuickSearch } from '../search/quick-search.tsx';
import { formatCounted, formatDay, formatMoney } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { Age, useServerClock } from '../ui/time.tsx';
import { bestKnown, LivingExample } from './living-example.tsx';

/** The home page: a search, the movers, the newest sets and the games. */
export function HomePage() {
  const { brand } = useSession();
  const { body } = useData<{ data: readonly GameBody[] }>('/dashboard/v1/games');
  const games = body?.data.filter(({ cardCount }) => cardCount > 0);
  return (
    <Page title={brand.tagline} windowTitle="" description={brand.tagline}>
      <div class="home">
        <QuickSearch label="Search cards by name, set and number" />
        <Examples games={games} />
        <p class="quiet try">
          Many cards? <a href={PAGES.list}>Price a whole list at once</a>
        </p>
        <Counts games={games} />
        <HomeMovers />
        <NewestSets />
        {games !== undefined && games.length > 0 && <Games games={games} />}
      </div>
    </Page>
  );
}

/** Searches that show possible queries, in the order of their positions. */
const EXAMPLES = GAMES.toSorted((a, b) => a.example.place - b.example.place);

/** As many examples as fit on two lines of a phone. */
const MAX_EXAMPLES = 3;

/** Suggested first searches, for the games that have cards. */
function Examples({ games = [] }: { games: readonly GameBody[] | undefined }) {
  const isOfGame = (id: string) => games.some((game) => game.id === id);
  const known = EXAMPLES.filter(({ slug }) => isOfGame(slug));
  const examples = known.slice(0, MAX_EXAMPLES).map(({ example }) => example.q);
  return (
    <p class="quiet try">
      {examples.map((q, i) => (
        <span key={q}>
          {i === 0 ? 'Try ' : i === examples.length - 1 ? ' or ' : ', '}
          <a href={searchTextHref(q)}>{q}</a>
        </span>
      ))}
    </p>
  );
}

/** The size of the catalogue. The line keeps its height while it is loading. */
function Counts({ games = [] }: { games: readonly GameBody[] | undefined }) {
  const { body } = useData<{ data: PriceCounts }>('/dashboard/price-counts');
  const sum = (count: (game: GameBody) => number, name: string) => {
    const total = games.reduce((total, game) => total + count(game), 0);
    return formatCounted(total, name);
  };
  const cards = sum(({ cardCount }) => cardCount, 'card');
  const sets = sum(({ setCount }) => setCount, 'set');
  return (
    <p class="quiet counts">
      {games.length > 0 && `${cards} in ${sets} of ${formatCounted(games.length, 'game')}`}
      {games.length > 0 && body && body.data.prices > 0 && (
        <>
          , <span>{pricesOf(body.data)}</span>
        </>
      )}
    </p>
  );
}

function pricesOf({ prices, days }: PriceCounts): string {
  return `${formatCounted(prices, 'price')} and ${formatCounted(days, 'day')} of history`;
}

function NewestSets() {
  const { body } = useData<{ data: readonly SetBody[] }>('/dashboard/newest-sets');
  if (!body || body.data.length === 0) return null;
  return (
    <section aria-labelledby="newest-sets">
      <div class="section-head">
        <h2 id="newest-sets">Newest sets</h2>
        <a href={PAGES.sets}>All sets</a>
      </div>
      <ul class="tiles">
        {body.data.map((set) => (
          <SetTile key={set.setId} set={set} />
        ))}
      </ul>
    </section>
  );
}

function SetTile({ set }: { set: SetBody }) {
  const { setId, game, code, name, cardCount, value, releaseDate } = set;
  return (
    <li class="tile labelled">
      <Spine game={game} code={code} words={code} />
      <a href={setHref(game, setId)}>
        <bdi>{name}</bdi>
      </a>
      <span class="quiet">
        {releaseDate !== null && `${formatDay(releaseDate)} · `}
        {formatCounted(cardCount, 'card')}
      </span>
      {value !== null && (
        <span class="worth">
          {formatMoney(value)} <span class="quiet">one of each</span>
        </span>
      )}
    </li>
  );
}

function Games({ games }: { games: readonly GameBody[] }) {
  return (
    <section aria-labelledby="games">
      <h2 id="games">Games</h2>
      <ul class="tiles">
        {games.map(({ id, name, setCount, cardCount }) => (
          <li key={id} class="tile">
            <a href={setsHref(id)}>{name}</a>
            <span class="quiet">
              {formatCounted(cardCount, 'card')} in {formatCounted(setCount, 'set')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const PATH = withQuery('/v1/movers', { limit: 6 });

/** The movers of the week; nothing if there are none. */
export function HomeMovers() {
  const { body } = useData<MoversBody>(useLocalCall(PATH));
  if (!body || body.data.length === 0 || body.asOf === null) return null;
  const title = `Price changes in the week to ${formatDay(body.asOf)}`;
  const example = bestKnown(body.data);
  return (
    <>
      <Freshness day={body.asOf} />
      {example && <LivingExample card={example} />}
      <section aria-labelledby="movers">
        <div class="section-head">
          <h2 id="movers">{title}</h2>
          <a href={PAGES.movers}>All movers</a>
        </div>
        <MoverList movers={body.data} label={title} />
      </section>
    </>
  );
}

/** Prices this many days old count as old. */
const OLD_DAYS = 7;

/** Shows the age of the newest prices, if they are old. */
function Freshness({ day }: { day: string }) {
  const now = useServerClock();
  if (now - Date.parse(day) <= OLD_DAYS * 86_400_000) return null;
  return (
    <p class="notice">
      The newest prices are from {formatDay(day)}, <Age iso={day} />.
    </p>
  );
}
