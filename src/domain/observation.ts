import type { Millis } from './day.ts';
import type { Cents } from './money.ts';
import {
  type Condition,
  type DayPrices,
  type Grade,
  NO_PRICES,
  type PriceFigures,
} from './price.ts';

/** The currencies of prices; what is served is in US dollars. */
export type Currency = 'USD' | 'EUR';

/**
 * A company and its grade, such as `psa_10`, `bgs_9_5`, `cgc_10`; `grade_9` is a nine of no
 * particular company. Only those of GRADES are served.
 */
export type GradeName = Grade | `${string}_${number}` | `${string}_${number}_5`;

/**
 * What a source reports of one printing of a card at one moment, as sources are read
 * (docs/glossary.md#observation).
 */
export interface Observation {
  /** Undefined is the card's default printing: the source does not distinguish printings. */
  readonly printing: string | undefined;
  /** Where the price was formed, as the API names it: `tcgplayer`, `cardmarket`, `my-shop`. */
  readonly marketplace: string;
  readonly currency: Currency;
  /** When it was observed at its source; where only the day is known, the start of that day. */
  readonly observedAt: Millis;
  /** In cents of the currency, like all amounts here. */
  readonly prices: PriceFigures;
  readonly conditions: Readonly<Partial<Record<Condition, Cents>>>;
  readonly graded: Readonly<Partial<Record<GradeName, Cents>>>;
  /** Earlier days, where the source gives them. */
  readonly earlierDays?: readonly DayPrices[];
}

/**
 * An observation of a known printing, with its source: what merging weighs. No two of a printing
 * have both source and marketplace alike.
 */
export interface SourceObservation extends Omit<Observation, 'printing' | 'earlierDays'> {
  /** By its name in the table of sources. */
  readonly source: string;
}

/** A source observation with where it is from: what explanations show. */
export interface FetchedObservation extends SourceObservation {
  /** When the import began that brought it; null where that was not recorded. */
  readonly fetchedAt: Millis | null;
  /** The source's own id of the card. */
  readonly externalId: string | null;
}

/** All amounts of an observation. */
export type Amounts = Pick<Observation, 'prices' | 'conditions' | 'graded'>;

export const NO_AMOUNTS: Amounts = { prices: NO_PRICES, conditions: {}, graded: {} };

/** The observation of a printing that has no price any more, and no earlier days. */
export function withoutAmounts({ earlierDays: _, ...observation }: Observation): Observation {
  return { ...observation, ...NO_AMOUNTS };
}
