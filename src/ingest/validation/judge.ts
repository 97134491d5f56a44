import type { ResolvedObservation } from '../observation.ts';
import { amountNames, hasAmounts, withoutAmounts } from './amounts.ts';
import { daysAtLevel } from './belief.ts';
import type { BatchRule, ObservationRule, QuarantineFinding, ValidationContext } from './limits.ts';
import { absurdDate, absurdPrice, wrongCurrency } from './rules/absurd.ts';
import { conditionOrder } from './rules/condition-order.ts';
import { conflictingPrices } from './rules/conflicting-prices.ts';
import { exchangedPrices } from './rules/exchanged-prices.ts';
import { gradeOrder } from './rules/grade-order.ts';
import { listingMoves } from './rules/listing-moves.ts';
import { outsideListings, strayListing } from './rules/listings.ts';
import { partialShift } from './rules/partial-shift.ts';
import { priceJump, sourceOutlier } from './rules/price-jump.ts';
import { eachAmount } from './rules/price-moves.ts';
import { copiedPrice, eachPairOfPrintings, swappedPrintings } from './rules/printing-pairs.ts';
import { setShift, sourceShift } from './rules/set-shift.ts';
import { sharedExternalId } from './rules/shared-external-id.ts';
import { newPrinting, unknownPrinting } from './rules/unknown-printing.ts';

/** An observation with its findings so far. */
interface Judged {
  readonly original: ResolvedObservation;
  /** The input of the next rule: the observation without the amounts that earlier rules caught. */
  passed: ResolvedObservation | undefined;
  finding: QuarantineFinding | undefined;
}

/**
 * Returns the observations of a batch that belong in quarantine, whole or in part, with the
 * reasons. A rule sees only data that passed the rules before it. Findings that the operator has
 * approved do not count. One batch must contain all of a source's reports about a set, because some
 * rules compare the printings of a card or the prices of a set.
 */
export function judgeBatch(
  batch: readonly ResolvedObservation[],
  context: ValidationContext,
): Map<ResolvedObservation, QuarantineFinding> {
  const judged = batch.map((original): Judged => {
    const passed = hasAmounts(original.observation) ? original : undefined;
    return { original, passed, finding: undefined };
  });
  for (const rule of RULES) {
    const open = new Map(judged.flatMap((one) => (one.passed ? [[one.passed, one]] : [])));
    for (const [resolved, finding] of rule([...open.keys()], context)) {
      const one = open.get(resolved);
      if (one && !resolved.approvedRules?.includes(finding.rule)) apply(one, finding);
    }
  }
  return new Map(judged.flatMap(({ original, finding }) => (finding ? [[original, finding]] : [])));
}

/** Adds a finding. A finding on the whole observation ends its judging. */
function apply(judged: Judged, finding: Omit<QuarantineFinding, 'days'>): void {
  const { original, passed, finding: before } = judged;
  if (!passed) return;
  const days = daysAtLevel(original.quarantined, original.observation);
  const amounts = finding.amounts && [...(before?.amounts ?? []), ...finding.amounts];
  const left = amounts && withoutAmounts(original.observation, amounts);
  const isWhole = !left || amountNames(left).length === 0;
  judged.passed = isWhole ? undefined : { ...passed, observation: left };
  // The first finding on some amounts determines the rule. A finding on the whole observation
  // overrides it.
  const { rule, detail } = isWhole || !before ? finding : before;
  judged.finding = { rule, detail, days, ...(isWhole ? {} : { amounts: [...new Set(amounts)] }) };
}

/**
 * The rules in order. First come rules that judge an observation by itself, then rules that compare
 * it with its batch, and finally rules that compare it with the past and with other sources.
 * `massDelisting` is not included, because it judges lost prices (`../delistings.ts`).
 */
export const RULES: readonly BatchRule[] = [
  eachObservation([
    ...[absurdPrice, absurdDate, wrongCurrency],
    ...[sharedExternalId, unknownPrinting, sourceShift],
  ]),
  newPrinting,
  conflictingPrices,
  setShift,
  partialShift,
  eachPairOfPrintings([swappedPrintings, copiedPrice]),
  exchangedPrices,
  eachObservation([outsideListings]),
  eachObservation([strayListing]),
  eachObservation([listingMoves]),
  eachObservation([gradeOrder]),
  eachObservation([conditionOrder]),
  eachAmount([priceJump, sourceOutlier]),
];

/** Judges observations one by one; the first finding on an observation counts. */
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
