import { type Day, parseDay } from '../../domain/day.ts';
import { type Cents, centsFromDollars } from '../../domain/money.ts';
import { NO_PRICES, type PriceQuad } from '../../domain/price.ts';
import { BadRow } from '../csv.ts';
import type { PastListing } from '../source.ts';
import type { ColumnNames } from './columns.ts';

/** A row as it stands in the file: all text in CSV, numbers and null too in JSON. */
export type QuoteRow = Readonly<Record<string, unknown>>;

/** What a row says, or why it cannot be what it should. `latest` is the newest possible day. */
export function adaptQuote(row: QuoteRow, names: ColumnNames, latest: Day): PastListing | BadRow {
  const cardKey = textOf(row[names.card]);
  if (cardKey === '') return new BadRow(`${names.card} is empty`);
  const date = textOf(row[names.date]);
  const day = parseDay(date);
  if (day === undefined || day < 0) return new BadRow(`"${shown(date)}" is not a day YYYY-MM-DD`);
  if (day > latest) return new BadRow(`${date} is in the future`);
  const prices = adaptPrices(row, names);
  if (prices instanceof BadRow) return prices;
  const printing = names.printing === undefined ? '' : textOf(row[names.printing]);
  if (printing.length > MAX_PRINTING) return new BadRow('the name of the printing is too long');
  return { cardKey, printing: printing === '' ? undefined : printing, day, prices };
}

const MAX_PRINTING = 100;

function adaptPrices(row: QuoteRow, { figures }: ColumnNames): PriceQuad | BadRow {
  const prices: Record<string, Cents | null> = { ...NO_PRICES };
  for (const [figure, name] of Object.entries(figures)) {
    const text = textOf(row[name]);
    const cents = text === '' ? 0 : centsOf(text);
    if (cents === undefined) return new BadRow(`${name} "${shown(text)}" cannot be a price`);
    // A price of nothing means that nothing is known.
    prices[figure] = cents === 0 ? null : (cents as Cents);
  }
  return { ...NO_PRICES, ...prices };
}

function centsOf(text: string): Cents | undefined {
  return /^\d+(\.\d+)?$/.test(text) ? centsFromDollars(Number(text)) : undefined;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value.trim() : JSON.stringify(value);
}

function shown(text: string): string {
  return text.slice(0, 40);
}
