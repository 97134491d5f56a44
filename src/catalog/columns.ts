/** Columns: values by row id, in the few bytes of typed arrays. */

type Items = Uint16Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** The factor by which a new column is larger than needed. */
const SPARE = 1.25;

/** Moves the bytes of a column into a buffer with room for a row id. */
function grown({ buffer, BYTES_PER_ELEMENT }: Items, rowId: number): ArrayBuffer {
  return buffer.transfer(Math.ceil((rowId + 1) * SPARE) * BYTES_PER_ELEMENT);
}

/** Whole numbers of 32 bits. Rows that were not set have 0. */
export class IntegerColumn {
  #items = new Int32Array();

  get(rowId: number): number {
    return this.#items[rowId] ?? 0;
  }

  set(rowId: number, value: number): void {
    if (rowId >= this.#items.length) this.#items = new Int32Array(grown(this.#items, rowId));
    this.#items[rowId] = value;
  }
}

/** Whole numbers of 16 bits. Rows that were not set have 0. */
export class SmallColumn {
  #items = new Uint16Array();

  get(rowId: number): number {
    return this.#items[rowId] ?? 0;
  }

  set(rowId: number, value: number): void {
    if (rowId >= this.#items.length) this.#items = new Uint16Array(grown(this.#items, rowId));
    this.#items[rowId] = value;
  }
}

/** Amounts from 0 to 2^31 - 2, or null. Rows that were not set have null. */
export class AmountColumn<T extends number> {
  /** The amounts plus one, and 0 for null. */
  readonly #column = new IntegerColumn();

  get(rowId: number): T | null {
    const value = this.#column.get(rowId);
    return value === 0 ? null : ((value - 1) as T);
  }

  set(rowId: number, amount: T | null): void {
    this.#column.set(rowId, amount === null ? 0 : amount + 1);
  }
}

/** Moments in milliseconds after 1970, or null. Rows that were not set have null. */
export class MomentColumn {
  #items = new Float64Array();

  get(rowId: number): number | null {
    const moment = this.#items[rowId] ?? 0;
    return moment === 0 ? null : moment;
  }

  set(rowId: number, moment: number | null): void {
    if (rowId >= this.#items.length) this.#items = new Float64Array(grown(this.#items, rowId));
    this.#items[rowId] = moment ?? 0;
  }
}

/** Values that are mostly equal. Each distinct value is in memory once. */
export class RepetitiveColumn<T> {
  readonly #ordinals = new Map<T, number>();
  readonly #values: T[] = [];
  readonly #column = new IntegerColumn();

  /** Returns the value of a row that was set. */
  get(rowId: number): T {
    return this.#values[this.#column.get(rowId)] as T;
  }

  set(rowId: number, value: T): void {
    const known = this.#ordinals.get(value);
    const ordinal = known ?? this.#values.push(value) - 1;
    if (known === undefined) this.#ordinals.set(value, ordinal);
    this.#column.set(rowId, ordinal);
  }
}
