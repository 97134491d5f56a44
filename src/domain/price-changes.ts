import type { Cents } from './money.ts';

/** Changes of prices over some days, and the doubts about them (docs/movers.md). */

/**
 * The windows of price changes: a base is the newest observation at least `days` before the
 * printing's newest observation, and at most `tolerance` more.
 */
export const CHANGE_WINDOWS = {
  '1d': { days: 1, tolerance: 3 },
  '7d': { days: 7, tolerance: 7 },
  '30d': { days: 30, tolerance: 15 },
} as const;

export type ChangeWindow = keyof typeof CHANGE_WINDOWS;

export const CHANGE_WINDOW_NAMES = Object.keys(CHANGE_WINDOWS) as readonly ChangeWindow[];

/** The doubts about a price change, with a sentence for each. */
export const CHANGE_DOUBTS = {
  'marketplace-changed': 'The two prices are of different marketplaces.',
  'thin-listings': 'The listings of one of the two days are too few or too far off to trust it.',
  'came-back': 'The earlier price is a spike of at most three days, and came back.',
  unconfirmed: 'One of the two prices stands alone: no second day, listing or source confirms it.',
  'listings-stayed': 'The market price jumped, and the listings did not follow.',
  quarantined: 'A price of this printing was put into quarantine within the window.',
  'swapped-printings': 'It took the price of another printing of the card.',
  'set-shift': 'Most prices of the set moved by the same factor.',
} as const;

export type ChangeDoubt = keyof typeof CHANGE_DOUBTS;

export type ChangeDoubts = Readonly<Partial<Record<ChangeWindow, ChangeDoubt>>>;

/** The market prices that the changes of a printing start from, in cents; null where unknown. */
export type BasePrices = Readonly<Record<ChangeWindow, Cents | null>> & {
  /** The doubts that the days around each base and the newest day raise about the change. */
  readonly doubts: ChangeDoubts;
};

export const NO_DOUBTS: ChangeDoubts = {};

export const NO_BASES: BasePrices = { '1d': null, '7d': null, '30d': null, doubts: NO_DOUBTS };

/** How many days before the newest one are examined for the changes of a printing. */
export const CHANGE_DAYS = 60;

/** By what factor two prices differ, at least 1. Both are above 0. */
export function factorBetween(a: number, b: number): number {
  return a > b ? a / b : b / a;
}

/** The change between two prices in percent, to a tenth. The first is above 0. */
export function percentBetween(from: Cents, to: Cents): number {
  return Math.round(((to - from) / from) * 1000) / 10;
}
