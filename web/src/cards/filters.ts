import { MAX_TEXT_LENGTH } from '../api/links.ts';
import { MAX_ROWS } from './batches.ts';

/** The common parts of the addresses of lists of cards. */

export type AddressQuery = Readonly<Record<string, string>>;

/** The price filter of a list of cards. */
export interface PriceFilter {
  /** The lowest market price in the reader's currency, as typed; empty for any. */
  readonly min: string;
  /** The highest market price in the reader's currency, as typed; empty for any. */
  readonly max: string;
  /** Whether cards must have a price. */
  readonly isPriced: boolean;
}

export const ANY_PRICE: PriceFilter = { min: '', max: '', isPriced: false };

/** Parses a text parameter of an address. A missing one is empty, and a long one is truncated. */
export function parseText(text = ''): string {
  return text.slice(0, MAX_TEXT_LENGTH);
}

/** Parses a choice among the keys of `labels`. A missing or invalid one is `initial`. */
export function parseChoice<Name extends string>(
  labels: Readonly<Record<Name, string>>,
  text: string | undefined,
  initial: Name,
): Name {
  return text !== undefined && Object.hasOwn(labels, text) ? (text as Name) : initial;
}

/** Parses the number of a page in an address; 1 if it is missing or invalid. */
export function parsePage(page = ''): number {
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1;
}

/** Returns the number of the page that begins at an offset. */
export function pageAt(offset: number): number {
  return 1 + Math.floor(offset / MAX_ROWS);
}

/** Returns the page parameter of an address, which the first page does not have. */
export function pageParameter(page: number): number | undefined {
  return page === 1 ? undefined : page;
}

/** Returns the API parameter for the offset of a page, which the first page does not have. */
export function offsetParameter(page: number): number | undefined {
  return page === 1 ? undefined : (page - 1) * MAX_ROWS;
}

/** Parses the price filter of an address. The lower of two amounts becomes the lowest price. */
export function parsePriceFilter(query: AddressQuery): PriceFilter {
  const amounts = [parseAmount(query.min_price), parseAmount(query.max_price)];
  if (!amounts.includes('')) amounts.sort((a, b) => Number(a) - Number(b));
  const [min = '', max = ''] = amounts;
  return { min, max, isPriced: query.priced === 'true' };
}

/** Returns an amount of money as the API takes it, or an empty text for an invalid amount. */
export function parseAmount(text = ''): string {
  const amount = text
    .trim()
    .replace(/^[$€£¥]/, '')
    .replaceAll(',', '');
  return /^\d{1,7}(\.\d{1,2})?$/.test(amount) ? amount : '';
}

/** Returns the parameters of a price filter, which addresses and the API share. */
export function priceParameters({ min, max, isPriced }: PriceFilter) {
  return { min_price: min, max_price: max, priced: isPriced ? 'true' : '' };
}
