import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import './cards.css';
import './set-page.css';
import { useSession } from '../account/session.tsx';
import { TryIt } from '../account/try-it.tsx';
import { useData } from '../api/use-data.ts';
import { Page } from '../ui/page.tsx';
import { Loading } from '../ui/status.tsx';
import { languageOf } from './language.ts';
import { dashboardPath, setApiPath, setHref, setsHref } from './links.ts';
import type { SetDetailBody } from './responses.ts';
import { SetChecklist } from './set-checklist.tsx';
import { SetFacts, SetHighlights } from './set-facts.tsx';
import { setHead } from './set-head.ts';
import { parseSetQuery, setCardsApiPath, setQueryHref } from './set-query.ts';

/** A set: what it is worth, its most valuable cards, what moved, and all of its cards. */
export function SetPage() {
  const { game = '', id = '' } = useRoute().params;
  return <SetById key={id} game={game} id={id} />;
}

function SetById({ game, id }: { game: string; id: string }) {
  const { body, error } = useData<{ data: SetDetailBody }>(dashboardPath(setApiPath(id)));
  const { route } = useLocation();
  const set = body?.data;
  const isElsewhere = set !== undefined && set.game !== game;
  useEffect(() => {
    if (isElsewhere) route(setHref(set.game, id), true);
  }, [isElsewhere]);
  const title = set?.name ?? 'Set';
  if (error?.status === 404) return <NoSuchSet game={game} />;
  return (
    <Page title={title} lang={languageOf(title)} {...(set && setHead(set))}>
      {set ? <SetView set={set} /> : <Loading error={error} />}
    </Page>
  );
}

function NoSuchSet({ game }: { game: string }) {
  const { games } = useSession();
  const isKnown = games.some(({ id }) => id === game);
  return (
    <Page title="There is no such set" isNotFound>
      <p>
        No set has this address. It may be mistyped.{' '}
        <a href={isKnown ? setsHref(game) : '/sets'}>See all sets</a>
      </p>
    </Page>
  );
}

function SetView({ set }: { set: SetDetailBody }) {
  const { query: address } = useRoute();
  const { route } = useLocation();
  const { game, setId } = set;
  const query = parseSetQuery(address);
  return (
    <>
      <SetFacts set={set} />
      <SetHighlights set={set} />
      <SetChecklist
        set={set}
        query={query}
        onChange={(change) => route(setQueryHref(game, setId, { ...query, page: 1, ...change }))}
      />
      <TryIt path={setApiPath(setId)} also={{ cards: setCardsApiPath(setId, query) }} />
    </>
  );
}
