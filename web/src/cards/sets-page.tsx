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
import type { GameBody } from './responses.ts';
import { SetList } from './set-list.tsx';

/** The sets of the game in the address, or all games. */
export function SetsPage() {
  const { game } = useRoute().params;
  const { games } = useSession();
  const found = games.find(({ id }) => id === game);
  if (found) return <GamePage key={found.id} id={found.id} name={found.name} />;
  return (
    <Page title="Sets" isNotFound={game !== undefined}>
      {game !== undefined && <p class="notice">There is no such game. These are the games:</p>}
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

function Games() {
  const apiPath = '/v1/games';
  const { body, error } = useData<{ data: GameBody[] }>(dashboardPath(apiPath));
  if (!body) return <Loading error={error} />;
  return (
    <>
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
      <TryIt path={apiPath} />
    </>
  );
}
