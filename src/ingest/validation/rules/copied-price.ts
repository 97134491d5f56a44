import { ratio } from '../amounts.ts';
import type { BatchFinding } from '../finding.ts';
import { type ComparedPrinting, describeMove, isConfirmed } from './printing-pairs.ts';

/** How clearly the prices must have differed before: so many times, and by so many cents. */
const CLEAR_FACTOR = 1.5;
/** Below a dollar the prices of two printings often become equal to the cent. */
const CLEAR_CENTS = 100;

/**
 * Catches a printing that took to the cent the price of another one of its card, be it today's or
 * the one before, from which it
 * differed clearly, unless another source confirms it: a source that writes one price for all
 * finishes, $5.50 for the Reverse Holofoil and for the Normal that cost $2. Of the two the one that
 * moved further is caught.
 */
export function* copiedPrice(a: ComparedPrinting, b: ComparedPrinting): Generator<BatchFinding> {
  if (!differedClearly(a, b)) return;
  const [copy, original] = ratio(a.is, a.was) > ratio(b.is, b.was) ? [a, b] : [b, a];
  const isCopy = copy.is === original.is || copy.is === original.was;
  if (!isCopy || isConfirmed(copy)) return;
  const { printing } = original.resolved;
  const detail = `${describeMove(copy)}, which is to the cent what ${printing} costs.`;
  yield [copy.resolved, { rule: 'copied-price', detail }];
}

function differedClearly(a: ComparedPrinting, b: ComparedPrinting): boolean {
  return ratio(a.was, b.was) >= CLEAR_FACTOR && Math.abs(a.was - b.was) >= CLEAR_CENTS;
}
