import './change.css';
import { formatChange, formatPercent, type PriceChange } from './price-change.ts';

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
      {isShort ? formatPercent(change) : formatChange(change)}
    </span>
  );
}

const ARROWS = { up: '▲', down: '▼', even: '=' } as const;
