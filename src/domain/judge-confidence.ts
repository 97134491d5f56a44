import type { Printing, ServedPrices } from './card.ts';
import type { Confidence, Interval, LastingLevel } from './confidence.ts';
import { addDays, type Day, dayOf } from './day.ts';
import type { Cents } from './money.ts';
import { type HistoryDay, hasPrice, type PriceFigures } from './price.ts';
import { CHANGE_WINDOW_NAMES, type ChangeDoubts, factorBetween } from './price-changes.ts';

/** Judges the confidence of a price from the reports about it (docs/pricing.md#how-sure-it-is). */

/** The days whose observations count, up to the day of the figures. */
export const OBSERVED_DAYS = 30;

/** The days whose prices an interval includes. */
const INTERVAL_DAYS = 7;

/** With fewer observations, an unconfirmed price is thin. */
const FEW_OBSERVATIONS = 3;

/** The largest factor between two prices that are about the same, as in validation. */
const ALIKE = 1.5;

/** In cents. Factors between amounts of a few cents mean nothing. */
const ALIKE_CENTS = 2;

/** The evidence for judging the confidence in a price. */
export interface PriceReports {
  readonly prices: ServedPrices;
  /** The marketplace of the figures; null without figures. */
  readonly marketplace: string | null;
  /** The newest days of the history, oldest first. */
  readonly days: readonly HistoryDay[];
  /** The fresh market prices of other marketplaces, in US cents. */
  readonly others: readonly MarketplacePrice[];
  readonly doubts: ChangeDoubts;
}

/** A market price at a marketplace. */
export interface MarketplacePrice {
  readonly marketplace: string;
  readonly market: Cents;
}

/** Returns the confidence in a price; undefined without a price. */
export function judgeConfidence(reports: PriceReports): Confidence | undefined {
  const { prices, marketplace } = reports;
  if (prices.figuresAt === null || marketplace === null) return withoutFigures(prices);
  const agreeing = agreeingPrices(reports);
  const own = ownDays(reports, addDays(dayOf(prices.figuresAt), -OBSERVED_DAYS));
  const observations = Math.max(1, own.length);
  const sources = 1 + new Set(agreeing.map((one) => one.marketplace)).size;
  const level = levelBy(reports, sources, observations);
  return { level, sources, observations, interval: intervalOf(prices, own, agreeing) };
}

/** Prices of only conditions or grades have nothing to compare with. */
function withoutFigures({ conditionsAt, gradedAt }: ServedPrices): Confidence | undefined {
  if (conditionsAt === null && gradedAt === null) return undefined;
  return { level: 'thin', sources: 1, observations: 1, interval: null };
}

function agreeingPrices({
  prices: { market },
  marketplace,
  others,
}: PriceReports): MarketplacePrice[] {
  if (market === null) return [];
  return others.filter((other) => {
    return other.marketplace !== marketplace && areAlike(other.market, market);
  });
}

/** Returns the days after `after` on which the marketplace newly observed a price. */
function ownDays({ days, marketplace }: PriceReports, after: Day): HistoryDay[] {
  return days.filter((day) => {
    const { provenance } = day;
    const isOwn = provenance === null || provenance.marketplace === marketplace;
    return day.day > after && isOwn && !provenance?.repeated && hasPrice(day);
  });
}

function levelBy(reports: PriceReports, sources: number, observations: number): LastingLevel {
  const isInDoubt = Object.values(reports.doubts).some((doubt) => doubt === 'unconfirmed');
  if (!isInDoubt && (sources > 1 || isListedAlike(reports.prices))) return 'confirmed';
  return observations < FEW_OBSERVATIONS ? 'thin' : 'single-source';
}

/**
 * Whether several sellers ask for about the market price: the median listing is about the same, and
 * listings differ.
 */
function isListedAlike({ market, low, mid, high }: PriceFigures): boolean {
  if (market === null || low === null || mid === null || high === null) return false;
  return low < high && market <= high && areAlike(market, mid);
}

function areAlike(a: Cents, b: Cents): boolean {
  return Math.abs(a - b) <= ALIKE_CENTS || factorBetween(a, b) <= ALIKE;
}

function intervalOf(
  { market, figuresAt }: ServedPrices,
  own: readonly HistoryDay[],
  agreeing: readonly MarketplacePrice[],
): Interval | null {
  if (market === null || figuresAt === null) return null;
  const after = addDays(dayOf(figuresAt), -INTERVAL_DAYS);
  const ofWeek = own.flatMap((day) => (day.day > after ? (day.market ?? []) : []));
  if (ofWeek.length < 2 && agreeing.length === 0) return null;
  const all = [market, ...ofWeek, ...agreeing.map((one) => one.market)];
  return { low: Math.min(...all) as Cents, high: Math.max(...all) as Cents };
}

/** Returns the confidence in a price without recorded reports; undefined without a price. */
export function assumedConfidence({
  prices,
  bases,
}: Pick<Printing, 'prices' | 'bases'>): Confidence | undefined {
  if (prices.figuresAt === null) return withoutFigures(prices);
  const isKnownLonger = CHANGE_WINDOW_NAMES.some((window) => bases?.[window] != null);
  const unlisted = isKnownLonger ? 'single-source' : 'thin';
  const level = isListedAlike(prices) ? 'confirmed' : unlisted;
  return { level, sources: 1, observations: isKnownLonger ? 2 : 1, interval: null };
}
