import { conversionOn } from '../../domain/conversion.ts';
import { addDays, type Day, dayOf } from '../../domain/day.ts';
import { convertedFigures } from '../../domain/local-prices.ts';
import type { Cents } from '../../domain/money.ts';
import type { HistoryDay } from '../../domain/price.ts';
import type { Rates } from '../../domain/rates.ts';
import { printingsOf } from '../../store/catalogue/catalogue.ts';
import type { Store, Transaction } from '../../store/connect.ts';
import { newestDays } from '../../store/history/index.ts';
import type { PriceLevel, ResolvedObservation } from '../observation.ts';
import { ratio } from './amounts.ts';
import { isFar, sizeOf } from './belief.ts';
import { measureSet, medianOf, movesOf, seriesOfSet } from './set-level.ts';

/**
 * The price levels of the last 30 days. A price that climbs every day by less than the limit of a
 * jump ends up far from its level. Most prices hardly move from one day to the next, so the history
 * is read only for those that did.
 */

/** The thirtieth root of 3: with smaller steps, no price leaves its level of 30 days. */
const NOTICED = 1.037;

/** From this daily median move, as a logarithm, a set may be drifting. */
const DRIFTING = 0.015;

/** A set with fewer prices has no drift. */
const LEAST_FOR_DRIFT = 10;

/** The number of days in a level. */
export const MONTH = 30;
const WEEK = 7;

/**
 * Returns the batch with the level of each printing whose market price moved, or whose whole set
 * did. Levels are for the observation's own marketplace, in its currency: the history is in
 * dollars, which are converted back at the rate of their day.
 */
export async function withLevels(
  store: Store,
  transaction: Transaction,
  batch: readonly ResolvedObservation[],
  rates: Rates,
): Promise<readonly ResolvedObservation[]> {
  const noticed = findNoticed(batch);
  if (noticed.size === 0) return batch;
  const cards = [...new Set([...noticed].map(({ card }) => card))];
  const printings = await printingsOf(store, transaction, cards);
  const rowIds = new Map(printings.map((one) => [`${one.cardRowId} ${one.name}`, one.rowId]));
  const idOf = ({ card, printing }: ResolvedObservation) => rowIds.get(`${card} ${printing}`) ?? 0;
  const ids = new Set([...noticed].map(idOf));
  const histories = await newestDays(store, transaction, [...ids], MONTH + 1);
  return batch.map((resolved) => {
    const days = noticed.has(resolved) ? histories.get(idOf(resolved)) : undefined;
    const level = days && levelOf(inCurrencyOf(resolved, days, rates), resolved);
    return level ? { ...resolved, level } : resolved;
  });
}

function findNoticed(batch: readonly ResolvedObservation[]): Set<ResolvedObservation> {
  const noticed = new Set<ResolvedObservation>();
  for (const [, ofSet] of Map.groupBy(batch, seriesOfSet)) {
    const moves = movesOf(ofSet, 'market');
    const level = measureSet(moves);
    const isDrifting =
      level && level.compared >= LEAST_FOR_DRIFT && Math.abs(level.median) >= DRIFTING;
    for (const { resolved, is, was } of moves) {
      if (isDrifting || ratio(is, was) >= NOTICED) noticed.add(resolved);
    }
  }
  return noticed;
}

/** Converts days into the currency of an observation. Omits days without a rate. */
function inCurrencyOf(
  { observation: { currency } }: ResolvedObservation,
  days: readonly HistoryDay[],
  rates: Rates,
): readonly HistoryDay[] {
  if (currency === 'USD') return days;
  return days.flatMap((day) => {
    const conversion = conversionOn(rates, 'USD', currency, day.day);
    return conversion ? [{ ...day, ...convertedFigures(day, conversion) }] : [];
  });
}

/** Returns the level before an observation; undefined if nothing is known about its marketplace. */
function levelOf(
  days: readonly HistoryDay[],
  { observation: { observedAt, marketplace } }: ResolvedObservation,
): PriceLevel | undefined {
  const today = dayOf(observedAt);
  const known = days.filter((day): day is HistoryDay & { readonly market: Cents } => {
    const isOwn = day.provenance === null || day.provenance.marketplace === marketplace;
    return isOwn && day.market !== null && day.day < today && day.day >= addDays(today, -MONTH);
  });
  const ofWeek = known.filter(({ day }) => day >= addDays(today, -WEEK));
  const level = marketLevel(known, today);
  const listings = { low: medianOfDays(ofWeek, 'low'), mid: medianOfDays(ofWeek, 'mid') };
  return level && { ...level, ...listings };
}

/** A day with its market price. */
export interface MarketDay {
  readonly day: Day;
  readonly market: Cents;
}

/**
 * Returns the oldest price of the week before a day, otherwise the newest price, and the extremes.
 *
 * @param days The days of the month before it, oldest first.
 */
export function marketLevel(
  days: readonly MarketDay[],
  today: Day,
): Pick<PriceLevel, 'weekAgo' | 'lowest' | 'highest'> | undefined {
  const [first] = days;
  const weekAgo = days.find(({ day }) => day >= today - WEEK) ?? days.at(-1);
  if (!first || !weekAgo) return undefined;
  let [lowest, highest] = [first.market, first.market];
  for (const { market } of days) {
    if (market < lowest) lowest = market;
    if (market > highest) highest = market;
  }
  return { weekAgo, lowest, highest };
}

function medianOfDays(days: readonly HistoryDay[], figure: 'low' | 'mid'): Cents | null {
  const middle = medianOf(days.flatMap((day) => day[figure] ?? []));
  return middle === undefined ? null : (Math.round(middle) as Cents);
}

/** A price to compare a market price with, and the allowed distance. */
export interface Bound {
  readonly from: Cents;
  /** The description of `from`, to complete `$10.00, …`. */
  readonly what: string;
  readonly limit: number;
}

/** The allowed distance from the extremes of a month, as a multiple of the limit for a week. */
const MONTH_LOOSENESS = 1.5;

/** In cents. Prices of a few cents triple within a month, so smaller distances do not count. */
const LEAST_AWAY = 10;

/**
 * Returns the parts of a level to compare a market price with. Omits parts from which the price was
 * already as far before, because it was accepted then.
 * @param limit By how many times a price may leave its level within a week.
 */
export function boundsOf(
  {
    weekAgo,
    lowest,
    highest,
  }: Pick<PriceLevel, 'lowest' | 'highest'> & {
    readonly weekAgo: Pick<MarketDay, 'market'>;
  },
  limit: number,
  { is, was }: { readonly is: Cents; readonly was: Cents },
): Bound[] {
  const ofMonth = limit * MONTH_LOOSENESS;
  const bounds: Bound[] = [
    { from: weekAgo.market, what: 'its price a week ago', limit },
    { from: lowest, what: 'its lowest price of the last 30 days', limit: ofMonth },
    { from: highest, what: 'its highest price of the last 30 days', limit: ofMonth },
  ];
  return bounds.filter(({ from, limit: most }) => {
    const size = sizeOf(ratio(is, from));
    const isAway = Math.abs(is - from) >= LEAST_AWAY || size === 'beyond';
    return isAway && (!isFar(was, from, most) || sizeOf(ratio(was, from)) !== size);
  });
}
