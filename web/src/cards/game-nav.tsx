import { useLayoutEffect, useRef } from 'preact/hooks';
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

/** The pixels of the line before the current game that stay in sight, to show that there is more. */
const EARLIER = 60;

/** Links to the same page about other games. On a phone they are one line, which scrolls. */
export function GameNav({ current, hrefOf, isForAll = false }: Props) {
  const { games } = useSession();
  const choices = isForAll ? [{ id: '', name: 'All games' }, ...games] : games;
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const link = list.current?.querySelector<HTMLElement>('[aria-current]');
    list.current?.scrollTo({ left: (link?.offsetLeft ?? 0) - EARLIER });
  }, [current]);
  return (
    <nav class="game-nav" aria-label="Games">
      <ul ref={list}>
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
