import { type Cents, centsFromDollars } from '../../domain/money.ts';
import { BadRecord } from '../io/bad-record.ts';

/**
 * The unit of all prices in a file. PriceCharting writes `$1,234.56`, `420.00` or whole cents,
 * `42000`. A file is in dollars as soon as one price has a `$`, a `.` or a `,`, and otherwise in
 * cents.
 */
export type PriceUnit = 'dollars' | 'cents';

const SHAPES: Readonly<Record<PriceUnit, RegExp>> = {
  dollars: /^\$?(?:\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.\d{1,4})?$/,
  cents: /^\d{1,14}$/,
};

/** Whether a price can only be in dollars. */
export function isInDollars(text: string): boolean {
  return /[$.,]/.test(text);
}

/**
 * Returns the cents of a price; null for nothing and for zero, by which an unknown price is meant.
 *
 * @throws BadRecord for anything that cannot be a price.
 */
export function parsePrice(text: string, unit: PriceUnit): Cents | null {
  if (text === '') return null;
  const amount = SHAPES[unit].test(text) ? Number(text.replace(/[$,]/g, '')) : Number.NaN;
  const cents = centsFromDollars(unit === 'dollars' ? amount : amount / 100);
  if (cents === undefined) throw new BadRecord(`"${text.slice(0, 40)}" cannot be a price`);
  return cents === 0 ? null : cents;
}
