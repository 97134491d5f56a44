import { useSession } from '../session.tsx';
import type { Summary } from './card-bodies.ts';
import { Money } from './card-money.tsx';
import { cardAddress } from './card-paths.ts';

interface Props {
  readonly cards: readonly Summary[];
  /** Whether they may be of several games. */
  readonly isOfAllGames: boolean;
}

/** Cards that were found: a table, whose rows are small cards on a phone. */
export function Results({ cards, isOfAllGames }: Props) {
  const { games } = useSession();
  const nameOf = (game: string) => games.find(({ id }) => id === game)?.name ?? game;
  return (
    <table class="results cards">
      <caption class="unseen">Cards that were found</caption>
      <thead>
        <tr>
          <th scope="col">Card</th>
          <th scope="col">Set</th>
          <th scope="col">Rarity</th>
          <th scope="col" class="number">
            Market
          </th>
          <th scope="col" class="number">
            Near mint
          </th>
        </tr>
      </thead>
      <tbody>
        {cards.map((card) => (
          <Result key={card.id} card={card} game={isOfAllGames ? nameOf(card.game) : ''} />
        ))}
      </tbody>
    </table>
  );
}

/** `game` is empty where the reader knows it. */
function Result({ card, game }: { card: Summary; game: string }) {
  const { id, name, set, rarity, prices } = card;
  const nearMint = prices.conditions.near_mint;
  return (
    <tr>
      <th scope="row">
        <a class="short" href={cardAddress(id)}>
          <bdi>{name}</bdi>
        </a>
      </th>
      <td>
        <bdi class="short">{set}</bdi>
        {game && <span class="quiet game">{game}</span>}
      </td>
      <td>{rarity && <bdi class="short">{rarity}</bdi>}</td>
      <td class="number">
        <Money amount={prices.market} />
      </td>
      <td class={nearMint === null ? 'number absent' : 'number'} data-label="Near mint">
        <Money amount={nearMint} />
      </td>
    </tr>
  );
}
