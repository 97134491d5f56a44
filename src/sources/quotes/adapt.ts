import { type Day, parseDay } from '../../domain/day.ts';
import { type Cents, centsFromDollars } from '../../domain/money.ts';
import type { Currency } from '../../domain/observation.ts';
import { NO_PRICES } from '../../domain/price.ts';
import type { BackfillListing } from '../contract/backfill.ts';
import { BadRow } from '../io/csv.ts';
import { type ColumnNames, isMarketplaceName } from './columns.ts';

/** A row as it stands in the file: all text in CSV, numbers and null too in JSON. */
export type QuoteRow = Readonly<Record<string, unknown>>;

/** What is known of all rows. */
export interface QuoteFile {
  readonly names: ColumnNames;
  /** Whether a name stands for a column that the file was not seen to have. */
  readonly isLate?: (name: string) => boolean;
  /** The newest day that there can be. */
  readonly latest: Day;
  /** That of rows that do not tell theirs. */
  readonly currency: Currency;
}

/** What a row says, or why it cannot be what it should. */
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

const MAX_KEY = 200;
const MAX_PRINTING = 100;

function listingOf(row: QuoteRow, file: QuoteFile): BackfillListing {
  const { names, latest, currency } = file;
  const late = file.isLate && Object.keys(row).find(file.isLate);
  if (late !== undefined) throw new Fault(`"${late}" is a column that the first rows do not have`);
  const cardKey = textIn(row, names.card);
  if (cardKey === '') throw new Fault(`${names.card} is empty`);
  if (cardKey.length > MAX_KEY) throw new Fault(`${names.card} is too long for an id`);
  const printing = textIn(row, names.printing);
  if (printing.length > MAX_PRINTING) throw new Fault('the name of the printing is too long');
  const told = currencyIn(row, names.currency) ?? currency;
  const market = sourceIn(row, names.source);
  return {
    externalId: cardKey,
    printing: printing === '' ? undefined : printing,
    day: dayIn(row, names.date, latest),
    prices: { ...NO_PRICES, ...amountsIn(row, names.figures) },
    ...(hasAny(names.conditions) && { conditions: amountsIn(row, names.conditions) }),
    ...(hasAny(names.graded) && { graded: amountsIn(row, names.graded) }),
    ...(told !== 'USD' && { currency: told }),
    ...(market !== '' && { marketplace: market }),
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

function sourceIn(row: QuoteRow, name: string | undefined): string {
  const text = textIn(row, name);
  if (text === '' || isMarketplaceName(text)) return text;
  throw new Fault(`${name} "${shown(text)}" is not 1 to 32 of a-z, 0-9 and -`);
}

/** The amounts in some columns; without those where nothing is known. */
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

/** A price of nothing means that nothing is known. */
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
