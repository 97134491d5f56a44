import type { Cents } from './money.ts';
import { factorBetween } from './price-changes.ts';

/** What the prices around it say against the change of a printing. */

/** The change of the market price of a printing in a window. */
export interface PriceMove {
  /** In cents, like `to`. */
  readonly from: Cents;
  readonly to: Cents;
}

/** Nearer prices change places by themselves. */
const SWAPPED = 1.1;

/** How near to the other's earlier price, as a part of the way between the two. */
const NEAR = 0.4;

/** A price took another one to the cent if it moved as far. */
const COPIED = 1.15;

/** Cheaper prices move in steps too large to compare. */
const COMPARED = 25;

/** The least number of prices that show how a set has moved. */
const LEAST_PRICES = 5;

/** A set has not shifted when its middle price moved less. */
const SHIFTED = 1.05;

/** What part of the prices of a shifted set moved alike. */
const ALIKE_SHARE = 0.6;

/** How far apart moves are that are alike: as factors of prices, and as a part of the move. */
const ALIKE = { factor: 1.03, part: 0.25 } as const;

/** Whether a printing took the price of another printing of its card. */
export function tookPriceOf(own: PriceMove, other: PriceMove): boolean {
  return haveSwapped(own, other) || hasCopied(own, other);
}

/** Whether two prices moved past each other, and each to about where the other one was. */
function haveSwapped(own: PriceMove, other: PriceMove): boolean {
  if (wayOf(own) * wayOf(other) >= 0) return false;
  if (Math.min(factorOf(own), factorOf(other)) < SWAPPED) return false;
  const way = Math.log(factorBetween(own.from, other.from));
  const isNear = (a: Cents, b: Cents) => Math.log(factorBetween(a, b)) <= NEAR * way;
  return isNear(own.to, other.from) && isNear(other.to, own.from);
}

/** Whether a price is to the cent that of the other printing, and moved further to get there. */
function hasCopied(own: PriceMove, other: PriceMove): boolean {
  return own.to === other.to && factorOf(own) >= COPIED && factorOf(own) > factorOf(other);
}

function factorOf({ from, to }: PriceMove): number {
  return factorBetween(from, to);
}

/**
 * Whether the prices of a set have moved as a whole, by one factor: then nobody knows which of them
 * are true.
 *
 * @param moves Those of all printings of the set, in any order.
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
