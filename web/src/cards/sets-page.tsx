import { useRoute } from 'preact-iso';
import './cards.css';
import './set-page.css';
import { useSession } from '../account/session.tsx';
import { TryIt } from '../account/try-it.tsx';
import { useData } from '../api/use-data.ts';
import { formatCount } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { Loading } from '../ui/status.tsx';
import { GameNav } from './game-nav.tsx';
import { dashboardPath, setsHref } from './links.ts';
import type { GameBody, SetBody } from './responses.ts';
import { SetList } from './set-list.tsx';
import { SetRows } from './set-rows.tsx';

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
      description="The newest sets and all games, with what one of each card costs."
    >
      <Games />
      <NewestSets />
      <TryIt path={GAMES_PATH} also={{ sets: '/v1/sets' }} />
    </Page>
  );
}

function NoSuchGame() {
  return (
    <Page title="There is no such game" isNotFound>
      <p>No game has this address. It may be mistyped. These are the games:</p>
      <Games />
    </Page>
  );
}

function GamePage({ id, name }: { id: string; name: string }) {
  return (
    <Page title={`Sets of ${name}`} description={`All sets of ${name} by year, with their values.`}>
      <GameNav current={id} hrefOf={setsHref} />
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

/** The newest sets of all games, with what one of each of their cards costs. */
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
