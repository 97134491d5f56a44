import { type Conversion, convert } from '../../domain/conversion.ts';
import {
  CURRENCIES,
  CURRENCY_CODES,
  CURRENCY_WORDS,
  currencyCalled,
} from '../../domain/currencies.ts';
import type { LocalPrices } from '../../domain/local-prices.ts';
import { type Cents, centsFromDollars } from '../../domain/money.ts';

/** Amounts of money in queries. */

/** A pattern of the symbols of currencies. */
export const SYMBOL = `[${CURRENCY_CODES.map((code) => CURRENCIES[code].symbol).join('')}]`;

/** A pattern of the words for currencies. */
export const CURRENCY_WORD = Object.values(CURRENCY_WORDS).flat().join('|');

/** Matches the texts that name a currency. */
export const MONEY = new RegExp(String.raw`${SYMBOL}|\b(?:${CURRENCY_WORD})\b`, 'i');

/** An amount in the currency in which prices are compared. */
export interface Amount {
  readonly value: Cents;
  /** Its conversion, if it was typed in another currency. */
  readonly conversion?: Conversion;
}

/** An amount that cannot be compared with prices, with the reason in a sentence. */
export interface UnknownAmount {
  readonly problem: string;
}

/**
 * Reads an amount, `1,250.50` or `1.5k`, in a unit such as `€` or `pounds`; without a unit it is in
 * the currency in which prices are compared.
 */
export function readMoney(
  digits: string,
  unit: string,
  local: LocalPrices,
): Amount | UnknownAmount {
  const plain = /,\d{3}(?!\d)/.test(digits) ? digits.replaceAll(',', '') : digits.replace(',', '.');
  const units = Number(plain.replace(/k$/i, '')) * (/k$/i.test(plain) ? 1000 : 1);
  const value = centsFromDollars(units);
  if (value === undefined) return { problem: 'No price can be this high.' };
  const currency = currencyCalled(unit) ?? local.compared;
  if (currency === local.compared) return { value };
  const conversion = local.conversionFrom(currency);
  if (typeof conversion !== 'string') return { value: convert(value, conversion), conversion };
  return { problem: `${conversion} Give the amount in ${local.compared}.` };
}
