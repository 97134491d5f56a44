import { type Cents, centsFromDollars } from '../../domain/money.ts';
import { BadRecord } from '../kit/schema.ts';

/**
 * PriceCharting writes prices as `$1,234.56`, as `420.00` or as whole cents, `42000`, and all of a
 * file alike. A whole number alone does not tell; so a file is in dollars as soon as one price in
 * it has a `$`, a `.` or a `,`, and in cents when none has.
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
 * The cents of a price; null for nothing and for zero, which mean that none is known.
 *
 * @throws BadRecord for what cannot be a price.
 */
export function parsePrice(text: string, unit: PriceUnit): Cents | null {
  if (text === '') return null;
  const amount = SHAPES[unit].test(text) ? Number(text.replace(/[$,]/g, '')) : Number.NaN;
  const cents = centsFromDollars(unit === 'dollars' ? amount : amount / 100);
  if (cents === undefined) throw new BadRecord(`"${text.slice(0, 40)}" cannot be a price`);
  return cents === 0 ? null : cents;
}
