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

/** Formats a change as `+$3.10`. */
export function formatAmount({ amount }: PriceChange): string {
  return AMOUNT.format(amount);
}

/** Formats a change as `+2.6%`. */
export function formatPercent({ percent }: PriceChange): string {
  return PERCENT.format(percent / 100);
}
