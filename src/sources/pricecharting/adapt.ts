import { type Millis, parseDay } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Grade } from '../../domain/grade-names.ts';
import { type Cents, centsFromDollars } from '../../domain/money.ts';
import type { Observation } from '../../domain/observation.ts';
import { NO_PRICES } from '../../domain/price.ts';
import type { CardReference } from '../contract/feed.ts';
import { type GradeMap, withMappedGrades } from '../contract/feed.ts';
import type { CsvRow } from '../io/csv.ts';
import { BadRecord } from '../io/json.ts';
import type { AdaptedRecord } from '../kit/feed-batcher.ts';
import { EMPTY_REFERENCE } from '../kit/observations.ts';
import { isSealed, type ProductName, splitConsoleName, splitProductName } from './names.ts';

/**
 * The price guide that subscribers of PriceCharting download: CSV with a header, whose columns and
 * their order vary. The column names come from video games. For cards the columns are grades, and
 * for comics they are other grades.
 */

/** The card grade of each price column. Up to 9.5, the grade can be from any company. */
export const GRADE_COLUMNS: Readonly<Record<string, Grade>> = {
  'condition-9-price': 'any_1',
  'condition-10-price': 'any_2',
  'condition-13-price': 'any_3',
  'condition-14-price': 'any_4',
  'condition-15-price': 'any_5',
  'condition-16-price': 'any_6',
  'cib-price': 'any_7', // or 7.5
  'new-price': 'any_8', // or 8.5
  'graded-price': 'any_9',
  'box-only-price': 'any_9_5',
  'manual-only-price': 'psa_10',
  'bgs-10-price': 'bgs_10',
  'condition-17-price': 'cgc_10',
  'condition-18-price': 'sgc_10',
  'condition-19-price': 'cgc_10_pristine',
  'condition-20-price': 'bgs_10_black_label',
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
  /** Copies sold in a year; empty text if unknown. */
  readonly salesVolume: string;
  /** The graded prices as written; empty text if there is none. */
  readonly graded: readonly (readonly [Grade, string])[];
}

/** @throws BadRecord if the header lacks a required column. */
export function checkHeader(names: readonly string[]): void {
  const missing = REQUIRED_COLUMNS.filter((name) => !names.includes(name));
  if (missing.length === 0) return;
  const shown = names.slice(0, 20).join(', ').slice(0, 300);
  throw new BadRecord(`it has no column ${missing.join(', ')} among ${shown}`);
}

/** In characters. No name is longer. */
const MAX_NAME_LENGTH = 500;

/** @throws BadRecord for a row without a product. */
export function parseProduct(row: CsvRow): RawProduct {
  const id = cell(row, 'id');
  if (!/^[\w-]{1,40}$/.test(id)) throw new BadRecord(`"${id.slice(0, 40)}" is not an id`);
  return {
    id,
    consoleName: name(row, 'console-name'),
    productName: name(row, 'product-name'),
    genre: cell(row, 'genre'),
    tcgId: cell(row, 'tcg-id'),
    releaseDate: cell(row, 'release-date'),
    ungraded: cell(row, UNGRADED_COLUMN),
    salesVolume: cell(row, 'sales-volume'),
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
 * Returns the cents of a price; null for an absent price and for zero, which mean an unknown price.
 * @throws BadRecord for anything that cannot be a price.
 */
export function parsePrice(text: string, unit: PriceUnit): Cents | null {
  if (text === '') return null;
  const amount = SHAPES[unit].test(text) ? Number(text.replace(/[$,]/g, '')) : Number.NaN;
  const cents = centsFromDollars(unit === 'dollars' ? amount : amount / 100);
  if (cents === undefined) throw new BadRecord(`"${text.slice(0, 40)}" cannot be a price`);
  return cents === 0 ? null : cents;
}

/** Raise it when the adapter's output for the same file changes, so the file is imported again. */
export const ADAPTER_VERSION = 3;

/** Facts about a whole price guide. */
export interface Guide {
  readonly unit: PriceUnit;
  readonly observedAt: Millis;
  /** The games to adapt; null adapts all. */
  readonly games: readonly GameSlug[] | null;
  readonly grades: GradeMap;
}

/**
 * Adapts a product: a card with its prices, ungraded and graded. A product without prices still
 * gives an observation, which removes an earlier price.
 * @throws BadRecord for an impossible price.
 */
export function adaptProduct(raw: RawProduct, guide: Guide): AdaptedRecord {
  // In the same columns, comics have grades of another scale, and games have none.
  if (raw.genre !== '' && !/\bcards?$/i.test(raw.genre)) return skippedFor('not a card');
  const set = splitConsoleName(raw.consoleName);
  if (typeof set === 'string') return skippedFor(set);
  if (guide.games && !guide.games.includes(set.game)) return skippedFor('card of another game');
  const product = splitProductName(raw.productName, set.game);
  if (isSealed(product)) return skippedFor('sealed product');
  const { name, number, variant, printing } = product;
  const card: CardReference = {
    ...EMPTY_REFERENCE,
    ...set,
    externalId: raw.id,
    name,
    number,
    variant,
    externalIds: externalIdsOf(raw, product),
    releaseDate: parseDay(raw.releaseDate) === undefined ? null : raw.releaseDate,
  };
  return { items: [{ card, observations: [adaptPrices(raw, printing, guide)] }] };
}

function skippedFor(reason: string): AdaptedRecord {
  return { items: [], skipped: [reason] };
}

/**
 * Returns TCGplayer's product in `tcg-id`. Ignores the id for names with brackets, because these
 * often have the id of the plain card (1st Edition and Shadowless of Base Set).
 */
function externalIdsOf({ tcgId }: RawProduct, product: ProductName): CardReference['externalIds'] {
  const isPlain = product.variant === null && product.printing === undefined;
  return isPlain && /^[1-9]\d{0,9}$/.test(tcgId) ? { tcgplayer: tcgId } : {};
}

/** All prices come from sales: the ungraded one is the market price. */
function adaptPrices(raw: RawProduct, printing: string | undefined, guide: Guide): Observation {
  const { unit, observedAt } = guide;
  const graded: Partial<Record<Grade, Cents>> = {};
  for (const [grade, text] of raw.graded) {
    const cents = parsePrice(text, unit);
    if (cents !== null) graded[grade] = cents;
  }
  return {
    printing,
    marketplace: 'pricecharting',
    currency: 'USD',
    observedAt,
    prices: { ...NO_PRICES, market: parsePrice(raw.ungraded, unit) },
    conditions: {},
    graded: withMappedGrades(graded, guide.grades),
    ...salesOf(raw),
  };
}

/** PriceCharting's `sales-volume` counts the sales of a year. */
function salesOf({ salesVolume }: RawProduct): Pick<Observation, 'trade'> {
  if (!/^\d{1,9}$/.test(salesVolume)) return {};
  return { trade: { sales: { count: Number(salesVolume), days: 365, last: null } } };
}
