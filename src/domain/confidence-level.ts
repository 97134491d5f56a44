import { defaultPrinting, type PricedParts, type Printing } from './card.ts';
import { CONFIDENCE_LEVELS, type ConfidenceLevel } from './confidence.ts';
import type { Day } from './day.ts';
import type { Cents } from './money.ts';
import { areStale } from './staleness.ts';

/** The level of confidence of a served price, which age and disputes also determine. */

type Judged = Pick<Printing, 'prices' | 'confidence' | 'dispute' | 'isPast'>;

/**
 * Returns the level of a printing's price on a day (UTC); null without a price, and for past
 * prices.
 */
export function confidenceLevel(
  { prices, confidence, dispute, isPast }: Judged,
  today: Day,
): ConfidenceLevel | null {
  const { figuresAt, conditionsAt, gradedAt } = prices;
  if (isPast || (figuresAt ?? conditionsAt ?? gradedAt) === null) return null;
  if (dispute) return 'disputed';
  return areStale(prices, today) ? 'stale' : (confidence?.level ?? 'single-source');
}

/** Whether derived figures may use this price, regardless of its age. */
export function isReliable({ confidence, dispute }: Omit<Judged, 'prices'>): boolean {
  return !dispute && confidence?.level !== 'thin';
}

/** A filter by confidence on a day (UTC). */
export interface ConfidenceFilter {
  readonly least: ConfidenceLevel;
  readonly today: Day;
}

/** Whether the price of a printing reaches the confidence that a filter requires. */
export function isSureEnough(
  printing: Judged | undefined,
  { least, today }: ConfidenceFilter,
): boolean {
  const level = printing ? confidenceLevel(printing, today) : null;
  return level !== null && CONFIDENCE_LEVELS.indexOf(level) <= CONFIDENCE_LEVELS.indexOf(least);
}

/** Returns the market price of a card for derived figures, in cents. */
export function reliableMarket(card: PricedParts): Cents | null {
  const printing = defaultPrinting(card);
  return printing && isReliable(printing) ? printing.prices.market : null;
}
