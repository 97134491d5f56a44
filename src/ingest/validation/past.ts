import { dayOf } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { SourceObservation } from '../../domain/observation.ts';
import type { DayPrices } from '../../domain/price.ts';
import type { QuarantinedObservation } from '../../store/quarantine/quarantine.ts';
import type { QuarantinedBefore, ResolvedObservation } from '../observation.ts';
import { amountNames, amountOf, withAmounts } from './amounts.ts';
import { arePrices } from './rules/absurd-price.ts';

/** What an entry of the quarantine remembers of its past. */

/** How many days an entry remembers at most: the first one, and the last ones. */
const MOST_DAYS = 60;

type Past = Pick<QuarantinedObservation, 'earlierDays' | 'was' | 'trails'>;

/** Returns the days on which it was in quarantine, and what was accepted before these. */
export function pastOf(
  resolved: ResolvedObservation,
  amounts: readonly string[] | undefined,
): Past {
  const { quarantined, observation } = resolved;
  const { earlierDays = [], trails = {} } = quarantined ?? {};
  const was = lastAccepted(resolved, amounts);
  const isReadable = arePrices(observation.prices) && Number.isSafeInteger(observation.observedAt);
  if (!isReadable) return { earlierDays, was, trails };
  return { earlierDays: daysUntil(resolved), was, trails: trailsUntil(resolved, amounts) };
}

/** The first day stays, for until then the price had time to move, and not since then. */
function daysUntil({ quarantined, observation }: ResolvedObservation): DayPrices[] {
  const today = dayOf(observation.observedAt);
  const known = [...(quarantined?.earlierDays ?? []), ...(observation.earlierDays ?? [])];
  const past = known.filter(({ day }) => day < today);
  const [first, ...others] = [...past, { day: today, ...observation.prices }];
  return first ? [first, ...others.slice(1 - MOST_DAYS)] : [];
}

/** Returns the last accepted values of amounts, and of those that waited and are not reported. */
function lastAccepted(
  { quarantined, observation, before }: ResolvedObservation,
  amounts: readonly string[] | undefined,
): Record<string, Cents> {
  const waited = Object.keys(quarantined?.was ?? {}).filter((name) => {
    return amounts === undefined || !amountOf(observation, name);
  });
  const was = [...waited, ...(amounts ?? [])].flatMap((name) => {
    const cents = quarantined?.was?.[name] ?? (before && amountOf(before, name));
    return cents ? [[name, cents] as const] : [];
  });
  return Object.fromEntries(was);
}

/** Returns the trails of conditions and grades, which the days of figures do not have. */
function trailsUntil(
  { quarantined, observation }: ResolvedObservation,
  amounts: readonly string[] = amountNames(observation),
): Record<string, readonly Cents[]> {
  const isToday = quarantined && dayOf(quarantined.observedAt) === dayOf(observation.observedAt);
  const trails = amounts.flatMap((name) => {
    const cents = amountOf(observation, name);
    if (name in observation.prices || !cents) return [];
    const trail = quarantined?.trails?.[name] ?? [];
    const past = isToday ? trail.slice(0, -1) : trail;
    return [[name, [...past, cents].slice(-MOST_DAYS)] as const];
  });
  return Object.fromEntries(trails);
}

/** Completes what was accepted last by the amounts that are in quarantine since then. */
export function withLastAccepted(
  before: SourceObservation,
  { was }: Pick<QuarantinedBefore, 'was'>,
): SourceObservation {
  return was ? withAmounts(before, was) : before;
}
