import type { Day } from './day.ts';
import type { Cents } from './money.ts';

/** How sure a served price is (docs/pricing.md#how-sure-it-is). */

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

/** The levels that follow from the evidence alone: neither from age nor from a dispute. */
export type LastingLevel = Exclude<ConfidenceLevel, 'stale' | 'disputed'>;

/** A range of amounts in cents, both ends included. */
export interface Interval {
  readonly low: Cents;
  readonly high: Cents;
}

/** The evidence for the served prices of a printing, as of the day of its figures. */
export interface Confidence {
  readonly level: LastingLevel;
  /** How many marketplaces report about this price. */
  readonly sources: number;
  /** On how many of the 30 days up to the figures the price was newly observed. */
  readonly observations: number;
  /**
   * The lowest and the highest market price that its marketplace reported within a week and others
   * report now; null if there is only one report.
   */
  readonly interval: Interval | null;
}

/** What a source reports of a printing while its price is in quarantine. */
export interface Dispute {
  /** In US cents. */
  readonly reported: Cents;
  /** The first day on which the source reported about this. */
  readonly since: Day;
  /** The rule that quarantined it. */
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
