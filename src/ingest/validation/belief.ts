import { dayOf, type Millis } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { Currency } from '../../domain/observation.ts';
import type { QuarantinedBefore } from '../observation.ts';
import { type Amounts, amountOf, comparedNames, ratio } from './amounts.ts';
import { SAME_LEVEL, WITNESS_FACTOR } from './limits.ts';

/**
 * When to believe a jump that no other source confirms. A price that stays proves little, because a
 * mistake also stays. A true price keeps moving while buyers look for the new level.
 */

/** On how many days its source must have reported a jump before it can be believed. */
const DAYS_TO_BELIEVE = 4;

/**
 * How many times the lowest of these days the highest must be. Seven of ten true jumps kept moving
 * this far. Only one in ten ordinary printings does in so few days.
 */
const LIVE_SPAN = 1.25;

/**
 * Below this factor a jump is believed even if the price then stands still. A third of all true
 * jumps are this small, and most of them are foils that seldom sell and seldom move.
 */
const STILL_FACTOR = 2.45;

/**
 * Whether a jump by a factor is believed after its source has reported these amounts, one for each
 * day with a new observation, oldest first.
 */
export function isBelievable(factor: number, amounts: readonly Cents[]): boolean {
  if (amounts.length < DAYS_TO_BELIEVE || factor >= WITNESS_FACTOR) return false;
  return factor < STILL_FACTOR || Math.max(...amounts) >= Math.min(...amounts) * LIVE_SPAN;
}

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
