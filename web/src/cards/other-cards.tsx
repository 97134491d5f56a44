import { useState } from 'preact/hooks';
import { useSession } from '../account/session.tsx';
import { Money } from '../ui/money.tsx';
import { CardName } from './card-name.tsx';
import { CardPicture } from './card-picture.tsx';
import { Change } from './change.tsx';
import { cardHref } from './links.ts';
import type { CardSummaryBody } from './responses.ts';

interface Props {
  readonly cards: readonly CardSummaryBody[];
  /** The game of the card whose page it is. */
  readonly game: string;
}

/** The most cards that are listed before the reader asks for all. */
const FIRST = 6;

/** The other cards of the same name, in all sets and languages, with prices. */
export function OtherCards({ cards, game }: Props) {
  const [isWhole, setWhole] = useState(false);
  if (cards.length === 0) return null;
  const shown = isWhole ? cards : cards.slice(0, FIRST);
  return (
    <section aria-labelledby="others" class="panel">
      <h2 id="others">Cards of this name, in all sets and languages</h2>
      <ul class="others">
        {shown.map((card) => (
          <li key={card.id}>
            <OtherCard card={card} isOtherGame={card.game !== game} />
          </li>
        ))}
      </ul>
      {shown.length < cards.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {cards.length}
        </button>
      )}
    </section>
  );
}

function OtherCard({ card, isOtherGame }: { card: CardSummaryBody; isOtherGame: boolean }) {
  const { games } = useSession();
  const { id, name, game, set, setCode, number, printing, prices } = card;
  const change = prices.changes?.['7d'];
  return (
    <a href={cardHref(id)}>
      <CardPicture card={card} size="thumb" />
      <span class="other">
        <CardName name={set} /> <bdi class="quiet">{number ?? setCode}</bdi>
        <span class="quiet under">
          <CardName name={name} />
          {printing !== null && (
            <>
              {' · '}
              <bdi>{printing}</bdi>
            </>
          )}
          {isOtherGame && ` · ${games.find((known) => known.id === game)?.name ?? game}`}
        </span>
      </span>
      <span class="amount">
        <Money amount={prices.market} />
        {change && <Change change={change} />}
      </span>
    </a>
  );
}
