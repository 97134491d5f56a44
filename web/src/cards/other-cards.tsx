import { useSession } from '../account/session.tsx';
import { CardName } from './card-name.tsx';
import { CardPicture } from './card-picture.tsx';
import { Change } from './change.tsx';
import { cardHref } from './links.ts';
import type { CardSummaryBody, RelatedBody } from './responses.ts';
import { areAllOld, ListedPrice, OldPrices } from './results/old-prices.tsx';
import { RowActions } from './results/row-actions.tsx';

interface Props {
  readonly related: RelatedBody;
  /** The game of the card whose page it is. */
  readonly game: string;
  /** Asks for the cards that are not listed. */
  onShowAll(): void;
}

/** The most that can be listed, where more bear the name. */
export const MAX_OTHERS = 50;

/** The other cards of the same name, in all sets and languages, with prices. */
export function OtherCards({ related: { others, otherCount }, game, onShowAll }: Props) {
  if (others.length === 0) return null;
  const all = Math.min(otherCount, MAX_OTHERS);
  const isOld = areAllOld(others);
  return (
    <section aria-labelledby="others" class="panel">
      <h2 id="others">Cards of this name, in all sets and languages</h2>
      {isOld && <OldPrices />}
      <ul class="others">
        {others.map((card) => (
          <li key={card.id}>
            <OtherCard card={card} isOtherGame={card.game !== game} isOldSaid={isOld} />
            <RowActions card={card} />
          </li>
        ))}
      </ul>
      {others.length < all && (
        <button type="button" onClick={onShowAll}>
          {all < otherCount ? `Show the newest ${all} of ${otherCount}` : `Show all ${all}`}
        </button>
      )}
    </section>
  );
}

interface OtherCardProps {
  readonly card: CardSummaryBody;
  readonly isOtherGame: boolean;
  /** Whether it is said of all cards that their prices are old. */
  readonly isOldSaid: boolean;
}

function OtherCard({ card, isOtherGame, isOldSaid }: OtherCardProps) {
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
        <span>
          <ListedPrice prices={prices} isOldSaid={isOldSaid} />
        </span>
        {change && <Change change={change} />}
      </span>
    </a>
  );
}
