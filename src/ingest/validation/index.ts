import type { Millis } from '../../domain/day.ts';
import { absurdDate, absurdPrice, wrongCurrency } from './absurd.ts';
import type { Finding, Held, ResolvedObservation } from './candidate.ts';
import { hasAmounts } from './figures.ts';
import { levelDays } from './held.ts';
import { priceJumps } from './jump.ts';
import type { ValidationLimits } from './limits.ts';
import { unknownPrinting } from './printing.ts';
import { swappedPrintings } from './siblings.ts';
import { conflictingPrices } from './twice.ts';

/**
 * What cannot be right is held back before it is served: no price beats a wrong price. The rules,
 * their limits and what they were measured on are in docs/pricing.md.
 */

export type { Finding, Held, ResolvedObservation, StoredQuote } from './candidate.ts';
export { hasAmounts } from './figures.ts';
export type { HeldBefore } from './held.ts';
export { DEFAULT_LIMITS, type ValidationLimits } from './limits.ts';
export { settleDelistings } from './losses.ts';
export { givesCatalogue } from './printing.ts';
export { SharedExternalIds } from './shared-ids.ts';
export { validate } from './sift.ts';

/**
 * The candidates that are to be held back, and why. All printings of a card must be in one batch,
 * for some rules compare them.
 */
export function judgeObservations(
  batch: readonly ResolvedObservation[],
  limits: ValidationLimits,
  now: Millis,
): Map<ResolvedObservation, Held> {
  const held = new Map<ResolvedObservation, Held>();
  const hold = (candidate: ResolvedObservation, finding: Finding | undefined) => {
    if (!finding || candidate.waived?.includes(finding.reason)) return;
    held.set(candidate, { ...finding, days: levelDays(candidate.held, candidate.observation) });
  };
  const priced = batch.filter(({ observation }) => hasAmounts(observation));
  for (const candidate of priced) hold(candidate, impossible(candidate, now));
  const possible = priced.filter((candidate) => !held.has(candidate));
  for (const [candidate, finding] of conflictingPrices(possible)) hold(candidate, finding);
  const told = possible.filter((candidate) => !held.has(candidate));
  for (const [candidate, finding] of swappedPrintings(told)) hold(candidate, finding);
  const alone = told.filter((candidate) => !held.has(candidate));
  for (const [candidate, finding] of priceJumps(alone, limits)) hold(candidate, finding);
  return held;
}

/** What is wrong whatever the price is compared with. */
function impossible(candidate: ResolvedObservation, now: Millis): Finding | undefined {
  return (
    absurdPrice(candidate) ??
    absurdDate(candidate, now) ??
    wrongCurrency(candidate) ??
    candidate.conflict ??
    unknownPrinting(candidate)
  );
}
