import type { Currency } from './currencies.ts';
import type { Day, Millis } from './day.ts';
import type { Cents } from './money.ts';

/** What dealers pay, and how often a printing sells (docs/pricing.md#buy-lists-and-sales). */

/** How often a printing was sold. */
export interface Sales {
  /** Copies sold in the last `days` days. */
  readonly count: number;
  readonly days: number;
  /** The day of the last sale; null if unknown. */
  readonly last: Day | null;
}

/** What a source reports of a printing in addition to its prices. */
export interface Trade {
  /** What the marketplace, a dealer, pays for a copy, in hundredths of the observation's currency. */
  readonly buylist?: Cents | undefined;
  readonly sales?: Sales | undefined;
}

/** A buy price as it is served. */
export interface ServedBuylist {
  /** In hundredths of the currency's unit. */
  readonly amount: Cents;
  readonly currency: Currency;
  readonly marketplace: string;
  /** When it was observed. */
  readonly at: Millis;
}

/** What is served of a printing in addition to its prices. */
export interface ServedTrade {
  readonly buylist?: ServedBuylist;
  readonly sales?: Sales;
}
