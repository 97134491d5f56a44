import type { Day } from './day.ts';
import type { Cents } from './money.ts';

/** The four figures that a source reports for a printing, in cents; null if unknown, never 0. */
export interface PriceFigures {
  /** The price at which copies sell, by the source's own method. */
  readonly market: Cents | null;
  /** The lowest, median and highest current listing. */
  readonly low: Cents | null;
  readonly mid: Cents | null;
  readonly high: Cents | null;
}

/** The names of the four figures, in the order in which they are shown. */
export const FIGURES = [
  'market',
  'low',
  'mid',
  'high',
] as const satisfies readonly (keyof PriceFigures)[];

/** The prices observed for one printing on one day (UTC). */
export interface DayPrices extends PriceFigures {
  readonly day: Day;
}

/** The origin of the prices of a day. */
export interface Provenance {
  /** By its name in the table of sources. */
  readonly source: string;
  readonly marketplace: string;
  /**
   * Whether the source's whole publication repeated the day before, so nothing was newly observed
   * on that day.
   */
  readonly repeated: boolean;
}

/** A day of the history. */
export interface HistoryDay extends DayPrices {
  /** Null for days from before provenance was recorded. */
  readonly provenance: Provenance | null;
}

export const NO_PRICES: PriceFigures = { market: null, low: null, mid: null, high: null };

export const CONDITIONS = [
  'near_mint',
  'lightly_played',
  'moderately_played',
  'heavily_played',
  'damaged',
] as const;
export type Condition = (typeof CONDITIONS)[number];

/** Whether any of the four figures is known. */
export function hasPrice(prices: PriceFigures): boolean {
  return (
    prices.market !== null || prices.low !== null || prices.mid !== null || prices.high !== null
  );
}

/** Whether all four figures are equal. */
export function samePrices(a: PriceFigures, b: PriceFigures): boolean {
  return a.market === b.market && a.low === b.low && a.mid === b.mid && a.high === b.high;
}

/** The names of the conditions, for people. */
export const CONDITION_NAMES: Readonly<Record<Condition, string>> = {
  near_mint: 'Near mint',
  lightly_played: 'Lightly played',
  moderately_played: 'Moderately played',
  heavily_played: 'Heavily played',
  damaged: 'Damaged',
};

/** A filter of cards by price; undefined for no condition. */
export interface PriceFilter {
  /** The lowest and the highest market price, in hundredths of the currency of the caller. */
  readonly min: Cents | undefined;
  readonly max: Cents | undefined;
  /** Whether the card has any price. */
  readonly isPriced: boolean | undefined;
}

/** Whether a market price is in the range of a filter. A card without one is in no range. */
export function isInRange({ min, max }: PriceFilter, market: Cents | null): boolean {
  if (min === undefined && max === undefined) return true;
  return market !== null && market >= (min ?? market) && market <= (max ?? market);
}

/**
 * The price of each condition as a share of the market price. Used for estimates if no source
 * reports conditions and the operator has turned estimates on (docs/pricing.md).
 */
export const CONDITION_FACTORS: Readonly<Record<Condition, number>> = {
  near_mint: 1,
  lightly_played: 0.85,
  moderately_played: 0.7,
  heavily_played: 0.5,
  damaged: 0.35,
};

type Conditions = Readonly<Partial<Record<Condition, Cents>>>;

/**
 * Estimates the prices of all conditions, in cents. Returns none if any source prices a condition
 * or if the market price is unknown.
 */
export function estimateConditions(priced: Conditions, market: Cents | null): Conditions {
  if (market === null || CONDITIONS.some((condition) => priced[condition] !== undefined)) return {};
  const estimates: Partial<Record<Condition, Cents>> = {};
  for (const condition of CONDITIONS) {
    const cents = Math.round(market * CONDITION_FACTORS[condition]);
    if (cents > 0) estimates[condition] = cents as Cents;
  }
  return estimates;
}
