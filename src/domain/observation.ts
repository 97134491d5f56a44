import type { CopyName } from './copy.ts';
import type { Currency } from './currencies.ts';
import type { Day, Millis } from './day.ts';
import type { Grade } from './grade-names.ts';
import type { Cents } from './money.ts';
import { type Condition, type DayPrices, NO_PRICES, type PriceFigures } from './price.ts';
import type { Trade } from './trade.ts';

export type { Currency } from './currencies.ts';

/**
 * A source's report on one printing of a card at one moment, as read from the source
 * (docs/glossary.md#observation).
 */
export interface Observation {
  /** Undefined for the default printing, if the source does not distinguish printings. */
  readonly printing: string | undefined;
  /** The marketplace of the price, by its name in the API: `tcgplayer`, `cardmarket`, `my-shop`. */
  readonly marketplace: string;
  readonly currency: Currency;
  /** When it was observed at its source; if only the day is known, the start of that day. */
  readonly observedAt: Millis;
  /** In hundredths of the currency's unit, like all amounts here. */
  readonly prices: PriceFigures;
  readonly conditions: Readonly<Partial<Record<Condition, Cents>>>;
  readonly graded: Readonly<Partial<Record<Grade, Cents>>>;
  /** The dealer's buy price and the number of sales, if the source reports them. */
  readonly trade?: Trade | undefined;
  /** Earlier days, if the source gives them. */
  readonly earlierDays?: readonly DayPrices[];
  /** Earlier days of conditions and grades. */
  readonly earlierCopies?: EarlierCopies;
}

/** Days of conditions and grades: the amounts are their market prices. */
export type EarlierCopies = Readonly<Partial<Record<CopyName, readonly DayPrices[]>>>;

/**
 * An observation of a known printing, with its source, for merging. A printing has at most one for
 * each pair of source and marketplace.
 */
export interface SourceObservation
  extends Omit<Observation, 'printing' | 'earlierDays' | 'earlierCopies'> {
  /** By its name in the table of sources. */
  readonly source: string;
  /**
   * The day of the last price of a higher-ranked source that it agreed with, at its marketplace;
   * undefined if it did not agree, or was never compared.
   */
  readonly agreedOn?: Day | undefined;
}

/** A source observation with its origin, for explanations. */
export interface FetchedObservation extends SourceObservation {
  /** When the import that read it began; null if that was not recorded. */
  readonly fetchedAt: Millis | null;
  /** The source's own id of the card. */
  readonly externalId: string | null;
}

/** All amounts of an observation. */
export type Amounts = Pick<Observation, 'prices' | 'conditions' | 'graded'>;

export const NO_AMOUNTS: Amounts = { prices: NO_PRICES, conditions: {}, graded: {} };

/** Returns the observation without prices and earlier days, for a printing that lost its price. */
export function withoutAmounts(whole: Observation): Observation {
  const { earlierDays: _, earlierCopies: __, trade: ___, ...observation } = whole;
  return { ...observation, ...NO_AMOUNTS };
}
