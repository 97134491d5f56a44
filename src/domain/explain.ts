import type { Chosen, LeftOutReason, MergeRule } from './choose.ts';
import { dayOf, formatDay } from './day.ts';
import type { Grade } from './grade-names.ts';
import { type Merged, mergeObservations } from './merge.ts';
import type { Cents } from './money.ts';
import type { FetchedObservation } from './observation.ts';
import {
  CONDITION_FACTORS,
  CONDITIONS,
  type Condition,
  estimateConditions,
  FIGURES,
} from './price.ts';
import { inDollars, type Rate, type Rates } from './rates.ts';
import { findSource, UNKNOWN_SOURCE } from './sources.ts';
import { AGE_LIMITS } from './staleness.ts';

/** Explains the served numbers of a printing in sentences. */

/** The rule by which a number was chosen, or `estimate`. */
export type ServingRule = MergeRule | 'only' | 'estimate';

/** One number of a printing, with its explanation. */
export interface ExplainedNumber {
  /** As in the prices of a card: `market`, `conditions.near_mint`, `graded.psa_10`. */
  readonly name: string;
  /** The served value in US cents; null if none is served. */
  readonly value: Cents | null;
  /** The observation with this number; null if none is served. */
  readonly observation: FetchedObservation | null;
  /** The exchange rate that converted it; null if it was in dollars. */
  readonly rate: Rate | null;
  readonly rule: ServingRule | null;
  readonly explanation: string;
  readonly leftOut: readonly ExplainedLeftOut[];
}

/** An observation that has the number and is not served. */
export interface ExplainedLeftOut {
  readonly observation: FetchedObservation;
  /** In cents of its own currency; null if the observation lacks the number. */
  readonly value: Cents | null;
  readonly reason: LeftOutReason;
  readonly explanation: string;
}

/** Explains every number that a printing serves or that a left-out observation has. */
export function explainPrinting(
  observations: readonly FetchedObservation[],
  rates: Rates,
  { estimates }: { readonly estimates: boolean },
): ExplainedNumber[] {
  const merged = mergeObservations(observations, rates);
  const figuresFrom = merged.figures.choice?.observation ?? null;
  const figures = FIGURES.map((name) => {
    return explained({ name, figures: figuresFrom }, merged.figures, ({ prices }) => prices[name]);
  });
  const conditions = conditionsOf(merged).map((name) => {
    return explained(
      { name: `conditions.${name}`, figures: figuresFrom },
      merged.conditions,
      (observation) => observation.conditions[name],
    );
  });
  const graded = (Object.keys(merged.graded) as Grade[]).flatMap((name) => {
    const chosen = merged.graded[name];
    if (!chosen) return [];
    const number = { name: `graded.${name}`, figures: figuresFrom };
    return [explained(number, chosen, (observation) => observation.graded[name])];
  });
  const observed = [...figures, ...conditions, ...graded].filter(isObserved);
  return estimates ? withEstimates(observed, merged) : observed;
}

/** Returns the conditions that any observation has a price for. */
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

/** A number, and the observation of the figures served with it. */
interface OtherNumber {
  readonly name: string;
  readonly figures: FetchedObservation | null;
}

function explained(
  { name, figures }: OtherNumber,
  { choice, leftOut }: Chosen<FetchedObservation>,
  amountOf: (observation: FetchedObservation) => Cents | null | undefined,
): ExplainedNumber {
  const served = choice?.observation ?? null;
  const reporting = leftOut.filter(({ reason }) => !NEVER_SERVED.has(reason));
  const rivals = [...(served ? [served] : []), ...reporting.map(({ observation }) => observation)];
  return {
    name,
    value: choice ? inDollars(amountOf(choice.observation) ?? null, choice.rate) : null,
    observation: served,
    rate: choice?.rate ?? null,
    rule: choice?.rule ?? null,
    explanation: choice
      ? ruleText(choice.rule, { ...choice, next: reporting[0]?.observation }) +
        otherMarketplaceText(choice.observation, figures)
      : 'No source has a price that can be served.',
    leftOut: leftOut.map(({ observation, reason }) => ({
      observation,
      value: amountOf(observation) ?? null,
      reason,
      explanation: REASONS[reason]({ name, figures, observation, served, rivals }),
    })),
  };
}

/**
 * Points out that a condition or grade comes from another marketplace than the figures next to it.
 */
function otherMarketplaceText(
  { marketplace }: FetchedObservation,
  figures: FetchedObservation | null,
): string {
  if (figures === null || figures.marketplace === marketplace) return '';
  return ` This is a price of ${marketplace}, while the market price is one of ${figures.marketplace}.`;
}

/** The reasons for excluding an observation from the comparison. */
const NEVER_SERVED: ReadonlySet<LeftOutReason> = new Set(['no-price', 'no-rate', 'behind-figures']);

/** Adds estimates for conditions without a served price. */
function withEstimates(
  observed: readonly ExplainedNumber[],
  { prices, figures: { choice } }: Merged<FetchedObservation>,
): ExplainedNumber[] {
  const estimates = estimateConditions(prices.conditions, prices.market);
  if (!choice) return [...observed];
  const { observation, rate } = choice;
  const estimated = CONDITIONS.flatMap((condition) => {
    const value = estimates[condition];
    if (value === undefined) return [];
    const name = `conditions.${condition}`;
    const percent = Math.round(CONDITION_FACTORS[condition] * 100);
    return {
      name,
      value,
      observation,
      rate,
      rule: 'estimate' as const,
      explanation: `No source prices conditions. Estimated as ${percent}% of the market price.`,
      leftOut: observed.find((one) => one.name === name)?.leftOut ?? [],
    };
  });
  const names = new Set(estimated.map(({ name }) => name));
  return [...observed.filter(({ name }) => !names.has(name)), ...estimated];
}

interface ChosenOver {
  readonly observation: FetchedObservation;
  readonly rate: Rate | null;
  /** The first excluded observation. */
  readonly next: FetchedObservation | undefined;
}

const RULES: Readonly<Record<MergeRule | 'only', (chosen: ChosenOver) => string>> = {
  only: () => 'The only available price.',
  silence: ({ observation, next }) => {
    const silent = next ? silenceOf(next, observation) : 'The usual source is silent';
    return `${silent}; ${observation.source} agreed with it before, and has a newer price.`;
  },
  freshness: ({ observation }) => {
    return `${observation.source} is recent enough; the others are too old in comparison.`;
  },
  currency: () => 'Prices in dollars come before converted ones.',
  figures: () => 'A market price comes before listings alone.',
  rank: ({ observation }) => {
    return `${observation.source} comes first among the sources that are recent enough.`;
  },
  marketplace: ({ observation }) =>
    `${observation.marketplace} comes first among the marketplaces of one source.`,
  time: () => 'The newest.',
  name: () => 'The first by name; all else is equal.',
  'marketplace-hold': ({ observation, next }) =>
    next ? holdText(observation, next) : `${observation.marketplace} stays.`,
};

function ruleText(rule: MergeRule | 'only', chosen: ChosenOver): string {
  const text = RULES[rule](chosen);
  if (!chosen.rate) return text;
  const { currency, dollarsPerUnit, day } = chosen.rate;
  const rate = `the rate of ${formatDay(day)}: ${dollarsPerUnit} dollars per ${currency}`;
  return `${text} Converted at ${rate}.`;
}

/** Explains why a marketplace keeps a number although another one has a better price. */
function holdText(served: FetchedObservation, other: FetchedObservation): string {
  const days = daysBefore(served, other);
  const why =
    days > 0
      ? `its price is only ${days} days older than the one of ${other.marketplace}`
      : `another of its sources comes before ${other.source}`;
  const hold = `a marketplace is kept for ${holdDaysOf(served)} days`;
  return `${served.marketplace} stays: ${why}, and ${hold}.`;
}

interface LeftOutOf extends OtherNumber {
  readonly observation: FetchedObservation;
  readonly served: FetchedObservation | null;
  /** All observations that were compared with each other. */
  readonly rivals: readonly FetchedObservation[];
}

const REASONS: Readonly<Record<LeftOutReason, (leftOut: LeftOutOf) => string>> = {
  'no-price': ({ observation }) => `${observation.source} has no price.`,
  'no-rate': ({ observation }) =>
    `In ${observation.currency}, without an exchange rate for its day (CARDPRICE_EUR_RATE).`,
  'behind-figures': ({ name, observation, figures }) => {
    const days = figures ? daysBefore(observation, figures) : 0;
    const [amounts, limit] = name.startsWith('graded')
      ? ['grades', AGE_LIMITS.graded]
      : ['conditions', AGE_LIMITS.conditions];
    return `Too old: ${days} days before the figures; the limit for ${amounts} is ${limit} days.`;
  },
  silence: ({ observation, served }) => {
    return served ? `Passed over: ${silenceOf(observation, served)}.` : 'Passed over.';
  },
  freshness: tooOldText,
  currency: ({ observation }) => `In ${observation.currency}: dollars come first.`,
  figures: () => 'Listings only, without a market price.',
  rank: ({ observation, served }) => {
    return `Lower rank: ${observation.source} comes after ${served?.source ?? 'another source'}.`;
  },
  marketplace: () => 'Another marketplace of the same source comes first.',
  time: () => 'Older.',
  name: () => 'Later by name; all else is equal.',
  'marketplace-hold': ({ observation, served }) =>
    served ? holdText(served, observation) : 'Another marketplace stays.',
};

/** Explains how long a source has been silent about a printing that another source still prices. */
function silenceOf(silent: FetchedObservation, served: FetchedObservation): string {
  return `${silent.source} has been silent about this printing for ${daysBefore(silent, served)} days`;
}

/** Compares a source with others of its marketplace, or a marketplace with others. */
function tooOldText({ observation, served, rivals }: LeftOutOf): string {
  const { source, marketplace } = observation;
  const isSame = marketplace === served?.marketplace;
  const others = isSame ? rivals.filter((other) => other.marketplace === marketplace) : rivals;
  const days = Math.max(...others.map((other) => daysBefore(observation, other)));
  const limit = findSource(source)?.freshDays;
  const hold = holdDaysOf(observation);
  if (!isSame && days > hold) {
    return `Older: ${days} days before the newest; a marketplace is kept for ${hold} days.`;
  }
  const counts = limit === undefined ? '' : `; the limit for ${source} is ${limit} days`;
  return `Older: ${days} days before the newest${counts}.`;
}

function daysBefore(older: FetchedObservation, newer: FetchedObservation): number {
  return dayOf(newer.observedAt) - dayOf(older.observedAt);
}

function holdDaysOf({ source }: FetchedObservation): number {
  return (findSource(source) ?? UNKNOWN_SOURCE).holdDays;
}
