import type { Day } from './day.ts';
import type { Cents } from './money.ts';

/** The confidence of a served price (docs/pricing.md#how-sure-it-is). */

/** The levels of confidence, surest first. */
export const CONFIDENCE_LEVELS = [
  'confirmed',
  'single-source',
  'thin',
  'stale',
  'disputed',
] as const;
export type ConfidenceLevel = (typeof CONFIDENCE_LEVELS)[number];

/** The words for the levels, for people. */
export const LEVEL_WORDS: Readonly<Record<ConfidenceLevel, string>> = {
  confirmed: 'confirmed',
  'single-source': 'one source',
  thin: 'thin',
  stale: 'old',
  disputed: 'disputed',
};

/** The levels that the evidence alone determines, without age or disputes. */
export type LastingLevel = Exclude<ConfidenceLevel, 'stale' | 'disputed'>;

/** A range of amounts in cents, both ends included. */
export interface Interval {
  readonly low: Cents;
  readonly high: Cents;
}

/** The evidence for the served prices of a printing, as of the day of its figures. */
export interface Confidence {
  readonly level: LastingLevel;
  /** The number of marketplaces that report about this price. */
  readonly sources: number;
  /** The number of days, among the 30 up to the figures, on which the price was newly observed. */
  readonly observations: number;
  /**
   * The lowest and the highest market price that its own marketplace reported within a week and
   * that others report now; null if there is only one report.
   */
  readonly interval: Interval | null;
}

/** A source's report about a printing while its price is in quarantine. */
export interface Dispute {
  /** In US cents. */
  readonly reported: Cents;
  /** The first day on which the source reported about this price. */
  readonly since: Day;
  /** The rule that put it in quarantine. */
  readonly rule: string;
}

/* In a table and in memory, everything except the interval is one number. */

const PACKED_LEVELS: readonly (LastingLevel | undefined)[] = [
  undefined,
  'confirmed',
  'single-source',
  'thin',
];

const MOST_SOURCES = 15;

/**
 * Packs a level, sources (up to 15) and observations into 11 bits: two, four and five, from the
 * lowest. 0 stands for none.
 */
export function packConfidence(confidence: Confidence | undefined): number {
  if (!confidence) return 0;
  const { level, sources, observations } = confidence;
  const ofSources = Math.min(sources, MOST_SOURCES) << 2;
  return PACKED_LEVELS.indexOf(level) | ofSources | (observations << 6);
}

/** Unpacks what {@link packConfidence} packed; undefined for 0. */
export function unpackConfidence(
  packed: number,
  interval: Interval | null,
): Confidence | undefined {
  const level = PACKED_LEVELS[packed & 0b11];
  if (!level) return undefined;
  return { level, sources: (packed >> 2) & 0b1111, observations: packed >> 6, interval };
}
