import {
  type Card,
  defaultPrinting,
  type NativePrices,
  type Origins,
  originsOf,
  type PricePart,
  type Printing,
  type ServedPrices,
} from './card.ts';
import type { Confidence } from './confidence.ts';
import { type Conversion, conversionOn, convert, noRateReason } from './conversion.ts';
import type { Currency, WantedCurrency } from './currencies.ts';
import { type Day, dayOf } from './day.ts';
import { assumedConfidence } from './judge-confidence.ts';
import type { Cents } from './money.ts';
import { NO_PRICES, type PriceFigures } from './price.ts';
import type { Rates } from './rates.ts';

/** How many days native figures may be older than the figures in dollars, as at a marketplace. */
const NATIVE_DAYS = 30;

/**
 * Shows prices in the caller's currency, on a day (UTC): reports in that currency if there are any,
 * otherwise reports in dollars, converted.
 */
export class LocalPrices {
  readonly currency: WantedCurrency;
  readonly #rates: Rates;
  readonly #today: Day;
  /**
   * The conversion from dollars into {@link compared} today. Cached, because lists convert many
   * prices.
   */
  readonly #toCompared: Conversion | undefined;

  constructor(currency: WantedCurrency, rates: Rates, today: Day) {
    this.currency = currency;
    this.#rates = rates;
    this.#today = today;
    this.#toCompared = this.conversion(this.compared, today);
  }

  /** Returns a card with all printings in the currency. */
  card(card: Card): Card {
    const { rowId, id, set, name, number, rarity, image } = card;
    const printings = card.printings.map((printing) => this.printing(printing));
    return { rowId, id, set, name, number, rarity, image, printings };
  }

  printing(dollars: Printing): Printing {
    const currency = this.currencyOf(dollars);
    if (currency === 'USD') return this.#inDollars(dollars);
    const native = recentNative(dollars, currency);
    const conversion = this.conversion(currency, this.#today);
    const fromDollars = native && hasFigures(native) ? impliedBy(native, dollars) : conversion;
    const parts = native && convertedParts(dollars.prices, native.prices);
    const isConverted = parts === undefined || parts.length > 0;
    const money = {
      currency,
      conversion: isConverted ? conversion : undefined,
      convertedParts: conversion && parts,
      reason: isConverted && !conversion ? noRateReason('USD', currency, this.#today) : undefined,
      fromDollars,
      dollars,
    };
    const local = localPrices(dollars, native, conversion);
    const { trade, isPast } = dollars;
    return { ...local, ...judgement(dollars, native, fromDollars), trade, money, isPast };
  }

  /** Returns a printing with only the prices in dollars, converted. */
  converted(dollars: Printing): Printing {
    return this.printing({ ...dollars, native: undefined });
  }

  /** Returns the currency in which the prices of a printing are shown. */
  currencyOf({ native, prices }: Printing): Currency {
    if (this.currency !== 'native') return this.currency;
    const served = native?.find(({ isServed }) => isServed);
    const only = prices.figuresAt === null ? native?.find(hasFigures) : undefined;
    return (served ?? only)?.currency ?? 'USD';
  }

  /** The currency of comparisons: dollars for `native`, whose prices are in several currencies. */
  get compared(): Currency {
    return this.currency === 'native' ? 'USD' : this.currency;
  }

  /** Returns the market price of a card or product for comparisons: the one that is shown. */
  market(card: Card): Cents | null {
    const printing = defaultPrinting(card);
    if (!printing) return null;
    return this.shownOf(printing.prices.market, nativeMarket(printing, this.compared));
  }

  /** The same for a price in dollars and its {@link nativeMarket}. */
  shownOf(dollars: Cents | null, native: Cents | null | undefined): Cents | null {
    if (this.compared === 'USD') return dollars;
    if (native !== undefined) return native;
    const conversion = this.#toCompared;
    return dollars === null || !conversion ? null : convert(dollars, conversion);
  }

  /**
   * Returns the conversion of amounts into {@link compared}, or a sentence that explains why there
   * is none.
   */
  conversionFrom(currency: Currency): Conversion | string {
    const found = conversionOn(this.#rates, currency, this.compared, this.#today);
    return found ?? noRateReason(currency, this.compared, this.#today);
  }

  /** Returns an amount of {@link compared} in dollars; undefined without a rate. */
  inDollars(amount: Cents): Cents | undefined {
    if (this.compared === 'USD') return amount;
    const conversion = conversionOn(this.#rates, this.compared, 'USD', this.#today);
    return conversion && convert(amount, conversion);
  }

  /** Returns the conversion from dollars by the rates of a day; undefined without a rate. */
  conversion(to: Currency, day: Day): Conversion | undefined {
    return conversionOn(this.#rates, 'USD', to, day);
  }

  /** Dollars stay unchanged, with the rate by which they were converted from another currency. */
  #inDollars(dollars: Printing): Printing {
    const served = dollars.native?.find(({ isServed }) => isServed);
    const day = dayOf(dollars.prices.figuresAt ?? 0);
    const conversion = served && conversionOn(this.#rates, served.currency, 'USD', day);
    const convertedParts = conversion && (['figures'] as const);
    return { ...dollars, money: { currency: 'USD', conversion, convertedParts, dollars } };
  }
}

/**
 * Returns the market price that sources report in a currency; undefined if dollars are converted.
 */
export function nativeMarket(printing: Printing, currency: Currency): Cents | null | undefined {
  const native = recentNative(printing, currency);
  return native && hasFigures(native) ? native.prices.market : undefined;
}

function hasFigures({ prices }: NativePrices): boolean {
  return prices.figuresAt !== null;
}

/** Returns the reports in a currency, unless they are much older than the figures in dollars. */
function recentNative({ native, prices }: Printing, currency: Currency): NativePrices | undefined {
  const own = native?.find((one) => one.currency === currency);
  if (!own || own.prices.figuresAt === null || prices.figuresAt === null) return own;
  const age = dayOf(prices.figuresAt) - dayOf(own.prices.figuresAt);
  return age <= NATIVE_DAYS ? own : undefined;
}

/**
 * Returns the rate that converted native figures into the served dollars; undefined if those came
 * from others.
 */
function impliedBy({ currency, prices, isServed }: NativePrices, { prices: dollars }: Printing) {
  if (!isServed || !prices.market || !dollars.market || dollars.figuresAt === null)
    return undefined;
  const rate = prices.market / dollars.market;
  return { from: 'USD', to: currency, rate, day: dayOf(dollars.figuresAt) } as const;
}

/** Returns the parts that are known only in dollars. */
function convertedParts(dollars: ServedPrices, native: ServedPrices): readonly PricePart[] {
  const parts = [
    ['figures', dollars.figuresAt, native.figuresAt],
    ['conditions', dollars.conditionsAt, native.conditionsAt],
    ['graded', dollars.gradedAt, native.gradedAt],
  ] as const;
  return parts.flatMap(([part, at, nativeAt]) => (at !== null && nativeAt === null ? part : []));
}

/** Returns a printing with native prices where there are any, and converted ones otherwise. */
function localPrices(
  dollars: Printing,
  native: NativePrices | undefined,
  conversion: Conversion | undefined,
): Pick<Printing, 'rowId' | 'name' | 'prices' | 'origins'> {
  const { rowId, name } = dollars;
  const converted = convertedPrices(dollars.prices, conversion);
  if (!native) return { rowId, name, prices: converted, origins: dollars.origins };
  const own = native.prices;
  const { market, low, mid, high, figuresAt } = own.figuresAt === null ? converted : own;
  const { conditions, conditionsAt } = own.conditionsAt === null ? converted : own;
  const { graded, gradedAt } = own.gradedAt === null ? converted : own;
  const origins = joinedOrigins(originsOf(native), originsOf(dollars));
  const all = [origins.figures ?? [], origins.conditions ?? [], origins.graded].flat();
  const sources = [...new Set(all)].sort();
  const parts = { conditions, graded, sources, figuresAt, conditionsAt, gradedAt };
  return { rowId, name, prices: { market, low, mid, high, ...parts }, origins };
}

function joinedOrigins(own: Origins, others: Origins): Origins {
  return {
    figures: own.figures ?? others.figures,
    conditions: own.conditions ?? others.conditions,
    graded: own.graded.length > 0 ? own.graded : others.graded,
  };
}

/**
 * Returns the known facts about the price in dollars, converted. Native figures that the dollars
 * were not converted from have no history, and are judged alone.
 */
function judgement(
  { bases, confidence, dispute }: Printing,
  native: NativePrices | undefined,
  conversion: Conversion | undefined,
): Pick<Printing, 'bases' | 'confidence' | 'dispute'> {
  if (!conversion) return { confidence: native && assumedConfidence(native) };
  return {
    bases,
    confidence: convertedConfidence(confidence, conversion),
    dispute: dispute && { ...dispute, reported: convert(dispute.reported, conversion) },
  };
}

function convertedPrices(prices: ServedPrices, conversion: Conversion | undefined): ServedPrices {
  if (!conversion) return { ...prices, ...NO_PRICES, conditions: {}, graded: {} };
  return {
    ...prices,
    ...convertedFigures(prices, conversion),
    conditions: convertAll(prices.conditions, conversion),
    graded: convertAll(prices.graded, conversion),
  };
}

/** Converts the four figures. */
export function convertedFigures({ market, low, mid, high }: PriceFigures, conversion: Conversion) {
  const figure = (amount: Cents | null) => (amount === null ? null : convert(amount, conversion));
  return { market: figure(market), low: figure(low), mid: figure(mid), high: figure(high) };
}

function convertAll<Amounts extends object>(amounts: Amounts, conversion: Conversion): Amounts {
  const entries = Object.entries(amounts) as [string, Cents][];
  return Object.fromEntries(
    entries.map(([name, amount]) => [name, convert(amount, conversion)]),
  ) as Amounts;
}

function convertedConfidence(
  confidence: Confidence | undefined,
  conversion: Conversion,
): Confidence | undefined {
  const interval = confidence?.interval;
  if (!interval) return confidence;
  const [low, high] = [convert(interval.low, conversion), convert(interval.high, conversion)];
  return { ...confidence, interval: { low, high } };
}
