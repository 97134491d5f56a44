import { type Day, dayOf, type Millis, MS_PER_DAY } from '../../../domain/day.ts';
import type { Cents } from '../../../domain/money.ts';
import type { Currency, SourceObservation } from '../../../domain/observation.ts';
import { FIGURES } from '../../../domain/price.ts';
import { WITNESS_FACTOR } from '../../../domain/quarantined.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';
import { amountNames, amountOf, isFreshAt, mainFigure, ratio } from '../amounts.ts';
import type { BatchFinding, BatchRule, ValidationContext } from '../limits.ts';
import { isTooMany, SAME_LEVEL, type ValidationLimits } from '../limits.ts';
import { measureSet, movesOf, type SetLevel, seriesOfSet } from '../set-level.ts';

/** Shared by the rules that compare an amount with its past or with other sources. */

/** One amount of an observation. */
export interface ComparedAmount {
  readonly resolved: ResolvedObservation;
  /** For a figure, a condition or a grade. */
  readonly name: string;
  /** The reported amount. */
  readonly is: Cents;
  /** The source's previous amount. */
  readonly was: Cents | undefined;
  /** Other sources' amounts at about the same time. */
  readonly others: readonly Cents[];
  /** How the market prices of its set have moved; undefined if there are too few. */
  readonly trend: SetLevel | undefined;
}

/** A move that is too large. */
export interface PriceMove extends Finding {
  /** Whether the source has reported it for long enough to be accepted. */
  readonly isBelieved: boolean;
}

/** A rule that judges one amount at a time. */
export type AmountRule = (
  amount: ComparedAmount,
  context: ValidationContext,
) => PriceMove | undefined;

/** A set with fewer prices has no trend. */
const LEAST_FOR_TREND = 8;

/**
 * Applies rules to each amount of an observation. An accepted price jump is still a finding if too
 * many prices of the set jump at once: prices do not all move together, so it is a mistake, however
 * long it lasts.
 */
export function eachAmount(rules: readonly AmountRule[]): BatchRule {
  return function* findMoves(batch, context) {
    for (const [, ofSet] of Map.groupBy(batch, seriesOfSet)) {
      const level = measureSet(movesOf(ofSet, 'market'));
      const trend = level && level.compared >= LEAST_FOR_TREND ? level : undefined;
      const moved = ofSet.flatMap((resolved) => {
        const moves = findMovesOf(rules, resolved, trend, context);
        return moves.length > 0 ? [{ resolved, moves }] : [];
      });
      const compared = ofSet.filter(({ before }) => before !== undefined);
      const jumps = moved.filter(({ moves }) => moves.some(isWholeJump));
      const areTooMany = isTooMany(jumps.length, compared.length, context.limits);
      for (const { resolved, moves } of moved) yield* findings(resolved, moves, areTooMany);
    }
  };
}

function isWholeJump({ rule, amounts }: PriceMove): boolean {
  return rule === 'price-jump' && amounts === undefined;
}

function* findings(
  resolved: ResolvedObservation,
  moves: readonly PriceMove[],
  areTooMany: boolean,
): Generator<BatchFinding> {
  for (const { isBelieved, ...finding } of moves) {
    if (!isBelieved || areTooMany) yield [resolved, finding];
  }
}

/** Returns the moves of an observation's amounts that are too large. */
function findMovesOf(
  rules: readonly AmountRule[],
  resolved: ResolvedObservation,
  trend: SetLevel | undefined,
  context: ValidationContext,
): PriceMove[] {
  const { observation, before } = resolved;
  return amountNames(observation).flatMap((name) => {
    const is = amountOf(observation, name);
    if (!is) return [];
    const was = before && amountOf(before, name);
    const others = freshAmounts(resolved, resolved.others, name);
    const amount = { resolved, name, is, was, others, trend };
    for (const rule of rules) {
      const move = rule(amount, context);
      if (move) return [{ ...move, amounts: concernedBy(amount) }];
    }
    return [];
  });
}

/** The amounts affected by a finding on one of them: all of them for the main figure. */
function concernedBy({ resolved, name }: ComparedAmount): readonly string[] | undefined {
  return name === mainFigure(resolved.observation) ? undefined : [name];
}

/** The allowed factor doubles in this many days. */
const DAYS_TO_DOUBLE = 94;

/** The factor by which `high` may move further, because sellers can ask any price. */
const HIGH_LOOSENESS = 2;

/**
 * Returns the factor by which an amount may rise or fall in `days` days, at most `WITNESS_FACTOR`.
 * Among 2,408 market prices of Pokémon, 56 tripled or fell to a third in seven months. One moved by
 * more than this factor, which is 6.6 after that time.
 */
export function factorOver(days: number, name: string, { jumpFactor }: ValidationLimits): number {
  const looseness = name === 'high' ? HIGH_LOOSENESS : 1;
  const growth = 1 + Math.max(0, days - 1) / DAYS_TO_DOUBLE;
  return Math.min(jumpFactor * looseness * growth, WITNESS_FACTOR);
}

/**
 * Whether another source reports about the same amount, and not the earlier one. Beyond ten times,
 * a source of the same marketplace is no witness, because both may repeat its mistake. A source of
 * another marketplace whose own move is in quarantine also counts; otherwise two sources would wait
 * for each other.
 *
 * @param jump The amount before the jump, and the factor; undefined for a first amount.
 */
export function isConfirmedElsewhere(
  { resolved, name, is }: ComparedAmount,
  jump?: { readonly from: Cents; readonly factor: number },
): boolean {
  const { others, witnesses = [], observation } = resolved;
  const isIndependent = ({ marketplace }: SourceObservation) => {
    return marketplace !== observation.marketplace || (jump?.factor ?? 1) < WITNESS_FACTOR;
  };
  const amounts = freshAmounts(resolved, [...others.filter(isIndependent), ...witnesses], name);
  return amounts.some((other) => {
    const isNearer = jump === undefined || ratio(other, is) < ratio(other, jump.from);
    return isNearer && ratio(other, is) <= SAME_LEVEL;
  });
}

/**
 * Returns the source's daily reports of an amount since it went into quarantine, with today's at
 * the end. Contains only the last days on which the amount stayed about the same.
 */
export function amountsSince({ resolved, name, is }: ComparedAmount): Cents[] {
  const all = [...quarantinedAmounts(resolved, name), is];
  const breakAt = all.findLastIndex((amount, at) => {
    const next = all[at + 1];
    return next !== undefined && ratio(amount, next) > SAME_LEVEL;
  });
  return all.slice(breakAt + 1);
}

function quarantinedAmounts(resolved: ResolvedObservation, name: string): Cents[] {
  const { quarantined, observation, before } = resolved;
  if (quarantined?.isRejected) return [];
  const figure = FIGURES.find((one) => one === name);
  const today = dayOf(observation.observedAt);
  if (!figure) return laterTrail(quarantined, name, today);
  const isAlone = quarantined?.amounts?.includes(name);
  // The other amounts of this printing are accepted every day, so their date is irrelevant.
  const since = before && !isAlone ? dayOf(before.observedAt) : 0;
  const days = [...(quarantined?.earlierDays ?? []), ...(observation.earlierDays ?? [])];
  const between = days.filter(({ day }) => day > since && day < today);
  return between.flatMap((day) => day[figure] ?? []);
}

/** The earlier amounts of a condition or a grade, without today's if it was already imported. */
function laterTrail(
  quarantined: ResolvedObservation['quarantined'],
  name: string,
  today: Day,
): Cents[] {
  const trail = quarantined?.trails?.[name] ?? [];
  return quarantined && dayOf(quarantined.observedAt) === today ? trail.slice(0, -1) : [...trail];
}

/** Returns other sources' reports from about the time of an observation. */
function freshAmounts(
  { observation }: ResolvedObservation,
  others: readonly SourceObservation[],
  name: string,
): Cents[] {
  const fresh = others.filter((other) => isFreshAt(other, observation.observedAt));
  return amountsIn(observation.currency, fresh, name).map(({ cents }) => cents);
}

/** An amount that another source has reported. */
export interface OtherAmount {
  readonly cents: Cents;
  readonly observedAt: Millis;
  readonly marketplace: string;
}

/** Returns the amounts of this name in a currency, each with its time and marketplace. */
export function amountsIn(
  currency: Currency,
  observations: readonly SourceObservation[],
  name: string,
): OtherAmount[] {
  return observations.flatMap((observation) => {
    const cents = observation.currency === currency ? amountOf(observation, name) : undefined;
    const { observedAt, marketplace } = observation;
    return cents ? [{ cents, observedAt, marketplace }] : [];
  });
}

/** Whether an amount has risen or fallen by this factor. An amount without a past has not. */
export function hasMovedBy(
  factor: number,
  { observation, before }: ResolvedObservation,
  name: string,
): boolean {
  const [is, was] = [amountOf(observation, name), before && amountOf(before, name)];
  return !!is && !!was && ratio(is, was) >= factor;
}

/** Returns the number of days between two moments, in either direction. */
export function daysBetween(a: Millis, b: Millis): number {
  return Math.abs(a - b) / MS_PER_DAY;
}

/**
 * Returns the number of days in which an amount has moved. The count ends when the amount first
 * went into quarantine, because waiting does not give it more time to move. An amount whose
 * neighbours are accepted every day has moved in one day.
 */
export function daysOfMove(
  { before, quarantined, observation }: ResolvedObservation,
  name: string,
): number {
  if (!before) return 0;
  if (quarantined?.amounts?.includes(name)) return 1;
  const last = dayOf(before.observedAt);
  const first = quarantined?.earlierDays?.find(({ day }) => day > last)?.day;
  return Math.abs((first ?? dayOf(observation.observedAt)) - last);
}
