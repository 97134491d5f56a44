import { useSession } from '../account/session.tsx';
import './game-nav.css';

interface Props {
  /** The slug of the game that the page is about; empty for all games. */
  readonly current: string;
  /** Returns the link to the page about a game. */
  hrefOf(game: string): string;
  /** Whether there is a page about all games. */
  readonly isForAll?: boolean;
}

/** Links to the same page about other games. On a phone they are one line, which scrolls. */
export function GameNav({ current, hrefOf, isForAll = false }: Props) {
  const { games } = useSession();
  const choices = isForAll ? [{ id: '', name: 'All games' }, ...games] : games;
  return (
    <nav class="game-nav" aria-label="Games">
      <ul>
        {choices.map(({ id, name }) => (
          <li key={id}>
            <a href={hrefOf(id)} aria-current={id === current ? 'true' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
