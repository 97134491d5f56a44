import { type Millis, MS_PER_DAY } from '../../../domain/day.ts';
import type { Cents } from '../../../domain/money.ts';
import type { Currency, SourceObservation } from '../../../domain/observation.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';
import { amountOf, comparedNames, isFreshAt, ratio } from '../amounts.ts';
import type { BatchRule, ValidationContext } from '../finding.ts';
import { isTooMany, LEAST_JUMP, SAME_LEVEL, type ValidationLimits } from '../limits.ts';

/** What the rules share that compare an amount with its past or with other sources. */

/** One amount of an observation. */
export interface ComparedAmount {
  readonly resolved: ResolvedObservation;
  /** Of a figure, a condition or a grade. */
  readonly name: string;
  /** The reported amount. */
  readonly is: Cents;
  /** What the same source reported before. */
  readonly was: Cents | undefined;
  /** What other sources report at about the same time. */
  readonly others: readonly Cents[];
}

/** A move that is too large. */
export interface PriceMove extends Finding {
  /** Whether the source has been reporting it for long enough to be believed. */
  readonly isBelieved: boolean;
}

/** A rule that looks at one amount at a time. */
export type AmountRule = (
  amount: ComparedAmount,
  context: ValidationContext,
) => PriceMove | undefined;

/**
 * Applies rules to each amount of an observation. A believed price jump is a finding all the same
 * when too many prices of the source jump at once: they do not all move together, so that is a
 * mistake, however long it lasts.
 */
export function eachAmount(rules: readonly AmountRule[]): BatchRule {
  return function* findMoves(batch, context) {
    for (const [, ofSource] of Map.groupBy(batch, ({ source }) => source)) {
      const moves = ofSource.flatMap((resolved) => {
        const move = findMove(rules, resolved, context);
        return move ? [{ resolved, move }] : [];
      });
      const compared = ofSource.filter(({ before }) => before !== undefined);
      const jumps = moves.filter(({ move }) => move.rule === 'price-jump');
      const areTooMany = isTooMany(jumps.length, compared.length, context.limits);
      for (const { resolved, move } of moves) {
        const { isBelieved, ...finding } = move;
        if (areTooMany || !isBelieved) yield [resolved, finding];
      }
    }
  };
}

/** Returns the first move of an observation that is not believed, else the first one. */
function findMove(
  rules: readonly AmountRule[],
  resolved: ResolvedObservation,
  context: ValidationContext,
): PriceMove | undefined {
  const { observation, before } = resolved;
  let believed: PriceMove | undefined;
  for (const name of comparedNames(observation, before)) {
    const is = amountOf(observation, name);
    if (!is) continue;
    const was = before && amountOf(before, name);
    const others = freshAmounts(resolved, resolved.others, name);
    for (const rule of rules) {
      const move = rule({ resolved, name, is, was, others }, context);
      if (move && !move.isBelieved) return move;
      believed ??= move;
    }
  }
  return believed;
}

/** In so many days the allowed factor doubles; in twice as many it triples. */
const DAYS_TO_DOUBLE = 180;

/** The amounts that vary least. */
const FIRM_AMOUNTS: readonly string[] = ['market', 'near_mint'];

/** How many times as far asked prices, worn cards and graded ones may move. */
const LOOSENESS = 2;

/**
 * Returns how many times as high or as low an amount may become in some days. Of 2,408 market
 * prices of Pokémon 56 tripled or fell to a third in seven months; with this factor one is caught.
 */
export function factorOver(days: number, name: string, { jumpFactor }: ValidationLimits): number {
  const looseness = FIRM_AMOUNTS.includes(name) ? 1 : LOOSENESS;
  return jumpFactor * looseness * (1 + days / DAYS_TO_DOUBLE);
}

/** Whether two amounts are further apart than a factor, and at least a dollar. */
export function isFar(a: Cents, b: Cents, factor: number): boolean {
  return Math.abs(a - b) >= LEAST_JUMP && ratio(a, b) > factor;
}

/**
 * Whether another source reports about the same. One whose own move is in quarantine counts, too,
 * so that two sources do not wait for each other.
 */
export function isConfirmedElsewhere(
  { resolved, name, is, others }: ComparedAmount,
  factor: number,
): boolean {
  const witnesses = freshAmounts(resolved, resolved.witnesses ?? [], name);
  return (
    others.some((other) => !isFar(is, other, factor)) ||
    witnesses.some((witness) => ratio(is, witness) <= SAME_LEVEL)
  );
}

/** Returns what other sources reported at about the time of an observation. */
function freshAmounts(
  { observation }: ResolvedObservation,
  others: readonly SourceObservation[],
  name: string,
): Cents[] {
  const fresh = others.filter((other) => isFreshAt(other, observation.observedAt));
  return amountsIn(observation.currency, fresh, name).map(({ cents }) => cents);
}

/** Returns the amounts of this name in a currency, each with when it was observed. */
export function amountsIn(
  currency: Currency,
  observations: readonly SourceObservation[],
  name: string,
): { readonly cents: Cents; readonly observedAt: Millis }[] {
  return observations.flatMap((observation) => {
    const cents = observation.currency === currency ? amountOf(observation, name) : undefined;
    return cents ? [{ cents, observedAt: observation.observedAt }] : [];
  });
}

/** Returns how many days lie between two moments, in either direction. */
export function daysBetween(a: Millis, b: Millis): number {
  return Math.abs(a - b) / MS_PER_DAY;
}
