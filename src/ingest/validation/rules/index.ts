import type { BatchRule, ObservationRule } from '../finding.ts';
import { absurdDate } from './absurd-date.ts';
import { absurdPrice } from './absurd-price.ts';
import { conditionOrder } from './condition-order.ts';
import { conflictingPrices } from './conflicting-prices.ts';
import { copiedPrice } from './copied-price.ts';
import { gradeOrder } from './grade-order.ts';
import { newPrinting } from './new-printing.ts';
import { outsideListings } from './outside-listings.ts';
import { priceJump } from './price-jump.ts';
import { eachAmount } from './price-moves.ts';
import { eachPairOfPrintings } from './printing-pairs.ts';
import { setShift } from './set-shift.ts';
import { sharedExternalId } from './shared-external-id.ts';
import { sourceOutlier } from './source-outlier.ts';
import { sourceShift } from './source-shift.ts';
import { strayListing } from './stray-listing.ts';
import { swappedPrintings } from './swapped-printings.ts';
import { unknownPrinting } from './unknown-printing.ts';
import { wrongCurrency } from './wrong-currency.ts';

/**
 * The rules in their order: first those that look at an observation by itself, then those that
 * compare it with its batch, at last those that compare it with the past and with other sources.
 * `massDelisting` is not among them, for it looks at prices that are gone (`../delistings.ts`).
 */
export const RULES: readonly BatchRule[] = [
  eachObservation([
    ...[absurdPrice, absurdDate, wrongCurrency],
    ...[sharedExternalId, unknownPrinting, sourceShift],
  ]),
  newPrinting,
  conflictingPrices,
  setShift,
  eachPairOfPrintings([swappedPrintings, copiedPrice]),
  eachObservation([outsideListings]),
  eachObservation([strayListing]),
  eachObservation([gradeOrder]),
  eachObservation([conditionOrder]),
  eachAmount([priceJump, sourceOutlier]),
];

/** Judges observations one by one; of an observation the first finding counts. */
function eachObservation(rules: readonly ObservationRule[]): BatchRule {
  return function* findEach(batch, context) {
    for (const resolved of batch) {
      const finding = firstFinding(rules, resolved, context);
      if (finding) yield [resolved, finding];
    }
  };
}

function firstFinding(
  rules: readonly ObservationRule[],
  ...subject: Parameters<ObservationRule>
): ReturnType<ObservationRule> {
  for (const rule of rules) {
    const finding = rule(...subject);
    if (finding) return finding;
  }
  return undefined;
}
