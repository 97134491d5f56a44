import { dayOf, type Millis } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { Currency } from '../../domain/observation.ts';
import { WITNESS_FACTOR } from '../../domain/quarantined.ts';
import type { QuarantinedBefore } from '../observation.ts';
import { type Amounts, amountOf, comparedNames, ratio } from './amounts.ts';
import { LEAST_JUMP, SAME_LEVEL } from './limits.ts';

/**
 * Decides when to accept a jump without a witness. A price that stays proves little, because
 * mistakes also stay. A price that moves proves little, because a mistake may fluctuate. Other
 * amounts of the row that moved on the same day prove little, because a wrong product id moves them
 * all. Evidence is time, and listings that moved along on another day.
 */

/** From this factor, a jump needs more time to be accepted. */
const FAR_FACTOR = 3;

/** On how many days its source must have reported a jump, without and with listings. */
const DAYS_TO_BELIEVE = {
  near: { alone: 11, listed: 2 },
  far: { alone: 21, listed: 5 },
} as const;

/** The size of a jump: `beyond` needs a witness. */
export type JumpSize = 'near' | 'far' | 'beyond';

export function sizeOf(factor: number): JumpSize {
  if (factor >= WITNESS_FACTOR) return 'beyond';
  return factor >= FAR_FACTOR ? 'far' : 'near';
}

/**
 * Returns on how many days a source must report a jump by a factor before it is accepted; undefined
 * if only a witness helps.
 * @param isListed Whether its listings moved along on another day.
 */
export function daysToBelieve(factor: number, isListed: boolean): number | undefined {
  const size = sizeOf(factor);
  if (size === 'beyond') return undefined;
  return DAYS_TO_BELIEVE[size][isListed ? 'listed' : 'alone'];
}

/** Whether two amounts differ by more than a factor, and by more than some cents. */
export function isFar(a: Cents, b: Cents, factor: number): boolean {
  const times = ratio(a, b);
  return times >= factor && (times >= WITNESS_FACTOR || Math.abs(a - b) >= LEAST_JUMP);
}

/** Whether a jump by a factor is accepted after its source has reported it on this many days. */
export function isBelievable(factor: number, days: number, isListed = false): boolean {
  const needed = daysToBelieve(factor, isListed);
  return needed !== undefined && days >= needed;
}

type Priced = Amounts & { readonly currency: Currency };

/**
 * Returns the number of days on which a source has now reported about the same price: the days
 * counted in quarantine, and the day of `observation` if it is later.
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
