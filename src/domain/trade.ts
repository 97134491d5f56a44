import type { Currency } from './currencies.ts';
import type { Day, Millis } from './day.ts';
import type { Cents } from './money.ts';

/** Dealers' buy prices and the sales of printings (docs/pricing.md#buy-lists-and-sales). */

/** The number of sales of a printing. */
export interface Sales {
  /** Copies sold in the last `days` days. */
  readonly count: number;
  readonly days: number;
  /** The day of the last sale; null if unknown. */
  readonly last: Day | null;
}

/** A source's report about a printing in addition to its prices. */
export interface Trade {
  /**
   * The price that the marketplace, a dealer, pays for a copy, in hundredths of the observation's
   * currency.
   */
  readonly buylist?: Cents | undefined;
  readonly sales?: Sales | undefined;
}

/** A served buy price. */
export interface ServedBuylist {
  /** In hundredths of the currency's unit. */
  readonly amount: Cents;
  readonly currency: Currency;
  readonly marketplace: string;
  /** When it was observed. */
  readonly at: Millis;
}

/** The served facts of a printing in addition to its prices. */
export interface ServedTrade {
  readonly buylist?: ServedBuylist;
  readonly sales?: Sales;
}
