import '../cards/cards.css';
import { useRef } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { useLocalCall } from '../api/currency.ts';
import { setsHref } from '../api/links.ts';
import type { LeftOutBody, MoversBody } from '../api/responses.ts';
import { useSession } from '../api/session.ts';
import { usePages } from '../cards/batches.ts';
import { LoadMore } from '../cards/card-pages.tsx';
import { pageAt } from '../cards/filters.ts';
import { areAllOld, GameNav, OldPrices } from '../cards/parts.tsx';
import { Segmented } from '../ui/controls.tsx';
import { formatCount, formatCounted, formatDay } from '../ui/format.ts';
import { useScrollRestoration } from '../ui/hooks.ts';
import { NotFoundPage, Page } from '../ui/page.tsx';
import { Disclosure } from '../ui/parts.tsx';
import { Loading, PermanentError } from '../ui/status.tsx';
import { TryIt } from '../ui/try-it.tsx';
import { MovedSets } from './moved-sets.tsx';
import { MoverList } from './mover-list.tsx';
import {
  DIRECTION_LABELS,
  type MoversQuery,
  moversApiPath,
  moversHref,
  parseMoversQuery,
  SORT_LABELS,
  WINDOW_LABELS,
} from './movers-query.ts';

/** The cards whose prices have changed most, in all games, the game in the address, or a set. */
export function MoversPage() {
  const { params, query: address } = useRoute();
  const { games } = useSession();
  const { route } = useLocation();
  const { game = '' } = params;
  const found = games.find(({ id }) => id === game);
  if (game !== '' && !found) return <NotFoundPage />;
  const query = parseMoversQuery(game, address);
  const title = found ? `Movers of ${found.name}` : 'Movers';
  return (
    <Page title={title} description="The cards with the largest changes in market price.">
      <GameNav
        current={game}
        hrefOf={(other) => moversHref({ ...query, game: other, set: '', page: 1 })}
        isForAll
      />
      <MoversToolbar
        query={query}
        onChange={(change) => route(moversHref({ ...query, page: 1, ...change }))}
      />
      {query.set === '' && <MovedSets query={query} />}
      <Movers query={query} />
    </Page>
  );
}

interface ToolbarProps {
  readonly query: MoversQuery;
  onChange(change: Partial<MoversQuery>): void;
}

function MoversToolbar({ query, onChange }: ToolbarProps) {
  return (
    <div class="toolbar">
      <Segmented
        label="Within"
        segments={segmentsOf(WINDOW_LABELS)}
        value={query.window}
        onChange={(window) => onChange({ window })}
      />
      <Segmented
        label="Direction"
        segments={segmentsOf(DIRECTION_LABELS)}
        value={query.direction}
        onChange={(direction) => onChange({ direction })}
      />
      <Segmented
        label="Order by"
        segments={segmentsOf(SORT_LABELS)}
        value={query.sort}
        onChange={(sort) => onChange({ sort })}
      />
    </div>
  );
}

function segmentsOf<Name extends string>(labels: Readonly<Record<Name, string>>) {
  return Object.entries<string>(labels).map(([value, label]) => ({ value: value as Name, label }));
}

function Movers({ query }: { query: MoversQuery }) {
  const apiPath = moversApiPath(query);
  const pages = usePages<MoversBody>(useLocalCall(apiPath));
  const list = useRef<HTMLDivElement>(null);
  const [first] = pages.batches;
  useScrollRestoration(moversHref(query), pages.isCurrent);
  if (!first) return <Loading error={pages.error} />;
  const movers = pages.batches.flatMap(({ data }) => data);
  return (
    <section class="found" aria-labelledby="moved-cards" aria-busy={pages.isLoading}>
      <h2 id="moved-cards">Cards that moved</h2>
      <PermanentError error={pages.error} />
      <p role="status" class="count">
        {formatCounted(first.total, 'printing')}
        {first.asOf !== null && <span class="quiet"> as of {formatDay(first.asOf)}</span>}
      </p>
      {areAllOld(movers) && <OldPrices />}
      {movers.length === 0 && <NoMovers game={query.game} />}
      <div ref={list}>
        <MoverList movers={movers} label="Cards with price changes" />
        <LoadMore
          pages={pages}
          list={list}
          shown={movers.length}
          offset={first.offset}
          total={first.total}
          hrefOf={(offset) => moversHref({ ...query, page: pageAt(offset) })}
        />
      </div>
      <LeftOut movers={first.leftOut} />
      <TryIt path={apiPath} />
    </section>
  );
}

function NoMovers({ game }: { game: string }) {
  return (
    <p class="no-label">
      <span>
        No price changes match these filters.{' '}
        {game !== '' && <a href={setsHref(game)}>See the sets of the game</a>}
      </span>
    </p>
  );
}

/** The changes that are not trusted, folded, with the reason for each. */
export function LeftOut({ movers }: { movers: readonly LeftOutBody[] }) {
  if (movers.length === 0) return null;
  const reasons = Map.groupBy(movers, ({ detail }) => detail);
  return (
    <Disclosure
      summary={`${formatCount(movers.length)} left out, with reasons`}
      render={() =>
        [...reasons].map(([detail, left]) => (
          <section key={detail}>
            <h2>{detail}</h2>
            <MoverList movers={left} label={detail} />
          </section>
        ))
      }
    />
  );
}
