/**
 * The prices of a block as changes from day to day, specified in `docs/history-format.md`: only
 * days with a change are stored, and only the difference from the day before.
 */

import type { Day } from '../domain/day.ts';
import { type Cents, MAX_CENTS } from '../domain/money.ts';
import type { DayPrices } from '../domain/price.ts';
import type { BitReader, BitWriter } from './bits.ts';
import type { BlockDay } from './provenance.ts';

/** Market, low, mid and high. */
const SERIES = 4;
/** The order of the Exp-Golomb codes of whole prices: most are not far above 2^10 cents. */
const PRICE_ORDER = 10;
const MAX_ORDER = 15;
/** An unknown price is encoded as -1 cents, so it does not need a separate code. */
const UNKNOWN = -1;

/** One of the four series while its deltas are collected. */
class Series {
  last = UNKNOWN;
  /** How many deltas between known prices there are, and their total number of binary digits. */
  deltas = 0;
  digits = 0;

  /** The order of Exp-Golomb codes that encodes the deltas in about the fewest bits. */
  order(): number {
    return this.deltas === 0 ? 0 : Math.min(Math.round(this.digits / this.deltas), MAX_ORDER);
  }
}

/** The deltas from day to day. The arrays are flat because every recorded price passes through. */
export class Deltas {
  /** For each day the mask of the series that change: four bits, market first. */
  readonly masks: number[] = [];
  /** For each change its zigzag code, 0 or more. After UNKNOWN: -1 minus the price. */
  readonly codes: number[] = [];
  /** For each series the order of its codes. */
  readonly orders: readonly number[];

  constructor(days: readonly DayPrices[]) {
    const [market, low, mid, high] = [new Series(), new Series(), new Series(), new Series()];
    for (const prices of days) {
      this.masks.push(
        this.#add(market, prices.market, 8) |
          this.#add(low, prices.low, 4) |
          this.#add(mid, prices.mid, 2) |
          this.#add(high, prices.high, 1),
      );
    }
    this.orders = [market, low, mid, high].map((series) => series.order());
  }

  /** Adds the next price of a series. Returns `bit` if the price changes, otherwise 0. */
  #add(series: Series, cents: Cents | null, bit: number): number {
    const before = series.last;
    const now = cents === null ? UNKNOWN : requirePrice(cents);
    if (now === before) return 0;
    series.last = now;
    if (before === UNKNOWN) {
      this.codes.push(-1 - now);
    } else {
      series.deltas += 1;
      series.digits += 32 - Math.clz32(Math.abs(now - before));
      this.codes.push(zigzag(now - before));
    }
    return bit;
  }
}

/** Maps the deltas 1, -1, 2, -2 … to the codes 0, 1, 2, 3 … A delta of 0 has no code. */
function zigzag(delta: number): number {
  return delta > 0 ? 2 * delta - 2 : -2 * delta - 1;
}

function deltaOf(code: number): number {
  const amount = (code >>> 1) + 1;
  return code % 2 === 0 ? amount : -amount;
}

function requirePrice(cents: Cents): number {
  if (Number.isInteger(cents) && cents >= 0 && cents <= MAX_CENTS) return cents;
  throw new RangeError(`A price is 0 to ${MAX_CENTS} whole cents, not ${cents}.`);
}

/** Writes, for each day with a change, the number of unchanged days before, its mask and deltas. */
export function writeDeltas(writer: BitWriter, { masks, codes, orders }: Deltas): void {
  let unchanged = 0;
  let next = 0;
  for (const mask of masks) {
    if (mask === 0) {
      unchanged += 1;
      continue;
    }
    writer.expGolomb(unchanged, 0);
    unchanged = 0;
    writer.bits(mask, SERIES);
    for (let series = 0; series < SERIES; series += 1) {
      if (!isSet(mask, series)) continue;
      const code = codes[next] ?? 0;
      next += 1;
      if (code < 0) writer.expGolomb(-1 - code, PRICE_ORDER);
      else writer.expGolomb(code, orders[series] ?? 0);
    }
  }
  if (unchanged > 0) writer.expGolomb(unchanged, 0);
}

function isSet(mask: number, series: number): boolean {
  return (mask & (8 >>> series)) !== 0;
}

/** Reads the changes from day to day. */
export class DeltaReader {
  readonly #prices = new Int32Array(SERIES).fill(UNKNOWN);
  readonly #reader: BitReader;
  readonly #orders: readonly number[];
  /** How many days remain before the next change; negative when this number must be read next. */
  #unchanged = -1;

  constructor(reader: BitReader, orders: readonly number[]) {
    this.#reader = reader;
    this.#orders = orders;
  }

  /** Reads the changes of the next day. */
  nextDay(): void {
    if (this.#unchanged < 0) this.#unchanged = this.#reader.expGolomb(0);
    if (this.#unchanged === 0) applyDeltas(this.#reader, this.#prices, this.#orders);
    this.#unchanged -= 1;
  }

  /** The prices of the day that was read last. */
  pricesOf<Provenance>(day: Day, provenance: Provenance): BlockDay<Provenance> {
    return {
      day,
      market: centsOf(this.#prices[0]),
      low: centsOf(this.#prices[1]),
      mid: centsOf(this.#prices[2]),
      high: centsOf(this.#prices[3]),
      provenance,
    };
  }
}

/** Reads the changes of one day and applies them to the prices of the day before. */
function applyDeltas(reader: BitReader, prices: Int32Array, orders: readonly number[]): void {
  const mask = reader.bits(SERIES);
  for (let series = 0; series < SERIES; series += 1) {
    if (isSet(mask, series)) {
      prices[series] = readPrice(reader, prices[series] ?? UNKNOWN, orders[series] ?? 0);
    }
  }
}

function readPrice(reader: BitReader, before: number, order: number): number {
  if (before === UNKNOWN) return reader.expGolomb(PRICE_ORDER);
  return before + deltaOf(reader.expGolomb(order));
}

function centsOf(price: number | undefined): Cents | null {
  return price === undefined || price === UNKNOWN ? null : (price as Cents);
}
