import type { Cents } from '../../../domain/money.ts';
import type { Finding } from '../../observation.ts';
import { ratio } from '../amounts.ts';
import type { BatchFinding } from '../finding.ts';
import { type ComparedPrinting, describeMove, isConfirmed } from './printing-pairs.ts';

/** From this factor on two printings cost different prices. */
const DIFFERENT_FACTOR = 1.1;

/**
 * How much of the way from its own old price each printing may still be away from the other's. Of
 * 74,857 pairs of Normal and Foil that differed that much, seven came as near by themselves.
 */
const REST_OF_WAY = 0.25;

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
  if (toOwn > 0 && toOther <= toOwn * REST_OF_WAY) return true;
  return isStillSwapped(a) && isStillSwapped(b);
}

/** Whether a printing is in quarantine for a swap, and nearer to its price there than to its own. */
function isStillSwapped({ resolved: { quarantined }, is, was }: ComparedPrinting): boolean {
  const swapped = quarantined?.rule === 'swapped-printings' && quarantined.prices.market;
  return !!swapped && distance(is, swapped) < distance(is, was);
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
