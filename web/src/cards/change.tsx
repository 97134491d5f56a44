import './change.css';
import { formatAmount, formatPercent, type PriceChange } from './price-change.ts';

interface ChangeProps {
  readonly change: PriceChange;
  /** Whether there is room for the percentage alone. */
  readonly isShort?: boolean;
}

/** A change by its sign, an arrow and a color, so that nobody needs to see the color. */
export function Change({ change, isShort = false }: ChangeProps) {
  const direction = change.amount > 0 ? 'up' : change.amount < 0 ? 'down' : 'even';
  return (
    <span class={`change ${direction}`}>
      <span aria-hidden="true">{ARROWS[direction]}</span>{' '}
      {isShort ? formatPercent(change) : <BothNumbers change={change} />}
    </span>
  );
}

/** A change as `+$3.10 (+2.6%)`; styles may leave out `by` how much where there is no room. */
function BothNumbers({ change }: { change: PriceChange }) {
  if (change.amount === 0) return <>unchanged</>;
  return (
    <>
      <span class="by">{formatAmount(change)} (</span>
      {formatPercent(change)}
      <span class="by">)</span>
    </>
  );
}

const ARROWS = { up: '▲', down: '▼', even: '=' } as const;
