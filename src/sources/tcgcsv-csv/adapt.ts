import { centsFromDollars } from '../../domain/money.ts';
import { safeText } from '../../domain/text.ts';
import type { CsvRow } from '../io/csv.ts';
import { BadRecord } from '../io/json.ts';
import type { RawPrice, RawProduct } from '../tcgcsv/adapt.ts';

/**
 * Rows of `ProductsAndPrices.csv`: a product with one of its prices, or without any. The columns
 * differ between files; columns of extended data start with `ext`.
 */
export interface RowContent {
  readonly category: number;
  readonly group: number;
  readonly product: RawProduct;
  readonly price: RawPrice | undefined;
}

/** @throws BadRecord for an impossible cell. */
export function adaptRow(row: CsvRow): RowContent {
  const productId = whole(row, 'productId');
  const name = row.name ?? '';
  if (name === '') throw new BadRecord('name is empty');
  const subTypeName = row.subTypeName ?? '';
  const figures = prices(row);
  if (subTypeName === '' && Object.values(figures).some((figure) => figure !== null)) {
    throw new BadRecord('subTypeName is empty next to a price');
  }
  return {
    category: whole(row, 'categoryId'),
    group: whole(row, 'groupId'),
    product: {
      productId,
      name,
      imageUrl: row.imageUrl || null,
      ...(row.imageCount && { imageCount: whole(row, 'imageCount') }),
      extendedData: extendedData(row),
    },
    price: subTypeName === '' ? undefined : { productId, subTypeName, ...figures },
  };
}

function prices(row: CsvRow): Omit<RawPrice, 'productId' | 'subTypeName'> {
  return {
    lowPrice: dollars(row, 'lowPrice'),
    midPrice: dollars(row, 'midPrice'),
    highPrice: dollars(row, 'highPrice'),
    marketPrice: dollars(row, 'marketPrice'),
  };
}

/** Returns extended data under the names of the JSON files: `extNumber` is `Number`. */
function extendedData(row: CsvRow): RawProduct['extendedData'] {
  return Object.entries(row)
    .filter(([column, value]) => column.startsWith('ext') && value !== '')
    .map(([column, value]) => ({ name: column.slice('ext'.length), value }));
}

function whole(row: CsvRow, column: string): number {
  const text = row[column] ?? '';
  if (!/^\d{1,15}$/.test(text)) throw invalidCell(column, text, 'whole number');
  return Number(text);
}

function dollars(row: CsvRow, column: string): number | null {
  const text = row[column] ?? '';
  if (text === '') return null;
  const isNumber = /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(text);
  if (!isNumber || centsFromDollars(Number(text)) === undefined) {
    throw invalidCell(column, text, 'price');
  }
  return Number(text);
}

function invalidCell(column: string, text: string, what: string): BadRecord {
  return new BadRecord(`${column} "${safeText(text, 40)}" is no ${what}`);
}
