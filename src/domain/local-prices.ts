import type { Card, PriceMoney, Printing, ServedPrices } from './card.ts';
import type { Confidence } from './confidence.ts';
import { type Conversion, conversionOn, convert, noRateReason } from './conversion.ts';
import type { Currency, WantedCurrency } from './currencies.ts';
import type { Day } from './day.ts';
import type { Cents } from './money.ts';
import { NO_PRICES, type PriceFigures } from './price.ts';
import type { Rates } from './rates.ts';

/** A printing in the currency that a caller asked for. */
export interface LocalPrinting extends Printing {
  readonly money: PriceMoney;
}

/** Shows prices in the currency that a caller asks for, on a day (UTC). */
export class LocalPrices {
  readonly currency: WantedCurrency;
  readonly #rates: Rates;
  readonly #today: Day;

  constructor(currency: WantedCurrency, rates: Rates, today: Day) {
    this.currency = currency;
    this.#rates = rates;
    this.#today = today;
  }

  /** Returns a card with all printings in the currency. */
  card(card: Card): Card {
    const { rowId, id, set, name, number, rarity, image } = card;
    const printings = card.printings.map((printing) => this.printing(printing));
    return { rowId, id, set, name, number, rarity, image, printings };
  }

  printing(dollars: Printing): LocalPrinting {
    const currency = this.currency === 'native' ? 'USD' : this.currency;
    if (currency === 'USD') return { ...dollars, money: { currency, dollars } };
    const conversion = conversionOn(this.#rates, 'USD', currency, this.#today);
    if (!conversion) return unpriced(dollars, currency, noRateReason(currency, this.#today));
    return { ...inCurrency(dollars, conversion), money: { currency, conversion, dollars } };
  }
}

function unpriced(dollars: Printing, currency: Currency, reason: string): LocalPrinting {
  const { rowId, name, prices, origins } = dollars;
  const none = { ...prices, ...NO_PRICES, conditions: {}, graded: {} };
  return { rowId, name, prices: none, origins, money: { currency, reason, dollars } };
}

function inCurrency(printing: Printing, conversion: Conversion): Printing {
  const { prices, confidence, dispute } = printing;
  return {
    ...printing,
    prices: { ...prices, ...convertedAmounts(prices, conversion) },
    confidence: confidence && convertedConfidence(confidence, conversion),
    dispute: dispute && { ...dispute, reported: convert(dispute.reported, conversion) },
  };
}

function convertedAmounts(
  { market, low, mid, high, conditions, graded }: ServedPrices,
  conversion: Conversion,
): PriceFigures & Pick<ServedPrices, 'conditions' | 'graded'> {
  const figure = (amount: Cents | null) => (amount === null ? null : convert(amount, conversion));
  return {
    market: figure(market),
    low: figure(low),
    mid: figure(mid),
    high: figure(high),
    conditions: convertAll(conditions, conversion),
    graded: convertAll(graded, conversion),
  };
}

function convertAll<Amounts extends object>(amounts: Amounts, conversion: Conversion): Amounts {
  const entries = Object.entries(amounts) as [string, Cents][];
  return Object.fromEntries(
    entries.map(([name, amount]) => [name, convert(amount, conversion)]),
  ) as Amounts;
}

function convertedConfidence(confidence: Confidence, conversion: Conversion): Confidence {
  const { interval } = confidence;
  if (!interval) return confidence;
  const [low, high] = [convert(interval.low, conversion), convert(interval.high, conversion)];
  return { ...confidence, interval: { low, high } };
}
