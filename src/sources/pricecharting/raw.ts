import type { GradeName } from '../../domain/observation.ts';
import { BadRecord } from '../io/bad-record.ts';
import type { CsvRow } from '../io/csv.ts';

/**
 * The price guide that subscribers of PriceCharting download: CSV with a header, whose columns and
 * their order vary. The columns were named for video games: they are grades of cards, and other
 * grades of comics.
 */

/** The grade of cards that a price column is of. Up to 9.5, it is a grade of any company. */
export const GRADE_COLUMNS: Readonly<Record<string, GradeName>> = {
  'condition-9-price': 'grade_1',
  'condition-10-price': 'grade_2',
  'condition-13-price': 'grade_3',
  'condition-14-price': 'grade_4',
  'condition-15-price': 'grade_5',
  'condition-16-price': 'grade_6',
  'cib-price': 'grade_7', // or 7.5
  'new-price': 'grade_8', // or 8.5
  'graded-price': 'grade_9',
  'box-only-price': 'grade_9_5',
  'manual-only-price': 'psa_10',
  'bgs-10-price': 'bgs_10',
  'condition-17-price': 'cgc_10',
  'condition-18-price': 'sgc_10',
  'condition-19-price': 'cgc-pristine_10',
  'condition-20-price': 'bgs-black_10',
  'condition-21-price': 'tag_10',
  'condition-22-price': 'ace_10',
};

/** The column of ungraded cards. */
const UNGRADED_COLUMN = 'loose-price';

const PRICE_COLUMNS: readonly string[] = [UNGRADED_COLUMN, ...Object.keys(GRADE_COLUMNS)];
const REQUIRED_COLUMNS = ['id', 'console-name', 'product-name', UNGRADED_COLUMN];

export interface RawProduct {
  readonly id: string;
  readonly consoleName: string;
  readonly productName: string;
  readonly genre: string;
  readonly tcgId: string;
  readonly releaseDate: string;
  readonly ungraded: string;
  /** The graded prices as written; empty text where there is none. */
  readonly graded: readonly (readonly [GradeName, string])[];
}

/** @throws BadRecord when the header lacks a required column. */
export function checkHeader(names: readonly string[]): void {
  const missing = REQUIRED_COLUMNS.filter((name) => !names.includes(name));
  if (missing.length === 0) return;
  const shown = names.slice(0, 20).join(', ').slice(0, 300);
  throw new BadRecord(`it has no column ${missing.join(', ')} among ${shown}`);
}

/** Characters. No name is longer. */
const MAX_NAME_LENGTH = 500;

/** @throws BadRecord for a row without a product. */
export function parseProduct(row: CsvRow): RawProduct {
  const id = cell(row, 'id');
  if (!/^[\w-]{1,40}$/.test(id)) throw new BadRecord(`id "${id.slice(0, 40)}" is none`);
  return {
    id,
    consoleName: name(row, 'console-name'),
    productName: name(row, 'product-name'),
    genre: cell(row, 'genre'),
    tcgId: cell(row, 'tcg-id'),
    releaseDate: cell(row, 'release-date'),
    ungraded: cell(row, UNGRADED_COLUMN),
    graded: Object.entries(GRADE_COLUMNS).map(([column, grade]) => [grade, cell(row, column)]),
  };
}

/** Returns all prices of a row as written. */
export function priceCells(row: CsvRow): string[] {
  return PRICE_COLUMNS.map((column) => cell(row, column));
}

function cell(row: CsvRow, column: string): string {
  return row[column]?.trim() ?? '';
}

function name(row: CsvRow, column: string): string {
  const text = cell(row, column);
  if (text === '') throw new BadRecord(`${column} is empty`);
  if (text.length > MAX_NAME_LENGTH) throw new BadRecord(`${column} is too long for a name`);
  return text;
}
