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
  unconfirmed:
    'One of the two prices stands alone, or has stood still since a single step: no second day, ' +
    'listing or source confirms it.',
  'listings-stayed': 'The market price jumped, and the listings did not follow.',
  quarantined: 'A price of this printing was put into quarantine within the window.',
  'swapped-printings': 'It took the price of another printing of the card.',
  'few-observations': 'The price was observed on few days, and nothing confirms it.',
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

/** Days before the newest one that are examined for the changes of a printing. */
export const CHANGE_DAYS = 60;

/** The factor between two prices, at least 1. Both are above 0. */
export function factorBetween(a: number, b: number): number {
  return a > b ? a / b : b / a;
}

/** The change from one price to another in percent, to a tenth. The first is above 0. */
export function percentBetween(from: Cents, to: Cents): number {
  return Math.round(((to - from) / from) * 1000) / 10;
}

/* Doubts about the change of a printing because of other printings. */

/** The change of the market price of a printing in a window. */
export interface PriceMove {
  /** In cents, like `to`. */
  readonly from: Cents;
  readonly to: Cents;
}

/** Prices within this factor of each other can naturally swap places. */
const SWAPPED = 1.1;

/** How near a price must be to the other's earlier price, as a share of their distance. */
const NEAR = 0.4;

/** A price that equals another one to the cent was copied if it moved by at least this factor. */
const COPIED = 1.15;

/** In cents. Steps of cheaper prices are too coarse to compare. */
const COMPARED = 25;

/** The fewest prices for a judgement about a whole set. */
const LEAST_PRICES = 5;

/** A set has not shifted if its median price moved by less than this factor. */
const SHIFTED = 1.05;

/** The share of prices that must have moved alike in a shifted set. */
const ALIKE_SHARE = 0.6;

/** How far apart similar moves may be: as a factor of prices, and as a share of the move. */
const ALIKE = { factor: 1.03, part: 0.25 } as const;

/** Whether a printing took the price of another printing of its card. */
export function tookPriceOf(own: PriceMove, other: PriceMove): boolean {
  return haveSwapped(own, other) || hasCopied(own, other);
}

/** Whether two prices moved past each other, each to about the earlier price of the other. */
function haveSwapped(own: PriceMove, other: PriceMove): boolean {
  if (wayOf(own) * wayOf(other) >= 0) return false;
  if (Math.min(factorOf(own), factorOf(other)) < SWAPPED) return false;
  const way = Math.log(factorBetween(own.from, other.from));
  const isNear = (a: Cents, b: Cents) => Math.log(factorBetween(a, b)) <= NEAR * way;
  return isNear(own.to, other.from) && isNear(other.to, own.from);
}

/** Whether a price equals that of the other printing to the cent, and moved further to reach it. */
function hasCopied(own: PriceMove, other: PriceMove): boolean {
  return own.to === other.to && factorOf(own) >= COPIED && factorOf(own) > factorOf(other);
}

function factorOf({ from, to }: PriceMove): number {
  return factorBetween(from, to);
}

/**
 * Whether the prices of a set have moved as a whole, by one factor. Nothing then shows which of
 * them are right.
 * @param moves The moves of all printings of the set, in any order.
 */
export function isShifted(moves: readonly PriceMove[]): boolean {
  const compared = moves.filter(({ from, to }) => Math.min(from, to) >= COMPARED).map(wayOf);
  if (compared.length < LEAST_PRICES) return false;
  const middle = median(compared);
  if (Math.abs(middle) < Math.log(SHIFTED)) return false;
  const width = Math.max(Math.log(ALIKE.factor), ALIKE.part * Math.abs(middle));
  const alike = compared.filter((way) => Math.abs(way - middle) <= width);
  return alike.length >= ALIKE_SHARE * compared.length;
}

function wayOf({ from, to }: PriceMove): number {
  return Math.log(to / from);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
