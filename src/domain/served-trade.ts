import { type Day, dayOf } from './day.ts';
import type { Cents } from './money.ts';
import type { SourceObservation } from './observation.ts';
import { inDollars, type Rates, rateFor } from './rates.ts';
import { compareText } from './text.ts';
import type { Sales, ServedBuylist, ServedTrade } from './trade.ts';

/** Chooses the buy price and the sales to serve (docs/pricing.md#buy-lists-and-sales). */

/** How many days a report may be older than the printing's newest observation. */
const FRESH_DAYS = 7;

/**
 * A dealer without a copy for sale may pay more than the market price, but not much more. A buy
 * price above this multiple of it counts as a mistake.
 */
const MOST_OVER_MARKET = 1.5;

/** Why a reported buy price is not served. */
export type BuylistDoubt = 'no-rate' | 'above-retail' | 'old' | 'lower';

/** A reported buy price. `doubt` is the reason why it is not served. */
export interface ReportedBuylist extends ServedBuylist {
  readonly source: string;
  readonly doubt: BuylistDoubt | null;
}

/** The facts by which reports are judged. */
interface TradeContext {
  /** The served market price, in US cents; null if unknown. */
  readonly market: Cents | null;
  readonly rates: Rates;
}

/** Returns all reported buy prices: the served one first, then the others by marketplace. */
export function reportedBuylists(
  observations: readonly SourceObservation[],
  context: TradeContext,
): readonly ReportedBuylist[] {
  const newest = newestDay(observations);
  const reported = observations.flatMap((observation) => {
    const { marketplace, source, currency, observedAt: at } = observation;
    const amount = observation.trade?.buylist;
    if (amount === undefined) return [];
    const dollars = dollarsOf(observation, amount, context.rates);
    const doubt = doubtOf(observation, { amount, dollars, newest }, context);
    return [{ amount, currency, marketplace, at, source, doubt, dollars: dollars ?? 0 }];
  });
  // A seller takes the best offer.
  const sorted = reported.toSorted((a, b) => {
    const byDoubt = Number(a.doubt !== null) - Number(b.doubt !== null);
    return byDoubt || b.dollars - a.dollars || compareText(a.marketplace, b.marketplace);
  });
  return sorted.map(({ dollars: _, ...one }, index) => {
    return { ...one, doubt: one.doubt ?? (index === 0 ? null : 'lower') };
  });
}

/** Returns the served buy prices and sales of some observations; undefined if none reports any. */
export function servedTrade(
  observations: readonly SourceObservation[],
  context: TradeContext,
): ServedTrade | undefined {
  const reporting = observations.filter(({ trade }) => trade !== undefined);
  if (reporting.length === 0) return undefined;
  const [best] = reportedBuylists(observations, context);
  const buylist = best?.doubt === null ? toServed(best) : undefined;
  const sales = newestSales(reporting, newestDay(observations));
  if (!buylist && !sales) return undefined;
  return { ...(buylist && { buylist }), ...(sales && { sales }) };
}

function toServed({ amount, currency, marketplace, at }: ReportedBuylist): ServedBuylist {
  return { amount, currency, marketplace, at };
}

function dollarsOf(
  { currency, observedAt }: SourceObservation,
  amount: Cents,
  rates: Rates,
): Cents | null {
  const rate = rateFor(rates, currency, observedAt);
  return rate === undefined ? null : inDollars(amount, rate);
}

interface Offer {
  readonly amount: Cents;
  readonly dollars: Cents | null;
  readonly newest: Day;
}

function doubtOf(
  { observedAt, prices }: SourceObservation,
  { amount, dollars, newest }: Offer,
  { market }: TradeContext,
): BuylistDoubt | null {
  if (newest - dayOf(observedAt) > FRESH_DAYS) return 'old';
  const retail = prices.low ?? prices.market;
  if (retail !== null && amount > retail) return 'above-retail';
  if (dollars === null) return 'no-rate';
  const isOver = retail === null && market !== null && dollars > market * MOST_OVER_MARKET;
  return isOver ? 'above-retail' : null;
}

function newestDay(observations: readonly SourceObservation[]): Day {
  return dayOf(Math.max(...observations.map(({ observedAt }) => observedAt)));
}

/**
 * Returns the newest report of sales. If several are from one day, returns the one over the most
 * days.
 */
function newestSales(reporting: readonly SourceObservation[], newest: Day): Sales | undefined {
  const reports = reporting.flatMap(({ trade, observedAt }) => {
    const isFresh = newest - dayOf(observedAt) <= FRESH_DAYS;
    return trade?.sales && isFresh ? [{ sales: trade.sales, day: dayOf(observedAt) }] : [];
  });
  return reports.sort((a, b) => b.day - a.day || b.sales.days - a.sales.days)[0]?.sales;
}
