import { useSession } from '../account/session.tsx';
import { formatCount } from '../ui/format.ts';
import { Money } from '../ui/money.tsx';
import { CardPicture } from './card-picture.tsx';
import { cardHref } from './links.ts';
import type { CardSummaryBody } from './responses.ts';
import { SetSymbol } from './set-symbol.tsx';

interface ResultsProps {
  readonly cards: readonly CardSummaryBody[];
  /** Whether the cards may be of several games. */
  readonly isOfAllGames: boolean;
}

/** The found cards as a table, whose rows become blocks on a phone. */
export function SearchResults({ cards, isOfAllGames }: ResultsProps) {
  const { games } = useSession();
  const nameOf = (game: string) => games.find(({ id }) => id === game)?.name ?? game;
  return (
    <table class="results cards">
      <caption class="sr-only">Cards that were found</caption>
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
          <ResultRow key={card.id} card={card} game={isOfAllGames ? nameOf(card.game) : ''} />
        ))}
      </tbody>
    </table>
  );
}

/** `game` is the name of the game to show, or empty. */
function ResultRow({ card, game }: { card: CardSummaryBody; game: string }) {
  const { id, name, set, setCode, rarity, printing, prices } = card;
  const nearMint = prices.conditions.near_mint;
  return (
    <tr>
      <th scope="row">
        <div class="pictured">
          <CardPicture card={card} size="thumb" />
          <div>
            <a class="short" href={cardHref(id)}>
              <bdi>{name}</bdi>
            </a>
            {printing && <bdi class="quiet under">{printing}</bdi>}
          </div>
        </div>
      </th>
      <td>
        <SetSymbol game={card.game} code={setCode} /> <bdi class="short">{set}</bdi>
        {game && <span class="quiet under">{game}</span>}
      </td>
      <td>{rarity && <bdi class="short">{rarity}</bdi>}</td>
      <td class="number">
        <Money amount={prices.market} />
        {prices.stale && <span class="quiet mark">old</span>}
      </td>
      <td class={nearMint === null ? 'number absent' : 'number'} data-label="Near mint">
        <Money amount={nearMint} />
      </td>
    </tr>
  );
}

interface PagerProps {
  /** The page that is shown, from 1 on. */
  readonly page: number;
  readonly pages: number;
  hrefOf(page: number): string;
  /** Called when the reader follows a link. */
  onTurn(): void;
}

/** Links to the previous and the next page of results. */
export function Pager({ page, pages, hrefOf, onTurn }: PagerProps) {
  if (pages < 2) return null;
  return (
    <nav class="row pager" aria-label="Pages of results">
      {page > 1 && (
        <a class="button" rel="prev" href={hrefOf(page - 1)} onClick={onTurn}>
          Previous
        </a>
      )}
      <span>
        Page {formatCount(page)} of {formatCount(pages)}
      </span>
      {page < pages && (
        <a class="button" rel="next" href={hrefOf(page + 1)} onClick={onTurn}>
          Next
        </a>
      )}
    </nav>
  );
}
