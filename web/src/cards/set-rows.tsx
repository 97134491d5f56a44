import { formatCount, formatDay, formatMoney } from '../ui/format.ts';
import { CardName } from './card-name.tsx';
import { setHref } from './links.ts';
import type { SetBody } from './responses.ts';
import { SetSymbol } from './set-symbol.tsx';
import { formatPricedCount } from './sets.ts';

interface Props {
  readonly sets: readonly SetBody[];
  /** What the list is, for screen readers. */
  readonly label: string;
}

/** Sets as rows, of which each is one link. */
export function SetRows({ sets, label }: Props) {
  return (
    <ul class="set-list" aria-label={label}>
      {sets.map((set) => (
        <li key={set.setId}>
          <SetLink set={set} />
        </li>
      ))}
    </ul>
  );
}

function SetLink({ set }: { set: SetBody }) {
  const { setId, game, code, name, releaseDate, cardCount, pricedCount, value } = set;
  return (
    <a href={setHref(game, setId)}>
      <span class="symbol">
        <SetSymbol game={game} code={code} />
      </span>
      <span class="name">
        <CardName name={name} />
      </span>
      <span class="set-facts">
        {releaseDate !== null && <span class="date">{formatDay(releaseDate)}</span>}
        <span class="cards">
          {formatCount(cardCount)} {cardCount === 1 ? 'card' : 'cards'}
        </span>
        {pricedCount < cardCount && <span class="priced">{formatPricedCount(set)} priced</span>}
      </span>
      <span class="set-value">
        {value === null ? <span class="quiet">no price</span> : formatMoney(value)}
      </span>
    </a>
  );
}
