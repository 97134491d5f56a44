import './change.css';
import { formatChange, type PriceChange } from './price-change.ts';

/** A change by its sign, an arrow and a color, so that nobody needs to see the color. */
export function Change({ change }: { change: PriceChange }) {
  const direction = change.amount > 0 ? 'up' : change.amount < 0 ? 'down' : 'even';
  return (
    <span class={`change ${direction}`}>
      <span aria-hidden="true">{ARROWS[direction]}</span> {formatChange(change)}
    </span>
  );
}

const ARROWS = { up: '▲', down: '▼', even: '=' } as const;
