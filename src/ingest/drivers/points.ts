import type { Day } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { DayPrices, PriceFigures } from '../../domain/price.ts';

/** Slot, day, market, low, mid, high. */
const FIELDS = 6;
/** Cents are never below 0. */
const UNKNOWN = -1;

/**
 * Days of series, gathered in the order in which a source brings them and given back series by
 * series. A series is told by its *slot*, a small number. Takes 28 bytes a day.
 */
export class PointBuffer {
  readonly #fields: Int32Array;
  readonly #capacity: number;
  #size = 0;
  /** How many of the points each slot has. */
  readonly #counts: number[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#fields = new Int32Array(capacity * FIELDS);
  }

  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size === this.#capacity;
  }

  /** Only while it is not full. */
  add(slot: number, day: Day, { market, low, mid, high }: PriceFigures): void {
    const at = this.#size * FIELDS;
    this.#fields[at] = slot;
    this.#fields[at + 1] = day;
    this.#fields[at + 2] = market ?? UNKNOWN;
    this.#fields[at + 3] = low ?? UNKNOWN;
    this.#fields[at + 4] = mid ?? UNKNOWN;
    this.#fields[at + 5] = high ?? UNKNOWN;
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1;
    this.#size += 1;
  }

  /** Each slot with its days, in the order in which they were added; then none are left. */
  *drain(): Generator<[slot: number, days: DayPrices[]]> {
    const order = this.#bySlot();
    let from = 0;
    for (const [slot, count] of this.#counts.entries()) {
      if (!count) continue;
      const points = order.subarray(from, from + count);
      yield [slot, Array.from(points, (point) => this.#read(point))];
      from += count;
    }
    this.#size = 0;
    this.#counts.length = 0;
  }

  /** The numbers of the points, sorted by slot; those of one slot as they came. */
  #bySlot(): Uint32Array {
    const next: number[] = [];
    let start = 0;
    for (const [slot, count] of this.#counts.entries()) {
      next[slot] = start;
      start += count ?? 0;
    }
    const order = new Uint32Array(this.#size);
    for (let point = 0; point < this.#size; point += 1) {
      const slot = this.#fields[point * FIELDS] ?? 0;
      const place = next[slot] ?? 0;
      order[place] = point;
      next[slot] = place + 1;
    }
    return order;
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
