import { type Day, dayOf } from './day.ts';
import type { SourceObservation } from './observation.ts';
import { type Rate, type Rates, rateFor } from './rates.ts';
import { findSource, type SourceWeight, UNKNOWN_SOURCE } from './sources.ts';
import { compareText } from './text.ts';

/** Chooses the observation that a number is served from (docs/pricing.md). */

/**
 * The rules by which one observation precedes another. They choose the marketplace first, then a
 * source in it. The first rule that differs decides: not silent, new enough, in dollars, with a
 * market price instead of only listings, from a source of higher rank, from the most common
 * marketplace, observed later, first by name. `marketplace-hold` means that a marketplace keeps the
 * number although another one has a newer price.
 */
export type MergeRule = (typeof RULES)[number] | 'name' | 'marketplace-hold';

/**
 * Why an observation is not served. `behind-figures` means that its conditions or grades are much
 * older than the figures.
 */
export type LeftOutReason = MergeRule | 'no-price' | 'no-rate' | 'behind-figures';

export interface LeftOut<Q extends SourceObservation> {
  readonly observation: Q;
  readonly reason: LeftOutReason;
}

/** The origin of a served number. */
export interface Choice<Q extends SourceObservation> {
  readonly observation: Q;
  /** The rate that converted it; null if it was in dollars. */
  readonly rate: Rate | null;
  /** The rule by which it precedes the next one; `only` when there is no other. */
  readonly rule: MergeRule | 'only';
}

/** The choice for one number, or for a group of numbers, with all excluded observations. */
export interface Chosen<Q extends SourceObservation> {
  /** Null if nothing can be served. */
  readonly choice: Choice<Q> | null;
  readonly leftOut: readonly LeftOut<Q>[];
}

/** The marketplace that most sources report. It comes first among the marketplaces of a source. */
const COMMON_MARKETPLACE = 'tcgplayer';

const RULES = [
  'silence',
  'freshness',
  'currency',
  'figures',
  'rank',
  'marketplace',
  'time',
] as const;

/**
 * Chooses among observations that all report a number, in any order. Observations with its main
 * part come first.
 */
export function choose<Q extends SourceObservation>(
  observations: readonly Q[],
  rates: Rates,
  hasMainPart: (observation: Q) => boolean = () => true,
): Chosen<Q> {
  if (observations.length === 0) return NOTHING;
  const rated: Candidate<Q>[] = [];
  const unrated: LeftOut<Q>[] = [];
  for (const observation of observations) {
    const rate = rateFor(rates, observation.currency, observation.observedAt);
    if (rate === undefined) unrated.push({ observation, reason: 'no-rate' });
    else rated.push(candidate(observation, rate, hasMainPart(observation)));
  }
  unrated.sort((a, b) => compareSeries(a.observation, b.observation));
  const [best, ...others] = rated.length > 1 ? inOrder(rated) : rated;
  if (!best) return { choice: null, leftOut: unrated };
  const newest = newestDay(rated);
  const outranked = others.map((other) => {
    return { observation: other.observation, reason: reasonOf(best, other, newest) };
  });
  const rule = outranked[0]?.reason ?? ('only' as const);
  const choice = { observation: best.observation, rate: best.rate, rule };
  return { choice, leftOut: [...outranked, ...unrated] };
}

/**
 * How far apart agreeing prices of one marketplace may be, because they are read at different
 * hours.
 */
const AGREEMENT = 1.1;

/**
 * Returns the day of the last price of a higher-ranked source that an observation agrees with. If
 * no such source has a price from within a day of it, returns the day of the last agreement of the
 * known observation.
 */
export function agreementOf(
  reported: SourceObservation,
  known: SourceObservation | undefined,
  all: readonly SourceObservation[],
): Day | undefined {
  const day = dayOf(reported.observedAt);
  const betters = all.filter((other) => {
    const isAlike =
      other.marketplace === reported.marketplace && other.currency === reported.currency;
    const isComparable = isAlike && other.prices.market !== null && other !== known;
    return (
      isComparable && Math.abs(dayOf(other.observedAt) - day) <= 1 && outranks(other, reported)
    );
  });
  if (betters.length === 0) return known?.agreedOn;
  const { market } = reported.prices;
  const agreed = betters.filter(({ prices }) => {
    const [one, other] = [market ?? 0, prices.market ?? 0];
    return Math.max(one, other) <= Math.min(one, other) * AGREEMENT;
  });
  const days = agreed.map(({ observedAt }) => dayOf(observedAt));
  return days.length === 0 ? undefined : (Math.max(...days) as Day);
}

/** Whether the first observation would precede the second if both were equally new. */
export function outranks(first: SourceObservation, second: SourceObservation): boolean {
  const [a, b] = [first, second].map((observation) => {
    const hasMarket = observation.prices.market !== null;
    return candidate({ ...observation, observedAt: 0 }, null, hasMarket);
  });
  return a !== undefined && b !== undefined && compare(a, b) < 0;
}

const NOTHING = { choice: null, leftOut: [] };

/** An observation with a weight for each of `RULES`; the lowest weight comes first. */
interface Candidate<Q extends SourceObservation> {
  readonly observation: Q;
  readonly rate: Rate | null;
  readonly source: SourceWeight;
  readonly weights: readonly number[];
}

/** A candidate that counts as new enough. */
function candidate<Q extends SourceObservation>(
  observation: Q,
  rate: Rate | null,
  hasMainPart: boolean,
): Candidate<Q> {
  const source = findSource(observation.source) ?? UNKNOWN_SOURCE;
  const weights = [
    0,
    0,
    observation.currency === 'USD' ? 0 : 1,
    hasMainPart ? 0 : 1,
    source.rank,
    observation.marketplace === COMMON_MARKETPLACE ? 0 : 1,
    -observation.observedAt,
  ];
  return { observation, rate, source, weights };
}

/** How many days a candidate may be older than the newest one, by its source. */
type DayLimit = 'freshDays' | 'holdDays';

/** Weighs the age of a candidate. If several are too old, the newest comes first. */
function aged<Q extends SourceObservation>(
  one: Candidate<Q>,
  newest: Day,
  limit: DayLimit,
): Candidate<Q> {
  const { observedAt } = one.observation;
  if (newest - dayOf(observedAt) <= one.source[limit]) return one;
  return { ...one, weights: one.weights.with(AGE, Number.MAX_SAFE_INTEGER - observedAt) };
}

/** The positions of these rules among the weights. */
const SILENCE = RULES.indexOf('silence');
const AGE = RULES.indexOf('freshness');

/** A daily source may have missed one day, or be read later in the day. */
const SILENT_DAYS = 2;

/**
 * Puts a candidate last if its source is silent about the printing: a source that agreed with it
 * before has had newer prices for two days. If no source ever agreed with it, it is served as long
 * as its prices are fresh, because the others may mean another card.
 */
function unlessSilent<Q extends SourceObservation>(
  one: Candidate<Q>,
  rivals: readonly Candidate<Q>[],
): Candidate<Q> {
  if (one.source.freshDays <= SILENT_DAYS) return one;
  const day = dayOf(one.observation.observedAt);
  const isSilent = rivals.some(({ observation: { observedAt, agreedOn, prices } }) => {
    const isNewer = dayOf(observedAt) - day >= SILENT_DAYS && prices.market !== null;
    return isNewer && agreedOn !== undefined && agreedOn >= day - 1;
  });
  return isSilent ? { ...one, weights: one.weights.with(SILENCE, 1) } : one;
}

/**
 * Sorts candidates, best first: by marketplace, then within it by the freshness of each source. So
 * the newest price of one marketplace never decides between two sources of another marketplace.
 */
function inOrder<Q extends SourceObservation>(all: readonly Candidate<Q>[]): Candidate<Q>[] {
  const newest = newestDay(all);
  const held = all.map((one) => aged(one, newest, 'holdDays')).sort(compare);
  const marketplaces = new Set(held.map(({ observation }) => observation.marketplace));
  return [...marketplaces].flatMap((marketplace) => {
    const own = all.filter(({ observation }) => observation.marketplace === marketplace);
    const newestOwn = newestDay(own);
    return own.map((one) => unlessSilent(aged(one, newestOwn, 'freshDays'), own)).sort(compare);
  });
}

function newestDay(all: readonly Candidate<SourceObservation>[]): Day {
  return dayOf(Math.max(...all.map(({ observation }) => observation.observedAt)));
}

/** The rule by which the best candidate precedes another one. */
function reasonOf(
  best: Candidate<SourceObservation>,
  other: Candidate<SourceObservation>,
  newest: Day,
): MergeRule {
  if (best.observation.marketplace === other.observation.marketplace) return decider(best, other);
  const [a, b] = [aged(best, newest, 'freshDays'), aged(other, newest, 'freshDays')];
  return compare(a, b) < 0 ? decider(a, b) : 'marketplace-hold';
}

function compare(a: Candidate<SourceObservation>, b: Candidate<SourceObservation>): number {
  const at = firstDifference(a, b);
  return at === -1
    ? compareSeries(a.observation, b.observation)
    : (a.weights[at] ?? 0) - (b.weights[at] ?? 0);
}

function decider(a: Candidate<SourceObservation>, b: Candidate<SourceObservation>): MergeRule {
  return RULES[firstDifference(a, b)] ?? 'name';
}

function firstDifference(a: Candidate<SourceObservation>, b: Candidate<SourceObservation>): number {
  return a.weights.findIndex((weight, index) => weight !== b.weights[index]);
}

/** Orders the observations of a printing by their marketplaces, then by their sources. */
export function compareSeries(a: SourceObservation, b: SourceObservation): number {
  return compareText(a.marketplace, b.marketplace) || compareText(a.source, b.source);
}
