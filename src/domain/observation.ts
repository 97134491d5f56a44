import type { Millis } from './day.ts';
import type { Cents } from './money.ts';
import type { Condition, DayPrices, Grade, PriceFigures } from './price.ts';

export type Currency = 'USD' | 'EUR';

/**
 * A company and its grade, such as `psa_10`, `bgs_9_5`, `cgc_10`; `grade_9` is a nine of no
 * particular company. Only those of GRADES are served.
 */
export type GradeName = Grade | `${string}_${number}` | `${string}_${number}_5`;

/** What a source says that one printing of a card is worth. */
export interface Observation {
  /** Undefined is the card's default printing: the source does not tell printings apart. */
  readonly printing: string | undefined;
  /** Whose price it is, as callers of the API are told: `tcgplayer`, `cardmarket`, `my-shop`. */
  readonly marketplace: string;
  readonly currency: Currency;
  /** When it was observed at its source; where only the day is known, the start of it. */
  readonly observedAt: Millis;
  /** In cents of the currency, like all amounts here. */
  readonly prices: PriceFigures;
  readonly conditions: Readonly<Partial<Record<Condition, Cents>>>;
  readonly graded: Readonly<Partial<Record<GradeName, Cents>>>;
  /** Earlier days, where the source gives them. */
  readonly earlierDays?: readonly DayPrices[];
}
