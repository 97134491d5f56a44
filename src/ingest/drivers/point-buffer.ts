import type { Day } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { DayPrices, PriceFigures } from '../../domain/price.ts';

/** Number of the series, day, market, low, mid, high. */
const FIELDS = 6;
/** Cents are never below 0. */
const UNKNOWN = -1;

/**
 * Gathers points (days of series) in the order in which a source reports them, and returns them
 * series by series. A series is a small number. A point takes 28 bytes.
 */
export class PointBuffer {
  readonly #fields: Int32Array;
  readonly #capacity: number;
  #size = 0;
  /** How many points each series has. */
  readonly #counts: number[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#fields = new Int32Array(capacity * FIELDS);
  }

  get size(): number {
    return this.#size;
  }

  /** How many points there is room for. */
  get free(): number {
    return this.#capacity - this.#size;
  }

  /** Adds a point; to be called only while there is room. */
  add(series: number, day: Day, { market, low, mid, high }: PriceFigures): void {
    const at = this.#size * FIELDS;
    this.#fields[at] = series;
    this.#fields[at + 1] = day;
    this.#fields[at + 2] = market ?? UNKNOWN;
    this.#fields[at + 3] = low ?? UNKNOWN;
    this.#fields[at + 4] = mid ?? UNKNOWN;
    this.#fields[at + 5] = high ?? UNKNOWN;
    this.#counts[series] = (this.#counts[series] ?? 0) + 1;
    this.#size += 1;
  }

  /**
   * Empties the buffer: yields each series with its days, in the order of their adding. The series
   * come in the order that is given, which must have all of them.
   */
  *drain(series: Iterable<number>): Generator<[series: number, days: DayPrices[]]> {
    const order = this.#bySeries();
    const ends = this.#ends();
    for (const one of series) {
      const count = this.#counts[one];
      if (!count) continue;
      const end = ends[one] ?? 0;
      const points = order.subarray(end - count, end);
      yield [one, Array.from(points, (point) => this.#read(point))];
    }
    this.#size = 0;
    this.#counts.length = 0;
  }

  /** The indexes of the points, sorted by series; those of one series as they were added. */
  #bySeries(): Uint32Array {
    const next = this.#ends().map((end, series) => end - (this.#counts[series] ?? 0));
    const order = new Uint32Array(this.#size);
    for (let point = 0; point < this.#size; point += 1) {
      const series = this.#fields[point * FIELDS] ?? 0;
      const place = next[series] ?? 0;
      order[place] = point;
      next[series] = place + 1;
    }
    return order;
  }

  /** For each series, where its points end among all that are sorted by series. */
  #ends(): number[] {
    let end = 0;
    return Array.from(this.#counts, (count) => {
      end += count ?? 0;
      return end;
    });
  }

  #read(point: number): DayPrices {
    const at = point * FIELDS;
    return {
      day: this.#fields[at + 1] as Day,
      market: this.#cents(at + 2),
      low: this.#cents(at + 3),
      mid: this.#cents(at + 4),
      high: this.#cents(at + 5),
    };
  }

  #cents(at: number): Cents | null {
    const value = this.#fields[at] ?? UNKNOWN;
    return value === UNKNOWN ? null : (value as Cents);
  }
}
