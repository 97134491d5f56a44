import { dayOf, formatDay, type Millis } from './day.ts';
import { CONDITION_FACTORS, estimateConditions } from './estimates.ts';
import {
  type Chosen,
  type LeftOutReason,
  type Merged,
  type MergeQuote,
  mergeQuotes,
  type Rule,
} from './merge.ts';
import type { Cents } from './money.ts';
import { CONDITIONS, type Condition, FIGURES, GRADES } from './price.ts';
import { inDollars, type Rate, type Rates } from './rates.ts';
import { findSource } from './sources.ts';

/** Why a printing serves what it serves, in words. */

/** A quote with where it is from. */
export interface SourcedQuote extends MergeQuote {
  /** When the import began that brought it; null where that was not recorded. */
  readonly fetchedAt: Millis | null;
  /** The source's own id of the card. */
  readonly key: string | null;
}

/** The rule by which a number was chosen, or `estimate`. */
export type ServingRule = Rule | 'only' | 'estimate';

export interface ExplainedNumber {
  /** As in the prices of a card: `market`, `conditions.near_mint`, `graded.psa_10`. */
  readonly name: string;
  /** What is served, in US cents; null for nothing. */
  readonly value: Cents | null;
  /** Where it is from; null when nobody's is served. */
  readonly quote: SourcedQuote | null;
  /** By which it became dollars. */
  readonly rate: Rate | null;
  readonly rule: ServingRule | null;
  readonly explanation: string;
  readonly leftOut: readonly ExplainedLeftOut[];
}

export interface ExplainedLeftOut {
  readonly quote: SourcedQuote;
  /** What it says, in its own currency; null when it does not say. */
  readonly value: Cents | null;
  readonly reason: LeftOutReason;
  readonly explanation: string;
}

/** Explains every number that is served of a printing, or could be, had it not been left out. */
export function explainPrinting(
  quotes: readonly SourcedQuote[],
  rates: Rates,
  { estimates }: { readonly estimates: boolean },
): ExplainedNumber[] {
  const merged = mergeQuotes(quotes, rates);
  const figures = FIGURES.map((name) => {
    return explained(name, merged.figures, ({ prices }) => prices[name]);
  });
  const conditions = conditionsOf(merged).map((name) => {
    return explained(`conditions.${name}`, merged.conditions, (quote) => quote.conditions[name]);
  });
  const graded = GRADES.flatMap((name) => {
    const chosen = merged.graded[name];
    return chosen ? [explained(`graded.${name}`, chosen, (quote) => quote.graded[name])] : [];
  });
  const told = [...figures, ...conditions, ...graded].filter(isTold);
  return estimates ? [...told, ...estimated(merged)] : told;
}

/** The conditions that any quote has a price of. */
function conditionsOf({ conditions: { choice, leftOut } }: Merged<SourcedQuote>): Condition[] {
  const quotes = [...(choice ? [choice] : []), ...leftOut].map(({ quote }) => quote);
  return CONDITIONS.filter((name) => quotes.some((quote) => quote.conditions[name] !== undefined));
}

function isTold({ quote, leftOut }: ExplainedNumber): boolean {
  return quote !== null || leftOut.length > 0;
}

function explained(
  name: string,
  { choice, leftOut }: Chosen<SourcedQuote>,
  amountOf: (quote: SourcedQuote) => Cents | null | undefined,
): ExplainedNumber {
  const usable = leftOut.filter(({ reason }) => reason !== 'no-price' && reason !== 'no-rate');
  const newest = Math.max(...[...(choice ? [choice] : []), ...usable].map(observedAt));
  const value = choice ? inDollars(amountOf(choice.quote) ?? null, choice.rate) : null;
  return {
    name,
    value,
    quote: choice?.quote ?? null,
    rate: choice?.rate ?? null,
    rule: choice?.rule ?? null,
    explanation: choice
      ? ruleText(choice.rule, choice.quote, choice.rate)
      : 'Nobody has a price that can be served.',
    leftOut: leftOut.map(({ quote, reason }) => ({
      quote,
      value: amountOf(quote) ?? null,
      reason,
      explanation: reasonText(reason, quote, choice?.quote ?? null, newest),
    })),
  };
}

function observedAt({ quote }: { readonly quote: SourcedQuote }): Millis {
  return quote.observedAt;
}

function estimated({ prices, figures }: Merged<SourcedQuote>): ExplainedNumber[] {
  const { choice } = figures;
  const estimates = estimateConditions(prices.conditions, prices.market);
  if (!choice) return [];
  return CONDITIONS.flatMap((name) => {
    const value = estimates[name];
    if (value === undefined) return [];
    const percent = Math.round(CONDITION_FACTORS[name] * 100);
    const { quote, rate } = choice;
    return {
      ...{ name: `conditions.${name}`, value, quote, rate, rule: 'estimate' as const },
      explanation: `Nobody prices conditions: estimated as ${percent}% of the market price.`,
      leftOut: [],
    };
  });
}

const RULES: Readonly<Record<Rule | 'only', (quote: SourcedQuote) => string>> = {
  only: () => 'The only price that there is.',
  freshness: ({ source }) => `${source} is new enough; the others are too old beside it.`,
  currency: () => 'Dollars come before what is converted into them.',
  figures: () => 'A market price comes before listings only.',
  rank: ({ source }) => `${source} comes first among the sources that are new enough.`,
  market: ({ market }) => `Of several markets of one source ${market} comes first.`,
  time: () => 'The newest.',
  name: () => 'The first by name: nothing else tells them apart.',
};

function ruleText(rule: Rule | 'only', quote: SourcedQuote, rate: Rate | null): string {
  const text = RULES[rule](quote);
  if (!rate) return text;
  const { currency, dollarsPerUnit, day } = rate;
  return `${text} Converted at ${dollarsPerUnit} dollars per ${currency}, of ${formatDay(day)}.`;
}

function reasonText(
  reason: LeftOutReason,
  quote: SourcedQuote,
  served: SourcedQuote | null,
  newest: Millis,
): string {
  const { source, currency } = quote;
  const before = served?.source ?? 'another source';
  const texts: Readonly<Record<LeftOutReason, () => string>> = {
    'no-price': () => `${source} knows no price.`,
    'no-rate': () => `In ${currency}, and there is no rate for its day (CARDPRICE_EUR_RATE).`,
    freshness: () => {
      const days = dayOf(newest) - dayOf(quote.observedAt);
      const limit = findSource(source)?.freshDays;
      const counts = limit === undefined ? '' : `, and ${source} counts for ${limit}`;
      return `Older: ${days} days before the newest${counts}.`;
    },
    currency: () => `In ${currency}: dollars come first.`,
    figures: () => 'Listings only, without a market price.',
    rank: () => `Lower rank: ${source} comes after ${before}.`,
    market: () => 'Another market of the same source comes first.',
    time: () => 'Older.',
    name: () => 'Comes later by name: nothing else tells them apart.',
  };
  return texts[reason]();
}
