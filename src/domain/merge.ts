import type { ServedPrices } from './card.ts';
import { type Day, dayOf } from './day.ts';
import type { Cents } from './money.ts';
import type { SourceObservation } from './observation.ts';
import {
  CONDITIONS,
  type Condition,
  GRADES,
  type Grade,
  hasPrice,
  NO_PRICES,
  type PriceFigures,
} from './price.ts';
import { inDollars, type Rate, type Rates, rateFor } from './rates.ts';
import { findSource } from './sources.ts';
import { compareText } from './text.ts';

/** Merges the observations of several sources into what a printing serves (docs/pricing.md). */

/**
 * The rules by which one observation precedes another, the first one that differs deciding: fresh
 * enough for its source, in dollars, with a market price rather than listings only, of a source of
 * higher rank, of the most common marketplace, observed later, first by name.
 */
export type MergeRule =
  | 'freshness'
  | 'currency'
  | 'figures'
  | 'rank'
  | 'marketplace'
  | 'time'
  | 'name';

/** Why an observation is not served. */
export type LeftOutReason = MergeRule | 'no-price' | 'no-rate';

export interface LeftOut<Q extends SourceObservation> {
  readonly observation: Q;
  readonly reason: LeftOutReason;
}

/** Where a served number comes from. */
export interface Choice<Q extends SourceObservation> {
  readonly observation: Q;
  /** The rate that converted it; null where it was in dollars. */
  readonly rate: Rate | null;
  /** The rule by which it precedes the next one; `only` when there is no other. */
  readonly rule: MergeRule | 'only';
}

/** The choice for one number, or for some that belong together, with all that was left out. */
export interface Chosen<Q extends SourceObservation> {
  /** Null when nothing can be served. */
  readonly choice: Choice<Q> | null;
  readonly leftOut: readonly LeftOut<Q>[];
}

export interface Merged<Q extends SourceObservation> {
  readonly prices: ServedPrices;
  /** Of market, low, mid and high, which are always of one observation. */
  readonly figures: Chosen<Q>;
  /** Of all conditions, which are always of one observation. */
  readonly conditions: Chosen<Q>;
  /** Of each grade that any observation has. */
  readonly graded: Readonly<Partial<Record<Grade, Chosen<Q>>>>;
}

/** The marketplace that most sources report: of several of one source it comes first. */
const COMMON_MARKETPLACE = 'tcgplayer';

/** How long prices count of a source that is not in the table of sources. */
const UNKNOWN_FRESH_DAYS = 7;

/** Merges all observations of a printing, which may be in any order. */
export function mergeObservations<Q extends SourceObservation>(
  observations: readonly Q[],
  rates: Rates,
): Merged<Q> {
  const figures = choose(observations, rates, ({ prices }) => hasPrice(prices), hasMarket);
  const conditions = choose(observations, rates, (observation) => isFilled(observation.conditions));
  const graded: Partial<Record<Grade, Chosen<Q>>> = {};
  for (const grade of GRADES) {
    const chosen = choose(
      observations,
      rates,
      (observation) => observation.graded[grade] !== undefined,
    );
    if (chosen.choice !== null || chosen.leftOut.length > 0) graded[grade] = chosen;
  }
  const withoutPrice = observations.filter(({ prices }) => !hasPrice(prices));
  const unpriced = withoutPrice.map(
    (observation) => ({ observation, reason: 'no-price' }) as const,
  );
  const merged = {
    figures: { ...figures, leftOut: [...figures.leftOut, ...unpriced] },
    conditions,
    graded,
  };
  return { ...merged, prices: servedPrices(merged) };
}

/** Whether the first observation precedes the second, if both were observed at one moment. */
export function outranks(first: SourceObservation, second: SourceObservation): boolean {
  const [a, b] = [first, second].map((observation) => {
    return candidate({ ...observation, observedAt: 0 }, null, hasMarket(observation), 0 as Day);
  });
  return a !== undefined && b !== undefined && compare(a, b) < 0;
}

/** Converts the figures of an observation into US cents; null is the rate of dollars. */
export function dollarPrices(prices: PriceFigures, rate: Rate | null): PriceFigures {
  if (rate === null) return prices;
  const { market, low, mid, high } = prices;
  return {
    market: inDollars(market, rate),
    low: inDollars(low, rate),
    mid: inDollars(mid, rate),
    high: inDollars(high, rate),
  };
}

function hasMarket({ prices }: SourceObservation): boolean {
  return prices.market !== null;
}

function isFilled(amounts: object): boolean {
  for (const _ in amounts) return true;
  return false;
}

/** Chooses among the observations that report a number; those with its main part come first. */
function choose<Q extends SourceObservation>(
  observations: readonly Q[],
  rates: Rates,
  reports: (observation: Q) => boolean,
  hasMainPart: (observation: Q) => boolean = () => true,
): Chosen<Q> {
  const reporting = observations.filter(reports);
  if (reporting.length === 0) return NOTHING;
  const rated: { observation: Q; rate: Rate | null }[] = [];
  const leftOut: LeftOut<Q>[] = [];
  for (const observation of reporting) {
    const rate = rateFor(rates, observation.currency, observation.observedAt);
    if (rate === undefined) leftOut.push({ observation, reason: 'no-rate' });
    else rated.push({ observation, rate });
  }
  const newest = dayOf(Math.max(...rated.map(({ observation }) => observation.observedAt)));
  const candidates = rated
    .map(({ observation, rate }) => candidate(observation, rate, hasMainPart(observation), newest))
    .sort(compare);
  const [best, ...others] = candidates;
  if (!best) return { choice: null, leftOut: leftOut.sort(byName) };
  const outranked = others.map((other) => ({
    observation: other.observation,
    reason: decider(best, other),
  }));
  const rule = outranked[0]?.reason ?? 'only';
  const choice = { observation: best.observation, rate: best.rate, rule } as const;
  return { choice, leftOut: [...outranked, ...leftOut.sort(byName)] };
}

const NOTHING = { choice: null, leftOut: [] };

/** An observation with a weight for each rule; the lowest weight comes first. */
interface Candidate<Q extends SourceObservation> {
  readonly observation: Q;
  readonly rate: Rate | null;
  readonly weights: readonly number[];
}

const RULES = ['freshness', 'currency', 'figures', 'rank', 'marketplace', 'time'] as const;

function candidate<Q extends SourceObservation>(
  observation: Q,
  rate: Rate | null,
  hasMainPart: boolean,
  newest: Day,
): Candidate<Q> {
  const { source, marketplace, currency, observedAt } = observation;
  const { rank, freshDays } = findSource(source) ?? UNKNOWN;
  const isStale = newest - dayOf(observedAt) > freshDays;
  const weights = [
    // Of several that are too old the newest comes first, whatever their ranks.
    isStale ? Number.MAX_SAFE_INTEGER - observedAt : 0,
    currency === 'USD' ? 0 : 1,
    hasMainPart ? 0 : 1,
    rank,
    marketplace === COMMON_MARKETPLACE ? 0 : 1,
    -observedAt,
  ];
  return { observation, rate, weights };
}

const UNKNOWN = { rank: Number.MAX_SAFE_INTEGER, freshDays: UNKNOWN_FRESH_DAYS };

function compare(a: Candidate<SourceObservation>, b: Candidate<SourceObservation>): number {
  const at = firstDifference(a, b);
  return at === -1 ? byName(a, b) : (a.weights[at] ?? 0) - (b.weights[at] ?? 0);
}

function decider(a: Candidate<SourceObservation>, b: Candidate<SourceObservation>): MergeRule {
  return RULES[firstDifference(a, b)] ?? 'name';
}

function firstDifference(a: Candidate<SourceObservation>, b: Candidate<SourceObservation>): number {
  return a.weights.findIndex((weight, index) => weight !== b.weights[index]);
}

function byName(
  a: { observation: SourceObservation },
  b: { observation: SourceObservation },
): number {
  return (
    compareText(a.observation.marketplace, b.observation.marketplace) ||
    compareText(a.observation.source, b.observation.source)
  );
}

function servedPrices<Q extends SourceObservation>(
  merged: Omit<Merged<Q>, 'prices'>,
): ServedPrices {
  const { figures, conditions, graded } = merged;
  const quad =
    figures.choice && dollarPrices(figures.choice.observation.prices, figures.choice.rate);
  const grades: Partial<Record<Grade, Cents>> = {};
  for (const grade of GRADES) {
    const choice = graded[grade]?.choice;
    const amount = choice && inDollars(choice.observation.graded[grade] ?? null, choice.rate);
    if (amount) grades[grade] = amount;
  }
  const choices = [figures, conditions, ...Object.values(graded)].flatMap(({ choice }) => {
    return choice ? [choice.observation] : [];
  });
  return {
    ...(quad ?? NO_PRICES),
    conditions: conditionPrices(conditions.choice),
    graded: grades,
    sources: [...new Set(choices.map(({ marketplace }) => marketplace))].sort(),
    observedAt: choices.length === 0 ? null : Math.max(...choices.map((one) => one.observedAt)),
    figuresAt: figures.choice?.observation.observedAt ?? null,
  };
}

function conditionPrices(choice: Choice<SourceObservation> | null): ServedPrices['conditions'] {
  const amounts: Partial<Record<Condition, Cents>> = {};
  if (choice === null) return amounts;
  for (const condition of CONDITIONS) {
    const amount = inDollars(choice.observation.conditions[condition] ?? null, choice.rate);
    if (amount !== null) amounts[condition] = amount;
  }
  return amounts;
}
