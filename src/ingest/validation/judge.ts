import type { ResolvedObservation } from '../observation.ts';
import { hasAmounts } from './amounts.ts';
import type { QuarantineFinding, ValidationContext } from './finding.ts';
import { daysAtLevel } from './price-level.ts';
import { RULES } from './rules/index.ts';

/**
 * Returns the observations of a batch that belong in quarantine, and why. A rule sees only what the
 * rules before it let pass; a finding that the operator has approved does not count. All printings
 * of a card must be in one batch, for some rules compare them.
 */
export function judgeBatch(
  batch: readonly ResolvedObservation[],
  context: ValidationContext,
): Map<ResolvedObservation, QuarantineFinding> {
  const found = new Map<ResolvedObservation, QuarantineFinding>();
  let passed = batch.filter(({ observation }) => hasAmounts(observation));
  for (const rule of RULES) {
    for (const [resolved, finding] of rule(passed, context)) {
      if (resolved.approvedRules?.includes(finding.rule)) continue;
      const days = daysAtLevel(resolved.quarantined, resolved.observation);
      found.set(resolved, { ...finding, days });
    }
    passed = passed.filter((resolved) => !found.has(resolved));
  }
  return found;
}
