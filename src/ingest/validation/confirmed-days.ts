import { dayOf } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { SourceObservation } from '../../domain/observation.ts';
import { type DayPrices, FIGURES } from '../../domain/price.ts';
import { isMassRule } from '../../domain/validation-rules.ts';
import type { QuarantinedBefore, ResolvedObservation } from '../observation.ts';

/**
 * Returns the days that were in quarantine and are confirmed by what is accepted now: they belong in
 * the history. A price that came back confirms none of the days on which it was away, and so does a
 * set or a source that came back as a whole.
 */
export function confirmedDays(
  quarantined: QuarantinedBefore | undefined,
  before: SourceObservation | undefined,
  { observation }: Pick<ResolvedObservation, 'observation'>,
): DayPrices[] {
  if (!quarantined || quarantined.isRejected || isMassRule(quarantined.rule)) return [];
  const today = dayOf(observation.observedAt);
  const was = { ...before?.prices, ...quarantined.was };
  const past = quarantined.earlierDays?.filter(({ day }) => day < today) ?? [];
  return past.filter((day) => {
    return FIGURES.every((name) => isOnTheWay(day[name], was[name], observation.prices[name]));
  });
}

/** How far off an amount may be that has no past, as a logarithm. */
const NEAR = Math.log(1.5);

/** Whether an amount lies between two others, or nearer to the second than half of the way. */
function isOnTheWay(
  amount: Cents | null,
  from: Cents | null | undefined,
  to: Cents | null,
): boolean {
  if (amount === null || to === null || amount === from) return true;
  const rest = Math.abs(Math.log(amount / to));
  if (!from) return rest <= NEAR;
  const isBetween = amount >= Math.min(from, to) && amount <= Math.max(from, to);
  return isBetween || rest <= Math.abs(Math.log(from / to)) / 2;
}
