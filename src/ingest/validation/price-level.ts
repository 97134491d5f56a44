import { dayOf, type Millis } from '../../domain/day.ts';
import type { Currency } from '../../domain/observation.ts';
import type { QuarantinedBefore } from '../observation.ts';
import { type Amounts, amountOf, comparedNames, ratio } from './amounts.ts';
import { SAME_LEVEL } from './limits.ts';

type Priced = Amounts & { readonly currency: Currency };

/**
 * Returns on how many days a source has now reported about the same price: the days that were
 * counted in quarantine, and the day of `observation` if it is a later one.
 */
export function daysAtLevel(
  quarantined: QuarantinedBefore | undefined,
  observation: Priced & { readonly observedAt: Millis },
): number {
  if (!quarantined || !isSameLevel(quarantined, observation)) return 1;
  const isLater = dayOf(observation.observedAt) > dayOf(quarantined.observedAt);
  return isLater ? quarantined.days + 1 : quarantined.days;
}

/** Whether all amounts that two observations share are about the same. */
export function isSameLevel(a: Priced, b: Priced): boolean {
  if (a.currency !== b.currency) return false;
  return comparedNames(a, b).every((name) => {
    const [one, other] = [amountOf(a, name), amountOf(b, name)];
    return !one || !other || ratio(one, other) <= SAME_LEVEL;
  });
}
