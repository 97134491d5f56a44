import { type Conversion, noRateReason } from '../../domain/conversion.ts';
import type { Currency } from '../../domain/currencies.ts';
import { convertedFigures, type LocalPrices } from '../../domain/local-prices.ts';
import { dollarsFromCents } from '../../domain/money.ts';
import { type HistoryDay, NO_PRICES } from '../../domain/price.ts';
import type { MarketDay, PeriodStatistics, Statistics } from '../../history/statistics.ts';
import { convertedView } from './money-view.ts';
import { dateOf, dollars } from './views.ts';

/** The views of past prices. */

/** A day of a history in the currency of a caller. */
interface LocalDay extends HistoryDay {
  /** How its prices were converted; undefined for prices in dollars, or without a rate. */
  readonly conversion?: Conversion | undefined;
  /** Why it has no prices; only if no rate is known. */
  readonly reason?: string;
}

/** Returns days in a currency. Each is converted from US dollars at the rate of that day. */
export function localDays(
  days: readonly HistoryDay[],
  currency: Currency,
  local: LocalPrices,
): readonly LocalDay[] {
  if (currency === 'USD') return days;
  return days.map((day) => {
    const conversion = local.conversion(currency, day.day);
    if (conversion) return { ...day, ...convertedFigures(day, conversion), conversion };
    return { ...day, ...NO_PRICES, reason: noRateReason('USD', currency, day.day) };
  });
}

/** The items of a history. */
export function historyItems(days: readonly LocalDay[]) {
  return days.map(historyItem);
}

function historyItem(one: LocalDay) {
  const { day, market, low, high, provenance, conversion, reason } = one;
  return {
    date: dateOf(day),
    market: dollars(market),
    low: dollars(low),
    high: dollars(high),
    source: provenance?.source ?? null,
    marketplace: provenance?.marketplace ?? null,
    ...(provenance?.repeated && { repeated: true }),
    ...(conversion && { converted: convertedView(conversion) }),
    ...(reason !== undefined && { reason }),
  };
}

/** The market prices of each period, summed up. */
export function statisticsView(of: Statistics) {
  return {
    '7d': periodView(of['7d']),
    '30d': periodView(of['30d']),
    '90d': periodView(of['90d']),
    '1y': periodView(of['1y']),
    all: periodView(of.all),
  };
}

function periodView(of: PeriodStatistics | null) {
  if (of === null) return null;
  const { lowest, highest, mean, standardDeviation, slope, days } = of;
  return {
    lowest: marketDay(lowest),
    highest: marketDay(highest),
    mean: dollarsFromCents(mean),
    standardDeviation: dollarsFromCents(standardDeviation),
    slope: slope === null ? null : slope / 10_000,
    days,
  };
}

function marketDay({ day, market }: MarketDay) {
  return { date: dateOf(day), market: dollarsFromCents(market) };
}
