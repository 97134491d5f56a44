import { dayOf, formatDay, type Millis } from './day.ts';
import { CONDITION_FACTORS, estimateConditions } from './estimates.ts';
import {
  type Chosen,
  type LeftOutReason,
  type Merged,
  type MergeRule,
  mergeObservations,
} from './merge.ts';
import type { Cents } from './money.ts';
import type { FetchedObservation } from './observation.ts';
import { CONDITIONS, type Condition, FIGURES, GRADES } from './price.ts';
import { inDollars, type Rate, type Rates } from './rates.ts';
import { findSource } from './sources.ts';

/** Explains in sentences why a printing serves what it serves. */

/** The rule by which a number was chosen, or `estimate`. */
export type ServingRule = MergeRule | 'only' | 'estimate';

/** One number of a printing, with its explanation. */
export interface ExplainedNumber {
  /** As in the prices of a card: `market`, `conditions.near_mint`, `graded.psa_10`. */
  readonly name: string;
  /** What is served, in US cents; null for nothing. */
  readonly value: Cents | null;
  /** The observation that it is from; null when none is served. */
  readonly observation: FetchedObservation | null;
  /** The exchange rate that converted it; null where it was in dollars. */
  readonly rate: Rate | null;
  readonly rule: ServingRule | null;
  readonly explanation: string;
  readonly leftOut: readonly ExplainedLeftOut[];
}

/** An observation that has the number and is not served. */
export interface ExplainedLeftOut {
  readonly observation: FetchedObservation;
  /** In cents of its own currency; null when it does not have the number. */
  readonly value: Cents | null;
  readonly reason: LeftOutReason;
  readonly explanation: string;
}

/** Explains every number that a printing serves, or that an observation has that is left out. */
export function explainPrinting(
  observations: readonly FetchedObservation[],
  rates: Rates,
  { estimates }: { readonly estimates: boolean },
): ExplainedNumber[] {
  const merged = mergeObservations(observations, rates);
  const figures = FIGURES.map((name) => {
    return explained(name, merged.figures, ({ prices }) => prices[name]);
  });
  const conditions = conditionsOf(merged).map((name) => {
    return explained(
      `conditions.${name}`,
      merged.conditions,
      (observation) => observation.conditions[name],
    );
  });
  const graded = GRADES.flatMap((name) => {
    const chosen = merged.graded[name];
    return chosen
      ? [explained(`graded.${name}`, chosen, (observation) => observation.graded[name])]
      : [];
  });
  const observed = [...figures, ...conditions, ...graded].filter(isObserved);
  return estimates ? [...observed, ...estimated(merged)] : observed;
}

/** The conditions that any observation has a price of. */
function conditionsOf({
  conditions: { choice, leftOut },
}: Merged<FetchedObservation>): Condition[] {
  const observations = [...(choice ? [choice] : []), ...leftOut].map(
    ({ observation }) => observation,
  );
  return CONDITIONS.filter((name) =>
    observations.some((observation) => observation.conditions[name] !== undefined),
  );
}

function isObserved({ observation, leftOut }: ExplainedNumber): boolean {
  return observation !== null || leftOut.length > 0;
}

function explained(
  name: string,
  { choice, leftOut }: Chosen<FetchedObservation>,
  amountOf: (observation: FetchedObservation) => Cents | null | undefined,
): ExplainedNumber {
  const usable = leftOut.filter(({ reason }) => reason !== 'no-price' && reason !== 'no-rate');
  const newest = Math.max(...[...(choice ? [choice] : []), ...usable].map(observedAt));
  const value = choice ? inDollars(amountOf(choice.observation) ?? null, choice.rate) : null;
  return {
    name,
    value,
    observation: choice?.observation ?? null,
    rate: choice?.rate ?? null,
    rule: choice?.rule ?? null,
    explanation: choice
      ? ruleText(choice.rule, choice.observation, choice.rate)
      : 'Nobody has a price that can be served.',
    leftOut: leftOut.map(({ observation, reason }) => ({
      observation,
      value: amountOf(observation) ?? null,
      reason,
      explanation: reasonText(reason, observation, choice?.observation ?? null, newest),
    })),
  };
}

function observedAt({ observation }: { readonly observation: FetchedObservation }): Millis {
  return observation.observedAt;
}

function estimated({ prices, figures }: Merged<FetchedObservation>): ExplainedNumber[] {
  const { choice } = figures;
  const estimates = estimateConditions(prices.conditions, prices.market);
  if (!choice) return [];
  return CONDITIONS.flatMap((name) => {
    const value = estimates[name];
    if (value === undefined) return [];
    const percent = Math.round(CONDITION_FACTORS[name] * 100);
    const { observation, rate } = choice;
    return {
      ...{ name: `conditions.${name}`, value, observation, rate, rule: 'estimate' as const },
      explanation: `Nobody prices conditions: estimated as ${percent}% of the market price.`,
      leftOut: [],
    };
  });
}

const RULES: Readonly<Record<MergeRule | 'only', (observation: FetchedObservation) => string>> = {
  only: () => 'The only price that there is.',
  freshness: ({ source }) => `${source} is new enough; the others are too old beside it.`,
  currency: () => 'Dollars come before what is converted into them.',
  figures: () => 'A market price comes before listings only.',
  rank: ({ source }) => `${source} comes first among the sources that are new enough.`,
  marketplace: ({ marketplace }) =>
    `Of several marketplaces of one source ${marketplace} comes first.`,
  time: () => 'The newest.',
  name: () => 'The first by name: nothing else tells them apart.',
};

function ruleText(
  rule: MergeRule | 'only',
  observation: FetchedObservation,
  rate: Rate | null,
): string {
  const text = RULES[rule](observation);
  if (!rate) return text;
  const { currency, dollarsPerUnit, day } = rate;
  return `${text} Converted at ${dollarsPerUnit} dollars per ${currency}, of ${formatDay(day)}.`;
}

function reasonText(
  reason: LeftOutReason,
  observation: FetchedObservation,
  served: FetchedObservation | null,
  newest: Millis,
): string {
  const { source, currency } = observation;
  const before = served?.source ?? 'another source';
  const texts: Readonly<Record<LeftOutReason, () => string>> = {
    'no-price': () => `${source} knows no price.`,
    'no-rate': () => `In ${currency}, and there is no rate for its day (CARDPRICE_EUR_RATE).`,
    freshness: () => {
      const days = dayOf(newest) - dayOf(observation.observedAt);
      const limit = findSource(source)?.freshDays;
      const counts = limit === undefined ? '' : `, and ${source} counts for ${limit}`;
      return `Older: ${days} days before the newest${counts}.`;
    },
    currency: () => `In ${currency}: dollars come first.`,
    figures: () => 'Listings only, without a market price.',
    rank: () => `Lower rank: ${source} comes after ${before}.`,
    marketplace: () => 'Another marketplace of the same source comes first.',
    time: () => 'Older.',
    name: () => 'Comes later by name: nothing else tells them apart.',
  };
  return texts[reason]();
}
