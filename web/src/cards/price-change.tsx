import './price-change.css';

/** What a market price has changed by: now minus before. */
export interface PriceChange {
  /** Dollars. */
  readonly amount: number;
  /** Of the price before, in percent. */
  readonly percent: number;
}

const AMOUNT = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  signDisplay: 'exceptZero',
});
const PERCENT = new Intl.NumberFormat('en-US', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** Formats a change as `+$3.10 (+2.6%)`, and one of nothing as `unchanged`. */
export function formatChange({ amount, percent }: PriceChange): string {
  return amount === 0 ? 'unchanged' : `${AMOUNT.format(amount)} (${PERCENT.format(percent / 100)})`;
}

interface ChangeProps {
  readonly change: PriceChange;
  /** Whether there is room for the percentage alone. */
  readonly isShort?: boolean;
}

/** A change by its sign, an arrow and a colour, so that nobody needs to see the colour. */
export function Change({ change, isShort = false }: ChangeProps) {
  const direction = change.amount > 0 ? 'up' : change.amount < 0 ? 'down' : 'even';
  return (
    <span class={`change ${direction}`}>
      <span aria-hidden="true">{ARROWS[direction]}</span>{' '}
      {isShort ? PERCENT.format(change.percent / 100) : formatChange(change)}
    </span>
  );
}

const ARROWS = { up: '▲', down: '▼', even: '=' } as const;
