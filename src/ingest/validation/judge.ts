import type { ResolvedObservation } from '../observation.ts';
import { amountNames, hasAmounts, withoutAmounts } from './amounts.ts';
import type { QuarantineFinding, ValidationContext } from './finding.ts';
import { daysAtLevel } from './price-level.ts';
import { RULES } from './rules/index.ts';

/** An observation with what was found of it so far. */
interface Judged {
  readonly original: ResolvedObservation;
  /** What the next rule sees: without the amounts that rules before it have caught. */
  passed: ResolvedObservation | undefined;
  finding: QuarantineFinding | undefined;
}

/**
 * Returns the observations of a batch that belong in quarantine, or some amounts of which do, and
 * why. A rule sees only what the rules before it let pass; a finding that the operator has approved
 * does not count. All that a source reports of a set must be in one batch, for some rules compare
 * the printings of a card, and the prices of a set.
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

/** Adds a finding: one on the whole observation ends its judging. */
function apply(judged: Judged, finding: Omit<QuarantineFinding, 'days'>): void {
  const { original, passed, finding: before } = judged;
  if (!passed) return;
  const days = daysAtLevel(original.quarantined, original.observation);
  const amounts = finding.amounts && [...(before?.amounts ?? []), ...finding.amounts];
  const left = amounts && withoutAmounts(original.observation, amounts);
  const isWhole = !left || amountNames(left).length === 0;
  judged.passed = isWhole ? undefined : { ...passed, observation: left };
  // The first finding on some amounts gives the rule; one on the whole observation goes before it.
  const { rule, detail } = isWhole || !before ? finding : before;
  judged.finding = { rule, detail, days, ...(isWhole ? {} : { amounts: [...new Set(amounts)] }) };
}
