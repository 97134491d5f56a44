/**
 * The currencies of prices (docs/pricing.md#currencies). Internally, an amount is a whole number of
 * hundredths of its currency's unit, even if the currency has no hundredths: 500 yen are 50,000. So
 * all currencies have the same scale.
 */
export const CURRENCIES = {
  USD: { symbol: '$', decimals: 2, marketplaces: ['tcgplayer', 'cardkingdom', 'pricecharting'] },
  EUR: { symbol: '€', decimals: 2, marketplaces: ['cardmarket'] },
  GBP: { symbol: '£', decimals: 2, marketplaces: [] },
  JPY: { symbol: '¥', decimals: 0, marketplaces: [] },
} as const satisfies Record<string, CurrencyFacts>;

interface CurrencyFacts {
  readonly symbol: string;
  /** The number of decimals that people write. */
  readonly decimals: 0 | 2;
  /** The marketplaces that have only this currency. */
  readonly marketplaces: readonly string[];
}

export type Currency = keyof typeof CURRENCIES;

export const CURRENCY_CODES = Object.keys(CURRENCIES) as readonly Currency[];

/** Returns the currency with a code, in upper case, if there is one. */
export function findCurrency(code: string): Currency | undefined {
  return CURRENCY_CODES.find((currency) => currency === code);
}

/** The words that people write next to an amount. The pages do not load them. */
export const CURRENCY_WORDS: Readonly<Record<Currency, readonly string[]>> = {
  USD: ['usd', 'dollar', 'dollars', 'buck', 'bucks'],
  EUR: ['eur', 'euro', 'euros'],
  GBP: ['gbp', 'pound', 'pounds'],
  JPY: ['jpy', 'yen'],
};

/** Returns the currency that people write as a symbol or word, such as `€` or `pounds`, if any. */
export function currencyCalled(text: string): Currency | undefined {
  const word = text.toLowerCase();
  return CURRENCY_CODES.find((currency) => {
    return CURRENCIES[currency].symbol === word || CURRENCY_WORDS[currency].includes(word);
  });
}

/** Returns the only currency of a marketplace; undefined for a marketplace that is not listed. */
export function currencyAt(marketplace: string): Currency | undefined {
  return CURRENCY_CODES.find((currency) => {
    const { marketplaces }: CurrencyFacts = CURRENCIES[currency];
    return marketplaces.includes(marketplace);
  });
}

/** The currency that a caller asks for; `native` is the one in which each price was observed. */
export type WantedCurrency = Currency | 'native';

export const WANTED_CURRENCIES: readonly WantedCurrency[] = [...CURRENCY_CODES, 'native'];
