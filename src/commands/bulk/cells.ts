import type { SchemaElement } from 'hyparquet';
import { csvText } from '../../domain/csv.ts';
import { type Day, formatDay, formatMoment, type Millis } from '../../domain/day.ts';
import { type Cents, dollarsFromCents } from '../../domain/money.ts';
import type { ColumnKind } from './columns.ts';

/** The cells of bulk files: their form in each format, and how they wait to be written. */

/**
 * A cell of a row: cents for amounts, numbers for days and moments, text for JSON. Null or
 * undefined if it is empty.
 */
export type Cell = string | number | boolean | readonly string[] | null | undefined;
type Value = NonNullable<Cell>;

export function isEmpty(cell: Cell): cell is null | undefined {
  return cell === null || cell === undefined;
}

type TextOf = (value: Value) => string;

/** The text that files have for a value of each kind. */
export const TEXTS: Readonly<Record<ColumnKind, { readonly json: TextOf; readonly csv: TextOf }>> =
  {
    text: { json: (value) => JSON.stringify(value), csv: (value) => csvText(String(value)) },
    amount: { json: textOfAmount, csv: textOfAmount },
    day: { json: (value) => `"${textOfDay(value)}"`, csv: (value) => textOfDay(value) },
    moment: { json: (value) => `"${textOfMoment(value)}"`, csv: (value) => textOfMoment(value) },
    flag: { json: String, csv: String },
    list: { json: (value) => JSON.stringify(value), csv: (value) => csvText(joined(value)) },
    json: { json: String, csv: (value) => csvText(String(value)) },
  };

function textOfAmount(value: Value): string {
  return String(dollarsFromCents(value as Cents));
}

function joined(value: Value): string {
  return Array.isArray(value) ? value.join(' ') : String(value);
}

/** Rows share a few thousand days and moments, so their texts are cached. */
const textOfDay = remembered((value) => formatDay(value as Day));
const textOfMoment = remembered((value) => formatMoment(value as Millis));

const MOST_REMEMBERED = 5000;

function remembered(textOf: TextOf): TextOf {
  const texts = new Map<Value, string>();
  return (value) => {
    const known = texts.get(value);
    if (known !== undefined) return known;
    if (texts.size >= MOST_REMEMBERED) texts.clear();
    const text = textOf(value);
    texts.set(value, text);
    return text;
  };
}

/**
 * The declarations of the kinds in Parquet. Amounts are whole cents, which readers show as decimal
 * numbers.
 */
export const PARQUET_TYPES: Readonly<Record<ColumnKind, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  amount: { type: 'INT32', converted_type: 'DECIMAL', scale: 2, precision: 9 },
  day: { type: 'INT32', converted_type: 'DATE' },
  moment: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  flag: { type: 'BOOLEAN' },
  list: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON' },
};

/**
 * The cells of one column that wait until a group of Parquet is full. They wait outside the heap,
 * which is small, and take a fraction of the space there.
 */
export interface WaitingCells {
  readonly length: number;
  /** How much the memory grows with the cells. */
  readonly bytes: number;
  push(cell: Cell): void;
  /** Returns values in the form that Parquet takes. */
  values(): unknown[];
  clear(): void;
}

/** Returns a column for at most `size` cells. */
export function waitingCells(kind: ColumnKind, size: number): WaitingCells {
  if (kind === 'amount' || kind === 'day') return new WaitingNumbers(new Int32Array(size));
  if (kind === 'moment') return new WaitingNumbers(new Float64Array(size));
  if (kind === 'flag') return new WaitingNumbers(new Int32Array(size), Boolean);
  return new WaitingTexts(size);
}

/** Stands for an empty cell: neither an amount, nor a day, nor a moment. */
const NO_NUMBER = -(2 ** 31);

class WaitingNumbers implements WaitingCells {
  readonly bytes = 0;
  readonly #numbers: Int32Array | Float64Array;
  readonly #cellOf: (number: number) => unknown;
  length = 0;

  constructor(
    numbers: Int32Array | Float64Array,
    cellOf: (number: number) => unknown = (number) => number,
  ) {
    this.#numbers = numbers;
    this.#cellOf = cellOf;
  }

  push(cell: Cell): void {
    this.#numbers[this.length] = isEmpty(cell) ? NO_NUMBER : Number(cell);
    this.length += 1;
  }

  values(): unknown[] {
    const numbers = this.#numbers.subarray(0, this.length);
    return Array.from(numbers, (number) => (number === NO_NUMBER ? null : this.#cellOf(number)));
  }

  clear(): void {
    this.length = 0;
  }
}

/**
 * The number of different texts of a column to search for duplicates, so a repeated text waits only
 * once.
 */
const MOST_SHARED = 500;

class WaitingTexts implements WaitingCells {
  readonly #texts = new TextBuffer();
  /** The cells in which each shared text occurs first. */
  readonly #shared = new Map<string, number>();
  /** Where the text of each cell begins (-1 for an empty cell), and where it ends. */
  readonly #begins: Int32Array;
  readonly #ends: Int32Array;
  length = 0;

  constructor(size: number) {
    this.#begins = new Int32Array(size);
    this.#ends = new Int32Array(size);
  }

  get bytes(): number {
    return this.#texts.length;
  }

  push(cell: Cell): void {
    const at = this.length;
    this.length += 1;
    this.#begins[at] = -1;
    if (isEmpty(cell)) return;
    const text = joined(cell);
    const known = this.#shared.get(text);
    if (known === undefined) {
      this.#add(text, at);
    } else {
      this.#begins[at] = this.#begins[known] ?? 0;
      this.#ends[at] = this.#ends[known] ?? 0;
    }
  }

  values(): unknown[] {
    const { bytes } = this.#texts;
    return Array.from(this.#begins.subarray(0, this.length), (begin, i) => {
      return begin < 0 ? null : bytes.toString('utf8', begin, this.#ends[i]);
    });
  }

  clear(): void {
    this.#texts.clear();
    this.#shared.clear();
    this.length = 0;
  }

  #add(text: string, at: number): void {
    if (this.#shared.size < MOST_SHARED) this.#shared.set(text, at);
    this.#begins[at] = this.#texts.length;
    this.#texts.add(text);
    this.#ends[at] = this.#texts.length;
  }
}

/** Texts as bytes. */
export class TextBuffer {
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #end = 0;

  /** In bytes. */
  get length(): number {
    return this.#end;
  }

  /** Valid until the next text is added. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#end);
  }

  add(text: string): void {
    const most = this.#end + text.length * MOST_BYTES_PER_UNIT;
    if (most > this.#buffer.length) {
      this.#buffer = Buffer.concat([this.bytes], Math.max(most, 2 * this.#buffer.length));
    }
    this.#end += this.#buffer.write(text, this.#end);
  }

  clear(): void {
    this.#end = 0;
  }
}

const FIRST_BYTES = 2 ** 14;
/** The most UTF-8 bytes for one UTF-16 unit. */
const MOST_BYTES_PER_UNIT = 3;
