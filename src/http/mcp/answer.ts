import { CURRENCIES, type Currency, findCurrency } from '../../domain/currencies.ts';

/** The answers of tools: data for programs, and a text with the same content for people. */

export interface Answer<Data = unknown> {
  readonly data: Data;
  readonly text: string;
}

/** The longest answer, in bytes of JSON, because assistants pay for every byte. */
export const MAX_BYTES = 3_800;

/**
 * Returns the answer of `make` for as many leading items as fit into the limit. `make` is called
 * with different numbers of items, so it must state how many are missing. More items must give
 * longer answers: a binary search finds the number, because histories have thousands of days.
 */
export function fitted<Item, Data>(
  items: readonly Item[],
  make: (shown: readonly Item[]) => Answer<Data>,
): Answer<Data> {
  const whole = make(items);
  if (sizeOf(whole) <= MAX_BYTES) return whole;
  let [best, fitting, tooMany] = [make([]), 0, items.length];
  while (tooMany - fitting > 1) {
    const count = (fitting + tooMany) >>> 1;
    const answer = make(items.slice(0, count));
    if (sizeOf(answer) <= MAX_BYTES) [best, fitting] = [answer, count];
    else tooMany = count;
  }
  return best;
}

function sizeOf({ data, text }: Answer): number {
  return Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(text));
}

/** Formats an amount for people: `$12.50`; `no price` for none. */
export function amount(value: number | null | undefined, currency: Currency = 'USD'): string {
  if (value === null || value === undefined) return 'no price';
  const { symbol, decimals } = CURRENCIES[currency];
  return `${value < 0 ? '-' : ''}${symbol}${Math.abs(value).toFixed(decimals)}`;
}

/** The currency in which `/v1` states prices; US dollars if absent. */
export function currencyIn(stated: string | undefined): Currency {
  return findCurrency(stated ?? 'USD') ?? 'USD';
}

/** Formats a change in percent: `+12.5 %`. */
export function percent(value: number): string {
  return `${value > 0 ? '+' : ''}${value} %`;
}

/** The day (UTC) of a moment in ISO 8601. */
export function dayIn(moment: string | null | undefined): string | null {
  return moment?.slice(0, 10) ?? null;
}

/** `, as of 2026-01-28, from tcgplayer`, with the parts that are known. */
export function provenance(asOf: string | null | undefined, sources: readonly string[] = []) {
  const when = asOf ? `, as of ${asOf}` : '';
  return sources.length === 0 ? when : `${when}, from ${sources.join(' and ')}`;
}

/** Joins the lines that are not empty. */
export function lines(...all: readonly (string | false | undefined)[]): string {
  return all.filter(Boolean).join('\n');
}
