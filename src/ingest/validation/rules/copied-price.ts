import { FIGURES, samePrices } from '../../../domain/price.ts';
import { ratio } from '../amounts.ts';
import type { BatchFinding } from '../finding.ts';
import { type ComparedPrinting, describeMove, isConfirmed } from './printing-pairs.ts';

/** How clearly the prices must have differed before: so many times, and by so many cents. */
const CLEAR_FACTOR = 1.5;
/** Below a dollar the prices of two printings often become equal to the cent. */
const CLEAR_CENTS = 100;

/**
 * Catches a printing that took to the cent the price of another one of its card, be it today's or
 * the one before, from which it differed clearly, unless another source confirms it: a source that
 * writes one price for all finishes, $5.50 for the Reverse Holofoil and for the Normal that cost $2.
 * Of the two the one that moved further is caught. It is caught at any difference when it took the
 * listings as well, and as long as it has them.
 */
export function* copiedPrice(a: ComparedPrinting, b: ComparedPrinting): Generator<BatchFinding> {
  const [copy, original] = ratio(a.is, a.was) > ratio(b.is, b.was) ? [a, b] : [b, a];
  if (copy.is === copy.was || !isCopy(copy, original) || isConfirmed(copy)) return;
  const { printing } = original.resolved;
  const detail = `${describeMove(copy)}, which is to the cent what ${printing} costs.`;
  yield [copy.resolved, { rule: 'copied-price', detail }];
}

function isCopy(copy: ComparedPrinting, original: ComparedPrinting): boolean {
  const isTaken = copy.is === original.is || copy.is === original.was;
  if (!isTaken || copy.was === original.was) return false;
  const isKnown = copy.resolved.quarantined?.rule === 'copied-price';
  return isKnown || differedClearly(copy, original) || haveSameListings(copy, original);
}

/** Whether all figures of two printings are the same, and at least three of them are known. */
function haveSameListings({ resolved: a }: ComparedPrinting, { resolved: b }: ComparedPrinting) {
  const known = FIGURES.filter((name) => a.observation.prices[name] !== null);
  const isLast = known.every((name) => a.observation.prices[name] === b.before?.prices[name]);
  return known.length >= 3 && (isLast || samePrices(a.observation.prices, b.observation.prices));
}

function differedClearly(a: ComparedPrinting, b: ComparedPrinting): boolean {
  return ratio(a.was, b.was) >= CLEAR_FACTOR && Math.abs(a.was - b.was) >= CLEAR_CENTS;
}
