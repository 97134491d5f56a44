import type { NativePrices, Origins, ServedPrices } from './card.ts';
import { type Choice, type Chosen, choose, compareSeries } from './choose.ts';
import { dayOf } from './day.ts';
import type { Grade } from './grade-names.ts';
import { compareGrades } from './grades.ts';
import type { Cents } from './money.ts';
import type { SourceObservation } from './observation.ts';
import { CONDITIONS, type Condition, hasPrice, NO_PRICES, type PriceFigures } from './price.ts';
import { inDollars, type Rate, type Rates } from './rates.ts';
import { AGE_LIMITS } from './staleness.ts';
import { compareText } from './text.ts';

/**
 * Merges the observations of several sources into the served prices of a printing
 * (docs/pricing.md).
 */

export interface Merged<Q extends SourceObservation> {
  readonly prices: ServedPrices;
  /** Undefined if all prices are from one marketplace. */
  readonly origins: Origins | undefined;
  /** The choice for market, low, mid and high, which always come from one observation. */
  readonly figures: Chosen<Q>;
  /** The choice for all conditions, which always come from one observation. */
  readonly conditions: Chosen<Q>;
  /** The choice for each grade that any observation has. */
  readonly graded: Readonly<Partial<Record<Grade, Chosen<Q>>>>;
}

/** Merges all observations of a printing, which may be in any order. */
export function mergeObservations<Q extends SourceObservation>(
  observations: readonly Q[],
  rates: Rates,
): Merged<Q> {
  const priced = observations.filter(({ prices }) => hasPrice(prices));
  const figures = choose(priced, rates, ({ prices }) => prices.market !== null);
  const withConditions = observations.filter((observation) => isFilled(observation.conditions));
  const conditions = chooseNear(figures.choice, AGE_LIMITS.conditions, withConditions, rates);
  const graded: Partial<Record<Grade, Chosen<Q>>> = {};
  for (const grade of gradesIn(observations)) {
    const withGrade = observations.filter((observation) => observation.graded[grade] !== undefined);
    graded[grade] = chooseNear(figures.choice, AGE_LIMITS.graded, withGrade, rates);
  }
  const unpriced = observations
    .filter(({ prices }) => !hasPrice(prices))
    .map((observation) => ({ observation, reason: 'no-price' }) as const);
  const merged = {
    figures: { ...figures, leftOut: [...figures.leftOut, ...unpriced] },
    conditions,
    graded,
  };
  const prices = servedPrices(merged);
  return { ...merged, prices, origins: originsAmong(merged, prices) };
}

function originsAmong(
  { figures, conditions, graded }: Omit<Merged<SourceObservation>, 'prices' | 'origins'>,
  { sources, conditionsAt }: ServedPrices,
): Origins | undefined {
  if (sources.length < 2) return undefined;
  const grades = servedGrades(graded).map(({ observation }) => observation.marketplace);
  const byCondition = conditionsAt === null ? null : conditions.choice;
  return {
    figures: figures.choice?.observation.marketplace ?? null,
    conditions: byCondition?.observation.marketplace ?? null,
    graded: [...new Set(grades)].sort(),
  };
}

/**
 * Merges the observations in each currency other than US dollars, in that currency. `served` are
 * the figures in dollars. Undefined if there are none.
 */
export function nativePrices<Q extends SourceObservation>(
  observations: readonly Q[],
  served: Chosen<Q>['choice'],
): readonly NativePrices[] | undefined {
  if (observations.every(({ currency }) => currency === 'USD')) return undefined;
  const byCurrency = Map.groupBy(observations, ({ currency }) => currency);
  const native = [...byCurrency].flatMap(([currency, own]) => {
    if (currency === 'USD') return [];
    // They are labelled as dollars, to be merged by the same rules and not converted.
    const unconverted = own.map((one) => ({ ...one, currency: 'USD' as const }));
    const { prices, origins } = mergeObservations(unconverted, []);
    if (prices.sources.length === 0) return [];
    const isServed = served?.observation.currency === currency;
    return [{ currency, prices, ...(origins && { origins }), isServed }];
  });
  return native.length === 0 ? undefined : native.sort(byCode);
}

function byCode(a: NativePrices, b: NativePrices): number {
  return compareText(a.currency, b.currency);
}

/** Converts the figures of an observation into US cents. The rate of dollars is null. */
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

/** Returns the grades that any observation has, in the order in which they are shown. */
function gradesIn(observations: readonly SourceObservation[]): Grade[] {
  const grades = new Set<Grade>();
  for (const { graded } of observations) {
    for (const grade in graded) grades.add(grade as Grade);
  }
  return grades.size < 2 ? [...grades] : [...grades].sort(compareGrades);
}

function isFilled(amounts: object): boolean {
  for (const _ in amounts) return true;
  return false;
}

/**
 * Chooses among the observations that report an amount and are not much older than the figures,
 * which may have changed since.
 *
 * @param limit How many days older they may be.
 */
function chooseNear<Q extends SourceObservation>(
  figures: Chosen<Q>['choice'],
  limit: number,
  reporting: readonly Q[],
  rates: Rates,
): Chosen<Q> {
  if (!figures || reporting.length === 0) return choose(reporting, rates);
  const oldest = dayOf(figures.observation.observedAt) - limit;
  const isRecent = ({ observedAt }: Q) => dayOf(observedAt) >= oldest;
  const { choice, leftOut } = choose(reporting.filter(isRecent), rates);
  const behind = reporting
    .filter((observation) => !isRecent(observation))
    .sort((a, b) => b.observedAt - a.observedAt || compareSeries(a, b))
    .map((observation) => ({ observation, reason: 'behind-figures' }) as const);
  return { choice, leftOut: [...leftOut, ...behind] };
}

function servedPrices<Q extends SourceObservation>({
  figures,
  conditions,
  graded,
}: Omit<Merged<Q>, 'prices' | 'origins'>): ServedPrices {
  const prices =
    figures.choice && dollarPrices(figures.choice.observation.prices, figures.choice.rate);
  const grades = servedGrades(graded);
  const amounts = conditionPrices(conditions.choice);
  const byCondition = isFilled(amounts) ? conditions.choice?.observation : undefined;
  const from = [figures.choice?.observation, byCondition, ...grades.map((one) => one.observation)];
  const gradedAt = Math.min(...grades.map(({ observation }) => observation.observedAt));
  return {
    ...(prices ?? NO_PRICES),
    conditions: amounts,
    graded: Object.fromEntries(grades.map(({ grade, amount }) => [grade, amount])),
    sources: [...new Set(from.flatMap((one) => one?.marketplace ?? []))].sort(),
    figuresAt: figures.choice?.observation.observedAt ?? null,
    conditionsAt: byCondition?.observedAt ?? null,
    gradedAt: grades.length === 0 ? null : gradedAt,
  };
}

interface ServedGrade {
  readonly grade: Grade;
  readonly amount: Cents;
  readonly observation: SourceObservation;
}

function servedGrades(graded: Merged<SourceObservation>['graded']): ServedGrade[] {
  return (Object.keys(graded) as Grade[]).flatMap((grade) => {
    const choice = graded[grade]?.choice;
    const amount = choice && inDollars(choice.observation.graded[grade] ?? null, choice.rate);
    return amount ? [{ grade, amount, observation: choice.observation }] : [];
  });
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
