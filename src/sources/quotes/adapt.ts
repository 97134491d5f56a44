import { type Day, parseDay } from '../../domain/day.ts';
import { type Cents, centsFromDollars } from '../../domain/money.ts';
import type { Currency } from '../../domain/observation.ts';
import { NO_PRICES } from '../../domain/price.ts';
import type { BackfillListing } from '../contract/backfill.ts';
import { BadRow } from '../io/csv.ts';
import { type ColumnNames, isMarketplaceName } from './columns.ts';

/** A row of the file: text in CSV, also numbers and null in JSON. */
export type QuoteRow = Readonly<Record<string, unknown>>;

/** What is known of a whole file. */
export interface QuoteFile {
  readonly names: ColumnNames;
  /** Whether a name is that of a column which the first rows of the file do not have. */
  readonly isLate?: (name: string) => boolean;
  /** The newest possible day. */
  readonly latest: Day;
  /** The currency of rows that name none. */
  readonly currency: Currency;
}

/** Returns the prices of a row, or why it cannot be read. */
export function adaptRow(row: QuoteRow, file: QuoteFile): BackfillListing | BadRow {
  try {
    return listingOf(row, file);
  } catch (error) {
    if (error instanceof Fault) return new BadRow(error.message);
    throw error;
  }
}

/** What is wrong with a row. */
class Fault extends Error {}

const MAX_ID_LENGTH = 200;
const MAX_PRINTING_LENGTH = 100;

function listingOf(row: QuoteRow, file: QuoteFile): BackfillListing {
  const { names, latest, currency } = file;
  const late = file.isLate && Object.keys(row).find(file.isLate);
  if (late !== undefined) throw new Fault(`"${late}" is a column that the first rows do not have`);
  const externalId = textIn(row, names.card);
  if (externalId === '') throw new Fault(`${names.card} is empty`);
  if (externalId.length > MAX_ID_LENGTH) throw new Fault(`${names.card} is too long for an id`);
  const printing = textIn(row, names.printing);
  if (printing.length > MAX_PRINTING_LENGTH)
    throw new Fault('the name of the printing is too long');
  const ownCurrency = currencyIn(row, names.currency) ?? currency;
  const marketplace = marketplaceIn(row, names.marketplace);
  return {
    externalId,
    printing: printing === '' ? undefined : printing,
    day: dayIn(row, names.date, latest),
    prices: { ...NO_PRICES, ...amountsIn(row, names.figures) },
    ...(hasAny(names.conditions) && { conditions: amountsIn(row, names.conditions) }),
    ...(hasAny(names.graded) && { graded: amountsIn(row, names.graded) }),
    ...(ownCurrency !== 'USD' && { currency: ownCurrency }),
    ...(marketplace !== '' && { marketplace }),
  };
}

function dayIn(row: QuoteRow, name: string, latest: Day): Day {
  const date = textIn(row, name);
  const day = parseDay(date);
  if (day === undefined || day < 0) throw new Fault(`"${shown(date)}" is not a day YYYY-MM-DD`);
  if (day > latest) throw new Fault(`${date} is in the future`);
  return day;
}

function currencyIn(row: QuoteRow, name: string | undefined): Currency | undefined {
  const text = textIn(row, name).toUpperCase();
  if (text === '') return undefined;
  if (text === 'USD' || text === 'EUR') return text;
  throw new Fault(`${name} "${shown(text)}" is neither USD nor EUR`);
}

function marketplaceIn(row: QuoteRow, name: string | undefined): string {
  const text = textIn(row, name);
  if (text === '' || isMarketplaceName(text)) return text;
  throw new Fault(`${name} "${shown(text)}" is not 1 to 32 of a-z, 0-9 and -`);
}

/** Returns the known amounts of some columns, in cents. */
function amountsIn<Column extends string>(
  row: QuoteRow,
  columns: Readonly<Partial<Record<Column, string>>>,
): Partial<Record<Column, Cents>> {
  const amounts: Partial<Record<Column, Cents>> = {};
  for (const column in columns) {
    const amount = amountIn(row, columns[column]);
    if (amount !== null) amounts[column] = amount;
  }
  return amounts;
}

/** Returns the cents of an amount; null for nothing and for zero, which stand for unknown. */
function amountIn(row: QuoteRow, name: string | undefined): Cents | null {
  const text = textIn(row, name);
  if (text === '') return null;
  const cents = /^\d+(\.\d+)?$/.test(text) ? centsFromDollars(Number(text)) : undefined;
  if (cents === undefined) throw new Fault(`${name} "${shown(text)}" cannot be a price`);
  return cents === 0 ? null : cents;
}

function hasAny(columns: object): boolean {
  return Object.keys(columns).length > 0;
}

function textIn(row: QuoteRow, name: string | undefined): string {
  const value = name === undefined ? null : row[name];
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value.trim() : JSON.stringify(value);
}

function shown(text: string): string {
  return text.slice(0, 40);
}
