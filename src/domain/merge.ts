import type { ServedPrices } from './card.ts';
import { type Day, dayOf, type Millis } from './day.ts';
import type { Cents } from './money.ts';
import {
  CONDITIONS,
  type Condition,
  GRADES,
  type Grade,
  hasPrice,
  NO_PRICES,
  type PriceQuad,
} from './price.ts';
import type { Currency, GradeName } from './quote.ts';
import { inDollars, type Rate, type Rates, rateFor } from './rates.ts';
import { findSource } from './sources.ts';
import { compareText } from './text.ts';

/** How what several sources say of a printing becomes what is served (docs/pricing.md). */

/** What one source last said of a printing. */
export interface MergeQuote {
  /** By its name in the table of sources. */
  readonly source: string;
  /** Whose price it is. No two quotes of a printing have both source and market alike. */
  readonly market: string;
  readonly currency: Currency;
  readonly prices: PriceQuad;
  readonly conditions: Readonly<Partial<Record<Condition, Cents>>>;
  readonly graded: Readonly<Partial<Record<GradeName, Cents>>>;
  readonly observedAt: Millis;
}

/**
 * By what one quote comes before another, the weightiest first: new enough for its source, in
 * dollars, with a market price and not listings only, of a source of higher rank, of the market
 * that most sources report, observed later, first by name.
 */
export type Rule = 'freshness' | 'currency' | 'figures' | 'rank' | 'market' | 'time' | 'name';

/** Why a quote is not what is served. */
export type LeftOutReason = Rule | 'no-price' | 'no-rate';

export interface LeftOut<Q extends MergeQuote> {
  readonly quote: Q;
  readonly reason: LeftOutReason;
}

/** Where a served number comes from. */
export interface Choice<Q extends MergeQuote> {
  readonly quote: Q;
  /** By which it became dollars; null where it was in dollars. */
  readonly rate: Rate | null;
  /** What put it before the next one; `only` when there was no other. */
  readonly rule: Rule | 'only';
}

/** A served number, or some that go together, or none, with all that was left out for it. */
export interface Chosen<Q extends MergeQuote> {
  readonly choice: Choice<Q> | null;
  readonly leftOut: readonly LeftOut<Q>[];
}

export interface Merged<Q extends MergeQuote> {
  readonly prices: ServedPrices;
  /** Of market, low, mid and high, which are always of one quote. */
  readonly figures: Chosen<Q>;
  /** Of all conditions, which are always of one quote. */
  readonly conditions: Chosen<Q>;
  /** Of each grade that any quote has. */
  readonly graded: Readonly<Partial<Record<Grade, Chosen<Q>>>>;
}

/** The market that most sources report: of several of one source its prices come first. */
const COMMON_MARKET = 'tcgplayer';

/** How long prices of a source count that the table does not have. */
const UNKNOWN_FRESH_DAYS = 7;

/** What is served of a printing of which this is said, in whatever order. */
export function mergeQuotes<Q extends MergeQuote>(quotes: readonly Q[], rates: Rates): Merged<Q> {
  const figures = choose(quotes, rates, ({ prices }) => hasPrice(prices), hasMarket);
  const conditions = choose(quotes, rates, (quote) => isFilled(quote.conditions));
  const graded: Partial<Record<Grade, Chosen<Q>>> = {};
  for (const grade of GRADES) {
    const chosen = choose(quotes, rates, (quote) => quote.graded[grade] !== undefined);
    if (chosen.choice !== null || chosen.leftOut.length > 0) graded[grade] = chosen;
  }
  const silent = quotes.filter(({ prices }) => !hasPrice(prices));
  const unpriced = silent.map((quote) => ({ quote, reason: 'no-price' }) as const);
  const merged = {
    figures: { ...figures, leftOut: [...figures.leftOut, ...unpriced] },
    conditions,
    graded,
  };
  return { ...merged, prices: servedPrices(merged) };
}

/**
 * Whether the first quote would be served and not the second, had both been observed at one
 * moment. Both are of dollars or can be turned into them.
 */
export function outranks(first: MergeQuote, second: MergeQuote): boolean {
  const [a, b] = [first, second].map((quote) => {
    return candidate({ ...quote, observedAt: 0 }, null, hasMarket(quote), 0 as Day);
  });
  return a !== undefined && b !== undefined && compare(a, b) < 0;
}

/** The figures of a quote in dollars. */
export function dollarPrices(prices: PriceQuad, rate: Rate | null): PriceQuad {
  if (rate === null) return prices;
  const { market, low, mid, high } = prices;
  return {
    market: inDollars(market, rate),
    low: inDollars(low, rate),
    mid: inDollars(mid, rate),
    high: inDollars(high, rate),
  };
}

function hasMarket({ prices }: MergeQuote): boolean {
  return prices.market !== null;
}

function isFilled(amounts: object): boolean {
  for (const _ in amounts) return true;
  return false;
}

/** Chooses among the quotes that tell something; `isWhole` are those that tell the main part. */
function choose<Q extends MergeQuote>(
  quotes: readonly Q[],
  rates: Rates,
  tells: (quote: Q) => boolean,
  isWhole: (quote: Q) => boolean = () => true,
): Chosen<Q> {
  const telling = quotes.filter(tells);
  if (telling.length === 0) return NOTHING;
  const rated: { quote: Q; rate: Rate | null }[] = [];
  const leftOut: LeftOut<Q>[] = [];
  for (const quote of telling) {
    const rate = rateFor(rates, quote.currency, quote.observedAt);
    if (rate === undefined) leftOut.push({ quote, reason: 'no-rate' });
    else rated.push({ quote, rate });
  }
  const newest = dayOf(Math.max(...rated.map(({ quote }) => quote.observedAt)));
  const candidates = rated
    .map(({ quote, rate }) => candidate(quote, rate, isWhole(quote), newest))
    .sort(compare);
  const [best, ...others] = candidates;
  if (!best) return { choice: null, leftOut: leftOut.sort(byName) };
  const lost = others.map((other) => ({ quote: other.quote, reason: decider(best, other) }));
  const rule = lost[0]?.reason ?? 'only';
  const choice = { quote: best.quote, rate: best.rate, rule } as const;
  return { choice, leftOut: [...lost, ...leftOut.sort(byName)] };
}

const NOTHING = { choice: null, leftOut: [] };

/** A quote with what it is weighed by: a number for each rule, of which the lowest wins. */
interface Candidate<Q extends MergeQuote> {
  readonly quote: Q;
  readonly rate: Rate | null;
  readonly weights: readonly number[];
}

const RULES = ['freshness', 'currency', 'figures', 'rank', 'market', 'time'] as const;

function candidate<Q extends MergeQuote>(
  quote: Q,
  rate: Rate | null,
  isWhole: boolean,
  newest: Day,
): Candidate<Q> {
  const { source, market, currency, observedAt } = quote;
  const { rank, freshDays } = findSource(source) ?? UNKNOWN;
  const isStale = newest - dayOf(observedAt) > freshDays;
  const weights = [
    // One that is too old has no rank any more: of several the newest comes first.
    isStale ? Number.MAX_SAFE_INTEGER - observedAt : 0,
    currency === 'USD' ? 0 : 1,
    isWhole ? 0 : 1,
    rank,
    market === COMMON_MARKET ? 0 : 1,
    -observedAt,
  ];
  return { quote, rate, weights };
}

const UNKNOWN = { rank: Number.MAX_SAFE_INTEGER, freshDays: UNKNOWN_FRESH_DAYS };

function compare(a: Candidate<MergeQuote>, b: Candidate<MergeQuote>): number {
  const at = firstDifference(a, b);
  return at === -1 ? byName(a, b) : (a.weights[at] ?? 0) - (b.weights[at] ?? 0);
}

function decider(a: Candidate<MergeQuote>, b: Candidate<MergeQuote>): Rule {
  return RULES[firstDifference(a, b)] ?? 'name';
}

function firstDifference(a: Candidate<MergeQuote>, b: Candidate<MergeQuote>): number {
  return a.weights.findIndex((weight, index) => weight !== b.weights[index]);
}

function byName(a: { quote: MergeQuote }, b: { quote: MergeQuote }): number {
  return compareText(a.quote.market, b.quote.market) || compareText(a.quote.source, b.quote.source);
}

function servedPrices<Q extends MergeQuote>(merged: Omit<Merged<Q>, 'prices'>): ServedPrices {
  const { figures, conditions, graded } = merged;
  const quad = figures.choice && dollarPrices(figures.choice.quote.prices, figures.choice.rate);
  const grades: Partial<Record<Grade, Cents>> = {};
  for (const grade of GRADES) {
    const choice = graded[grade]?.choice;
    const amount = choice && inDollars(choice.quote.graded[grade] ?? null, choice.rate);
    if (amount) grades[grade] = amount;
  }
  const choices = [figures, conditions, ...Object.values(graded)].flatMap(({ choice }) => {
    return choice ? [choice.quote] : [];
  });
  return {
    ...(quad ?? NO_PRICES),
    conditions: conditionPrices(conditions.choice),
    graded: grades,
    sources: [...new Set(choices.map(({ market }) => market))].sort(),
    observedAt: choices.length === 0 ? null : Math.max(...choices.map((one) => one.observedAt)),
    figuresAt: figures.choice?.quote.observedAt ?? null,
  };
}

function conditionPrices(choice: Choice<MergeQuote> | null): ServedPrices['conditions'] {
  const amounts: Partial<Record<Condition, Cents>> = {};
  if (choice === null) return amounts;
  for (const condition of CONDITIONS) {
    const amount = inDollars(choice.quote.conditions[condition] ?? null, choice.rate);
    if (amount !== null) amounts[condition] = amount;
  }
  return amounts;
}
