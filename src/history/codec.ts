/**
 * The codec of history blocks, which `docs/history-format.md` specifies. A block is a compressed
 * chunk of four time series, the daily prices of a printing, in the manner of Gorilla (Pelkonen et
 * al., VLDB 2015): only days with a change are stored, and only the difference to the day before.
 */

import { crc32 } from 'node:zlib';
import type { Day } from '../domain/day.ts';
import { type Cents, MAX_CENTS } from '../domain/money.ts';
import type { DayPrices } from '../domain/price.ts';
import { BitReader, BitWriter } from './bits.ts';

export const BLOCK_VERSION = 1;
/** The newest day that a block can hold: 2149-06-06. */
export const LAST_DAY = 0xffff as Day;

/** The bytes of a block are not those that were written, or were written for another row. */
export class DamagedBlock extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'DamagedBlock';
  }
}

/** Shared by all blocks, because a new one for each would take a fifth of the encoding time. */
const writer = new BitWriter();

/** Market, low, mid and high. */
const SERIES = 4;
const HEADER_BYTES = 5;
const CHECKSUM_BYTES = 4;
/** The order of the Exp-Golomb codes of whole prices: most are not far above 2^10 cents. */
const PRICE_ORDER = 10;
const MAX_ORDER = 15;
/** An unknown price is encoded as a price of -1, so that it needs no code of its own. */
const UNKNOWN = -1;

/**
 * Encodes days, in ascending order and at least one, into a block for one database row.
 *
 * @param rowId The id of the row. It seeds the checksum, so that only the same id opens the block.
 * @throws RangeError for days or prices that a block cannot hold.
 */
export function encodeBlock(days: readonly DayPrices[], rowId: number): Uint8Array {
  const deltas = new Deltas(days);
  writer.clear();
  writer.bits(BLOCK_VERSION, 8);
  writer.bits(firstDay(days), 16);
  for (const order of deltas.orders) writer.bits(order, 4);
  writeDays(days);
  writeDeltas(deltas);
  const block = writer.finish(CHECKSUM_BYTES);
  const end = block.length - CHECKSUM_BYTES;
  block.writeUInt32BE(checksum(block.subarray(0, end), rowId), end);
  return block;
}

/**
 * Decodes the days of a block from `from` to `to`, both inclusive, in ascending order.
 *
 * @throws DamagedBlock unless the block is, to the last bit, what was encoded for `rowId`.
 */
export function decodeBlock(
  block: Uint8Array,
  rowId: number,
  from: Day = 0 as Day,
  to: Day = LAST_DAY,
): DayPrices[] {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  verify(block, view, rowId);
  try {
    const orders = [3, 3, 4, 4].map((at, series) => nibble(view.getUint8(at), series));
    const reader = new BitReader(view, HEADER_BYTES);
    const days = readDays(reader, view.getUint16(1));
    return readPrices(reader, days, orders, from, to);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new DamagedBlock('its bits make no sense', { cause: error });
  }
}

function verify(block: Uint8Array, view: DataView, rowId: number): void {
  const end = block.length - CHECKSUM_BYTES;
  if (end <= HEADER_BYTES) throw new DamagedBlock('it is too short');
  if (view.getUint32(end) !== checksum(block.subarray(0, end), rowId)) {
    throw new DamagedBlock('its checksum does not match');
  }
  const version = view.getUint8(0);
  if (version !== BLOCK_VERSION) throw new DamagedBlock(`its version ${version} is not known`);
}

/** Computes the CRC-32 seeded with the row id, which detects a block in the wrong row. */
function checksum(bytes: Uint8Array, rowId: number): number {
  return crc32(bytes, rowId % 2 ** 32);
}

function nibble(byte: number, series: number): number {
  return series % 2 === 0 ? byte >>> 4 : byte & 15;
}

function firstDay(days: readonly DayPrices[]): number {
  const first = days[0]?.day ?? UNKNOWN;
  const last = days.at(-1)?.day ?? UNKNOWN;
  if (first < 0 || last > LAST_DAY) throw new RangeError('A block holds days from 0 to 65535.');
  return first;
}

/** One of the four series while its deltas are collected. */
class Series {
  last = UNKNOWN;
  /** How many deltas it has between known prices, and how many binary digits these have in all. */
  deltas = 0;
  digits = 0;

  /** The order of Exp-Golomb codes that is about the shortest for its deltas. */
  order(): number {
    return this.deltas === 0 ? 0 : Math.min(Math.round(this.digits / this.deltas), MAX_ORDER);
  }
}

/** The deltas from day to day, in flat arrays, because every recorded price goes through here. */
class Deltas {
  /** For each day the mask of the series that change: four bits, market first. */
  readonly masks: number[] = [];
  /** For each change, in order, its zigzag code from 0 up or, after UNKNOWN, -1 less the price. */
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

  /** Adds the next price of a series, and returns the series' bit if the price changes, else 0. */
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

/** Maps deltas to codes: 1, -1, 2, -2 … to 0, 1, 2, 3 … There is no code for 0, no change. */
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

/** Writes which days there are, run-length encoded as runs of consecutive days and gaps. */
function writeDays(days: readonly DayPrices[]): void {
  const runs: { length: number; gap: number }[] = [];
  let length = 0;
  days.forEach(({ day }, index) => {
    length += 1;
    const next = days[index + 1]?.day;
    if (next === day + 1) return;
    if (next !== undefined && next <= day) throw new RangeError('The days do not ascend.');
    runs.push({ length, gap: next === undefined ? 0 : next - day - 1 });
    length = 0;
  });
  writer.expGolomb(runs.length - 1, 0);
  runs.forEach((run, index) => {
    writer.expGolomb(run.length - 1, 0);
    if (index < runs.length - 1) writer.expGolomb(run.gap - 1, 0);
  });
}

function readDays(reader: BitReader, first: number): Day[] {
  const days: Day[] = [];
  let day = first;
  for (let more = reader.expGolomb(0); more >= 0; more -= 1) {
    const end = day + reader.expGolomb(0) + 1;
    if (end > LAST_DAY + 1) throw new RangeError('A run ends after the last day.');
    for (; day < end; day += 1) days.push(day as Day);
    if (more > 0) day += reader.expGolomb(0) + 1;
  }
  return days;
}

/** Writes for each day with a change: how many days before it have none, its mask, its deltas. */
function writeDeltas({ masks, codes, orders }: Deltas): void {
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

function readPrices(
  reader: BitReader,
  days: readonly Day[],
  orders: readonly number[],
  from: Day,
  to: Day,
): DayPrices[] {
  const found: DayPrices[] = [];
  const prices = new Int32Array(SERIES).fill(UNKNOWN);
  let unchanged = -1;
  for (const day of days) {
    if (day > to) break;
    if (unchanged < 0) unchanged = reader.expGolomb(0);
    if (unchanged === 0) applyDeltas(reader, prices, orders);
    unchanged -= 1;
    if (day >= from) found.push(dayPricesOf(day, prices));
  }
  return found;
}

/** Reads the changes of one day, and applies them to the prices of the day before. */
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

function dayPricesOf(day: Day, prices: Int32Array): DayPrices {
  return {
    day,
    market: centsOf(prices[0]),
    low: centsOf(prices[1]),
    mid: centsOf(prices[2]),
    high: centsOf(prices[3]),
  };
}

function centsOf(price: number | undefined): Cents | null {
  return price === undefined || price === UNKNOWN ? null : (price as Cents);
}
