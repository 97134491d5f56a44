import type { Finding } from '../../observation.ts';
import { ratio } from '../amounts.ts';
import type { BatchFinding } from '../finding.ts';
import { type ComparedPrinting, describeMove, isConfirmed } from './printing-pairs.ts';

/** From here on printings cost different prices: so many times as much, and so many cents more. */
const DIFFERENT_FACTOR = 1.2;
const DIFFERENT_CENTS = 25;

/** From this factor on printings seldom change places by themselves: of 6,534 pairs none did. */
const CLEAR_FACTOR = 1.5;

/**
 * How many times the other printing's old price a swapped price may be. Where the prices differed
 * clearly, they may have moved on after the swap. Where they did not, two of 1,500 pairs changed
 * places by themselves in nine days and came within 7 and 8 %, so the price must be nearer.
 */
const CLEAR_TOLERANCE = 1.2;
const CLOSE_TOLERANCE = 1.03;

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
  const factor = ratio(a.was, b.was);
  if (factor < DIFFERENT_FACTOR || Math.abs(a.was - b.was) < DIFFERENT_CENTS) return false;
  const isClear = factor >= CLEAR_FACTOR;
  const tolerance = isClear ? Math.min(CLEAR_TOLERANCE, Math.cbrt(factor)) : CLOSE_TOLERANCE;
  return ratio(a.is, b.was) <= tolerance && ratio(b.is, a.was) <= tolerance;
}

function describeSwap(own: ComparedPrinting, { resolved: other }: ComparedPrinting): Finding {
  const move = describeMove(own);
  const detail = `${move}, which is what ${other.printing} cost, and that the other way round.`;
  return { rule: 'swapped-printings', detail };
}
