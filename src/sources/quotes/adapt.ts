import { UNSPECIFIED } from '../../domain/card.ts';
import { CURRENCY_CODES, type Currency, findCurrency } from '../../domain/currencies.ts';
import { type Day, parseDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { ContractGrade, Grade } from '../../domain/grade-names.ts';
import { isGrade } from '../../domain/grades.ts';
import { languageCalled, printingInLanguage } from '../../domain/languages.ts';
import { type Cents, centsFromDollars } from '../../domain/money.ts';
import {
  CONDITIONS,
  type Condition,
  FIGURES,
  NO_PRICES,
  type PriceFigures,
} from '../../domain/price.ts';
import type { BackfillListing } from '../contract/backfill.ts';
import { BadRow } from '../io/csv.ts';

/**
 * The columns of a file of prices, with their contents. The name of any other grade is also a
 * column.
 */
export const QUOTE_COLUMNS = {
  card: 'the card, by our id, such as pokemon-bs-charizard-004',
  tcgplayer: 'instead of card: the product id at TCGplayer',
  printing: "such as Holofoil; empty or left out: the card's default printing",
  date: 'the day (UTC), YYYY-MM-DD',
  market: 'what it sold for, such as 453.86',
  low: 'the lowest listing',
  mid: 'the median listing',
  high: 'the highest listing',
  near_mint: 'what it sold for in near mint condition',
  lightly_played: 'lightly played',
  moderately_played: 'moderately played',
  heavily_played: 'heavily played',
  damaged: 'damaged',
  psa_10: 'what it sold for graded 10 by PSA; other companies and grades are not the same',
  psa_9: 'graded 9 by PSA',
  bgs_9_5: 'graded 9.5 by Beckett (BGS)',
  cgc_9_5: 'graded 9.5 by CGC',
  buylist: 'what the marketplace pays for a copy',
  sales: 'copies sold in the last sales_days days',
  sales_days: 'their number; empty or left out: 30',
  last_sale: 'the day of the last sale, YYYY-MM-DD',
  language: "such as de or German; empty or left out: the language of the game's cards",
  currency: `${CURRENCY_CODES.join(', ')}; empty or left out: what --currency says`,
  marketplace: 'whose prices they are; empty or left out: what --source says',
  source: 'in its place, in a file without it',
} as const satisfies Record<Condition | ContractGrade | keyof PriceFigures, string> &
  Record<string, string>;

export type QuoteColumn = keyof typeof QUOTE_COLUMNS | Grade;

/** A file's own names of some columns, without columns that it lacks. */
type Names<Column extends string> = Readonly<Partial<Record<Column, string>>>;

const TRADE_COLUMNS = ['buylist', 'sales', 'sales_days', 'last_sale'] as const;
type TradeColumn = (typeof TRADE_COLUMNS)[number];

/** A file's own names of the columns. */
export interface ColumnNames {
  readonly card: string;
  /** The id space of the card column; null for our public card ids. */
  readonly idSpace: 'tcgcsv' | null;
  readonly date: string;
  readonly printing: string | undefined;
  readonly language: string | undefined;
  readonly currency: string | undefined;
  readonly marketplace: string | undefined;
  readonly figures: Names<keyof PriceFigures>;
  readonly trade: Names<TradeColumn>;
  readonly conditions: Names<Condition>;
  readonly graded: Names<Grade>;
}

/**
 * Parses the operator's mapping of a file's names to columns: `card_id=tcgplayer,price=market`.
 *
 * @throws OperatorError for an unknown column.
 */
export function parseColumns(text: string): Map<string, QuoteColumn> {
  return new Map(
    text.split(',').map((pair) => {
      const [name = '', column = '', ...more] = pair.split('=').map((part) => part.trim());
      if (name !== '' && isColumn(column) && more.length === 0) return [name, column];
      throw new OperatorError(
        `--columns "${pair}" is not <name in the file>=<column>; the columns are ${COLUMN_LIST}.`,
      );
    }),
  );
}

/**
 * Finds the columns among a file's names; other names are ignored.
 *
 * @throws OperatorError if the card, the date, all prices or a mapped name is missing.
 */
export function findColumns(
  names: readonly string[],
  renamed: ReadonlyMap<string, QuoteColumn>,
): ColumnNames {
  const absent = [...renamed.keys()].find((name) => !names.includes(name));
  if (absent !== undefined) {
    throw new OperatorError(
      `--columns names "${absent}", which is not one of ${names.join(', ').slice(0, 500)}.`,
    );
  }
  const own = names.filter((name) => !renamed.has(name)).map((name) => [name, name] as const);
  const byColumn = new Map<string, string>([
    ...own,
    ...[...renamed].map(([name, column]) => [column, name] as const),
  ]);
  const ours = byColumn.get('card');
  const card = ours ?? byColumn.get('tcgplayer');
  const date = byColumn.get('date');
  const prices = {
    figures: pick(byColumn, FIGURES),
    conditions: pick(byColumn, CONDITIONS),
    graded: pick(byColumn, [...byColumn.keys()].filter(isGrade)),
  };
  const isPriced = Object.values(prices).some((columns) => Object.keys(columns).length > 0);
  if (card === undefined || date === undefined || !isPriced) {
    throw new OperatorError(
      `The columns ${names.join(', ').slice(0, 500)} do not give the card, the date and a price. ` +
        `The columns are ${COLUMN_LIST}; say which stands for which: --columns price=market`,
    );
  }
  return {
    card,
    idSpace: ours === undefined ? 'tcgcsv' : null,
    date,
    printing: byColumn.get('printing'),
    language: byColumn.get('language'),
    currency: byColumn.get('currency'),
    marketplace: marketplaceColumn(byColumn, renamed),
    trade: pick(byColumn, TRADE_COLUMNS),
    ...prices,
  };
}

/** `source`, only if the operator maps it, because exports use that name for other data. */
function marketplaceColumn(
  byColumn: ReadonlyMap<string, string>,
  renamed: ReadonlyMap<string, QuoteColumn>,
): string | undefined {
  const isSaid = [...renamed.values()].includes('source');
  return (isSaid ? undefined : byColumn.get('marketplace')) ?? byColumn.get('source');
}

function pick<Column extends string>(
  byColumn: ReadonlyMap<string, string>,
  columns: readonly Column[],
): Names<Column> {
  const found: Partial<Record<Column, string>> = {};
  for (const column of columns) {
    const name = byColumn.get(column);
    if (name !== undefined) found[column] = name;
  }
  return found;
}

/** Whether a header in a file is the name of a column, or is mapped to one. */
export function isQuoteColumn(name: string, renamed: ReadonlyMap<string, QuoteColumn>): boolean {
  return renamed.has(name) || isColumn(name);
}

const COLUMN_LIST = Object.keys(QUOTE_COLUMNS)
  .join(', ')
  .replace('cgc_9_5', 'cgc_9_5, every other grade (psa_8, bgs_10_black_label)');

function isColumn(text: string): text is QuoteColumn {
  return Object.hasOwn(QUOTE_COLUMNS, text) || isGrade(text);
}

/** Whether a text can be the name of a marketplace in the API. */
export function isMarketplaceName(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,31}$/.test(text);
}

/** A row of the file: text in CSV, also numbers and null in JSON. */
export type QuoteRow = Readonly<Record<string, unknown>>;

/** Facts about a whole file. */
export interface QuoteFile {
  readonly names: ColumnNames;
  /** Whether a name is a column that is missing from the first rows of the file. */
  readonly isLate?: (name: string) => boolean;
  /** The newest possible day. */
  readonly latest: Day;
  /** The currency of rows without one. */
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

/** The fault of a row. */
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
  const printing = printingIn(row, names);
  const ownCurrency = currencyIn(row, names.currency) ?? currency;
  const marketplace = marketplaceIn(row, names.marketplace);
  return {
    externalId,
    printing,
    day: dayIn(row, names.date, latest),
    prices: { ...NO_PRICES, ...amountsIn(row, names.figures) },
    ...(hasAny(names.conditions) && { conditions: amountsIn(row, names.conditions) }),
    ...(hasAny(names.graded) && { graded: amountsIn(row, names.graded) }),
    ...tradeIn(row, names.trade, latest),
    ...(ownCurrency !== 'USD' && { currency: ownCurrency }),
    ...(marketplace !== '' && { marketplace }),
  };
}

/** Returns the printing with its language, if the row names either; otherwise undefined. */
function printingIn(row: QuoteRow, names: ColumnNames): string | undefined {
  const printing = textIn(row, names.printing);
  if (printing.length > MAX_PRINTING_LENGTH)
    throw new Fault('the name of the printing is too long');
  const text = textIn(row, names.language);
  if (text === '') return printing === '' ? undefined : printing;
  const language = languageCalled(text);
  if (!language) throw new Fault(`${names.language} "${shown(text)}" is not a language`);
  return printingInLanguage(printing === '' ? UNSPECIFIED : printing, language);
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
  const currency = findCurrency(text);
  if (currency !== undefined) return currency;
  throw new Fault(`${name} "${shown(text)}" is not one of ${CURRENCY_CODES.join(', ')}`);
}

function marketplaceIn(row: QuoteRow, name: string | undefined): string {
  const text = textIn(row, name);
  if (text === '' || isMarketplaceName(text)) return text;
  throw new Fault(`${name} "${shown(text)}" is not 1 to 32 of a-z, 0-9 and -`);
}

/** The period of sales for a row without one, in days. */
const SALES_DAYS = 30;

function tradeIn(
  row: QuoteRow,
  names: ColumnNames['trade'],
  latest: Day,
): Pick<BackfillListing, 'trade'> {
  const buylist = amountIn(row, names.buylist);
  const count = countIn(row, names.sales);
  if (buylist === null && count === null) return {};
  const last = textIn(row, names.last_sale);
  const sales = count !== null && {
    count,
    days: countIn(row, names.sales_days) ?? SALES_DAYS,
    last: last === '' ? null : dayIn(row, names.last_sale ?? '', latest),
  };
  return { trade: { ...(buylist !== null && { buylist }), ...(sales && { sales }) } };
}

/** Returns a whole number; null for an absent value. */
function countIn(row: QuoteRow, name: string | undefined): number | null {
  const text = textIn(row, name);
  if (text === '') return null;
  if (!/^\d{1,9}$/.test(text)) throw new Fault(`${name} "${shown(text)}" is not a whole number`);
  return Number(text);
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

/**
 * Returns the cents of an amount; null for an absent value and for zero, which stand for unknown.
 */
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
