import type { Cents } from '../../../domain/money.ts';
import type { Finding } from '../../observation.ts';
import { ratio } from '../amounts.ts';
import type { BatchFinding } from '../finding.ts';
import { daysOfMove } from './price-moves.ts';
import { type ComparedPrinting, describeMove, isConfirmed } from './printing-pairs.ts';

/** From this factor on two printings cost different prices. */
const DIFFERENT_FACTOR = 1.1;

/**
 * How much of the way from its own old price each printing may still be away from the other's; more
 * when one of the two is at the other's old price to the cent. Of 74,857 pairs of Normal and Foil
 * that differed that much, three came as near by themselves in a day. In more days than a few they
 * often do.
 */
const REST_OF_WAY = 0.2;
const REST_IF_EXACT = 0.5;
const MOST_DAYS = 7;
/** In more days than these the prices must have changed places to the cent, or nearly. */
const REST_LATER = 0.05;

/**
 * Catches two printings of a card that took each other's prices, unless another source confirms the
 * new ones: a Holofoil that went from $41 to $12 while the Reverse Holofoil went from $12 to $41.
 */
export function* swappedPrintings(
  a: ComparedPrinting,
  b: ComparedPrinting,
): Generator<BatchFinding> {
  if (!areSwapped(a, b) || isConfirmed(a) || isConfirmed(b)) return;
  yield [a.resolved, describeSwap(a, b)];
  yield [b.resolved, describeSwap(b, a)];
}

function areSwapped(a: ComparedPrinting, b: ComparedPrinting): boolean {
  if (ratio(a.was, b.was) < DIFFERENT_FACTOR) return false;
  const toOther = distance(a.is, b.was) + distance(b.is, a.was);
  const toOwn = distance(a.is, a.was) + distance(b.is, b.was);
  if (toOwn > 0 && toOther <= toOwn * mostRest(a, b)) return true;
  return isStillSwapped(a) && isStillSwapped(b);
}

/** Returns how much of the way may be left. */
function mostRest(a: ComparedPrinting, b: ComparedPrinting): number {
  if (Math.max(daysOfMove(a.resolved, 'market'), daysOfMove(b.resolved, 'market')) > MOST_DAYS)
    return REST_LATER;
  const isExact = a.is === b.was || b.is === a.was;
  return isExact ? REST_IF_EXACT : REST_OF_WAY;
}

/** Below this way back to its own price, as a logarithm, a swap is over. */
const LEAST_WAY = 0.03;

/** Whether a printing is in quarantine for a swap, and has gone less than half of the way back. */
function isStillSwapped({ resolved: { quarantined }, is, was }: ComparedPrinting): boolean {
  const swapped = quarantined?.rule === 'swapped-printings' && quarantined.prices.market;
  if (!swapped) return false;
  const way = distance(swapped, was);
  return way >= LEAST_WAY && distance(is, swapped) < way / 2;
}

/** Returns how far apart two amounts are, as the logarithm of their ratio. */
function distance(a: Cents, b: Cents): number {
  return Math.abs(Math.log(a / b));
}

function describeSwap(own: ComparedPrinting, { resolved: other }: ComparedPrinting): Finding {
  const move = describeMove(own);
  const detail = `${move}, which is what ${other.printing} cost, and that the other way round.`;
  return { rule: 'swapped-printings', detail };
}
