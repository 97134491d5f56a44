import type { Millis } from '../domain/day.ts';
import { absurdDate, absurdPrice, wrongCurrency } from './guard/absurd.ts';
import type { Candidate, Finding, Held } from './guard/candidate.ts';
import { hasAmounts } from './guard/figures.ts';
import { levelDays } from './guard/held.ts';
import { leaps } from './guard/jump.ts';
import type { GuardLimits } from './guard/limits.ts';
import { unknownPrinting } from './guard/printing.ts';
import { siblings } from './guard/siblings.ts';
import { toldTwice } from './guard/twice.ts';

/**
 * What cannot be right is held back before it is served: no price beats a wrong price. The rules,
 * their limits and what they were measured on are in docs/pricing.md.
 */

export type { Candidate, Finding, Held, StoredQuote } from './guard/candidate.ts';
export type { HeldBefore } from './guard/held.ts';
export { DEFAULT_LIMITS, type GuardLimits } from './guard/limits.ts';
export { SharedIds } from './guard/shared-ids.ts';

/**
 * The candidates that are to be held back, and why. All printings of a card must be in one batch,
 * for some rules compare them.
 */
export function guard(
  batch: readonly Candidate[],
  limits: GuardLimits,
  now: Millis,
): Map<Candidate, Held> {
  const held = new Map<Candidate, Held>();
  const hold = (candidate: Candidate, finding: Finding | undefined) => {
    if (!finding || candidate.waived?.includes(finding.reason)) return;
    held.set(candidate, { ...finding, days: levelDays(candidate.held, candidate.quote) });
  };
  const priced = batch.filter(({ quote }) => hasAmounts(quote));
  for (const candidate of priced) hold(candidate, impossible(candidate, now));
  const possible = priced.filter((candidate) => !held.has(candidate));
  for (const [candidate, finding] of toldTwice(possible)) hold(candidate, finding);
  const told = possible.filter((candidate) => !held.has(candidate));
  for (const [candidate, finding] of siblings(told)) hold(candidate, finding);
  const alone = told.filter((candidate) => !held.has(candidate));
  for (const [candidate, finding] of leaps(alone, limits)) hold(candidate, finding);
  return held;
}

/** What is wrong whatever the price is compared with. */
function impossible(candidate: Candidate, now: Millis): Finding | undefined {
  return (
    absurdPrice(candidate) ??
    absurdDate(candidate, now) ??
    wrongCurrency(candidate) ??
    candidate.conflict ??
    unknownPrinting(candidate)
  );
}
