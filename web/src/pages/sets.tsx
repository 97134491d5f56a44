import { useRoute } from 'preact-iso';
import '../cards.css';
import { useData } from '../data.ts';
import { formatCount } from '../format.ts';
import type { Game } from '../parts/card-bodies.ts';
import { own, setsAddress } from '../parts/card-paths.ts';
import { SetsOfGame } from '../parts/card-sets.tsx';
import { Page } from '../parts/page.tsx';
import { TryIt } from '../parts/try-it.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { useSession } from '../session.tsx';

/** The sets of a game, or the games. */
export function SetsPage() {
  const { game } = useRoute().params;
  const { games } = useSession();
  const found = games.find(({ id }) => id === game);
  if (found) return <GamePage key={found.id} id={found.id} name={found.name} />;
  return (
    <Page title="Sets">
      {game !== undefined && <p class="notice">There is no such game. These are the games:</p>}
      <Games />
    </Page>
  );
}

function GamePage({ id, name }: { id: string; name: string }) {
  const { games } = useSession();
  return (
    <Page title={`Sets of ${name}`}>
      <nav class="choices" aria-label="Games">
        <ul>
          {games.map((game) => (
            <li key={game.id}>
              <a href={setsAddress(game.id)} aria-current={game.id === id ? 'true' : undefined}>
                {game.name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <SetsOfGame game={id} />
    </Page>
  );
}

function Games() {
  const call = '/v1/games';
  const { body, error } = useData<{ data: Game[] }>(own(call));
  if (!body) return <Waiting error={error} />;
  return (
    <>
      <ul class="games">
        {body.data.map(({ id, name, setCount, cardCount }) => (
          <li key={id}>
            <a href={setsAddress(id)}>{name}</a>
            <span class="quiet">
              {formatCount(setCount)} sets, {formatCount(cardCount)} cards
            </span>
          </li>
        ))}
      </ul>
      <TryIt path={call} />
    </>
  );
}
