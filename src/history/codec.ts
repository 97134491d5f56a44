/** One block of history: the days of one printing in a few bytes. See `docs/history-format.md`. */

import { crc32 } from 'node:zlib';
import type { Day } from '../domain/day.ts';
import { type Cents, MAX_CENTS } from '../domain/money.ts';
import type { DayPrices } from '../domain/price.ts';
import { BitReader, BitWriter } from './bits.ts';

export const BLOCK_VERSION = 1;
/** The newest day a block can hold: 2149-06-06. */
export const LAST_DAY = 0xffff as Day;

/** A block's bytes are not what was written, or were written for another row. */
export class DamagedBlock extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'DamagedBlock';
  }
}

/** One for all blocks: making one for each takes a fifth of the time of packing it. */
const writer = new BitWriter();

const SERIES = 4;
const HEADER_BYTES = 5;
const CHECKSUM_BYTES = 4;
/** A price in full; most are below 2^10 cents or not far above. */
const PRICE_ORDER = 10;
const MAX_ORDER = 15;
/** "Unknown" counts as a price one below 0, so that it needs no code of its own. */
const UNKNOWN = -1;

/**
 * Packs days, in ascending order and at least one, for the row that `key` tells apart from all
 * other rows: the block opens with the same key only.
 *
 * @throws RangeError for days or prices that a block cannot hold.
 */
export function encodeBlock(days: readonly DayPrices[], key: number): Uint8Array {
  const changes = new Changes(days);
  writer.clear();
  writer.bits(BLOCK_VERSION, 8);
  writer.bits(firstDay(days), 16);
  for (const order of changes.orders) writer.bits(order, 4);
  writeDays(days);
  writePrices(changes);
  const block = writer.finish(CHECKSUM_BYTES);
  const end = block.length - CHECKSUM_BYTES;
  block.writeUInt32BE(checksum(block.subarray(0, end), key), end);
  return block;
}

/**
 * The days of a block from `from` to `to`, both inclusive, in ascending order.
 *
 * @throws DamagedBlock when it is not, to the last bit, what was written under `key`.
 */
export function decodeBlock(
  block: Uint8Array,
  key: number,
  from: Day = 0 as Day,
  to: Day = LAST_DAY,
): DayPrices[] {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  verify(block, view, key);
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

function verify(block: Uint8Array, view: DataView, key: number): void {
  const end = block.length - CHECKSUM_BYTES;
  if (end <= HEADER_BYTES) throw new DamagedBlock('it is too short');
  if (view.getUint32(end) !== checksum(block.subarray(0, end), key)) {
    throw new DamagedBlock('its checksum does not match');
  }
  const version = view.getUint8(0);
  if (version !== BLOCK_VERSION) throw new DamagedBlock(`its version ${version} is not known`);
}

/** Starts from the row's key, so that a block which strayed into another row is found. */
function checksum(bytes: Uint8Array, key: number): number {
  return crc32(bytes, key % 2 ** 32);
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

/** One of the four series while it is looked through. */
class Series {
  last = UNKNOWN;
  /** How many amounts it changes by, and how many binary digits these have in all. */
  amounts = 0;
  digits = 0;

  /** The order whose codes are about the shortest for its amounts. */
  order(): number {
    return this.amounts === 0 ? 0 : Math.min(Math.round(this.digits / this.amounts), MAX_ORDER);
  }
}

/** What changes from day to day, in flat lists, because every recorded point goes through here. */
class Changes {
  /** For each day its series that change: four bits, market first. */
  readonly changed: number[] = [];
  /**
   * For each change, in order, the code of its amount, from 0 up; or, where the price was
   * unknown before, -1 less the price.
   */
  readonly codes: number[] = [];
  readonly orders: readonly number[];

  constructor(days: readonly DayPrices[]) {
    const [market, low, mid, high] = [new Series(), new Series(), new Series(), new Series()];
    for (const prices of days) {
      this.changed.push(
        this.#note(market, prices.market, 8) |
          this.#note(low, prices.low, 4) |
          this.#note(mid, prices.mid, 2) |
          this.#note(high, prices.high, 1),
      );
    }
    this.orders = [market, low, mid, high].map((series) => series.order());
  }

  /** The series' bit when its price changes, else 0. */
  #note(series: Series, cents: Cents | null, bit: number): number {
    const before = series.last;
    const now = cents === null ? UNKNOWN : requirePrice(cents);
    if (now === before) return 0;
    series.last = now;
    if (before === UNKNOWN) {
      this.codes.push(-1 - now);
    } else {
      const amount = Math.abs(now - before);
      series.amounts += 1;
      series.digits += 32 - Math.clz32(amount);
      this.codes.push((amount - 1) * 2 + (now > before ? 0 : 1));
    }
    return bit;
  }
}

function requirePrice(cents: Cents): number {
  if (Number.isInteger(cents) && cents >= 0 && cents <= MAX_CENTS) return cents;
  throw new RangeError(`A price is 0 to ${MAX_CENTS} whole cents, not ${cents}.`);
}

/** Days as runs without a gap: how many more runs, then each run's length and the gap after it. */
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
  writer.number(runs.length - 1, 0);
  runs.forEach((run, index) => {
    writer.number(run.length - 1, 0);
    if (index < runs.length - 1) writer.number(run.gap - 1, 0);
  });
}

function readDays(reader: BitReader, first: number): Day[] {
  const days: Day[] = [];
  let day = first;
  for (let more = reader.number(0); more >= 0; more -= 1) {
    const end = day + reader.number(0) + 1;
    if (end > LAST_DAY + 1) throw new RangeError('A run ends after the last day.');
    for (; day < end; day += 1) days.push(day as Day);
    if (more > 0) day += reader.number(0) + 1;
  }
  return days;
}

/** For each day with a change: how many days without one came before, which series, what. */
function writePrices({ changed: days, codes, orders }: Changes): void {
  let unchanged = 0;
  let next = 0;
  for (const changed of days) {
    if (changed === 0) {
      unchanged += 1;
      continue;
    }
    writer.number(unchanged, 0);
    unchanged = 0;
    writer.bits(changed, SERIES);
    for (let at = 0; at < SERIES; at += 1) {
      if ((changed & (8 >>> at)) === 0) continue;
      const code = codes[next] ?? 0;
      next += 1;
      if (code < 0) writer.number(-1 - code, PRICE_ORDER);
      else writer.number(code, orders[at] ?? 0);
    }
  }
  if (unchanged > 0) writer.number(unchanged, 0);
}

function readChange(reader: BitReader, before: number, order: number): number {
  if (before === UNKNOWN) return reader.number(PRICE_ORDER);
  const code = reader.number(order);
  const amount = (code >>> 1) + 1;
  return code % 2 === 0 ? before + amount : before - amount;
}

function readPrices(
  reader: BitReader,
  days: readonly Day[],
  orders: readonly number[],
  from: Day,
  to: Day,
): DayPrices[] {
  const found: DayPrices[] = [];
  const cells = new Int32Array(SERIES).fill(UNKNOWN);
  let unchanged = -1;
  for (const day of days) {
    if (day > to) break;
    if (unchanged < 0) unchanged = reader.number(0);
    if (unchanged === 0) readChanges(reader, cells, orders);
    unchanged -= 1;
    if (day >= from) found.push(pricesOf(day, cells));
  }
  return found;
}

function readChanges(reader: BitReader, cells: Int32Array, orders: readonly number[]): void {
  const changed = reader.bits(SERIES);
  for (let series = 0; series < SERIES; series += 1) {
    if (changed & (8 >>> series)) {
      cells[series] = readChange(reader, cells[series] ?? UNKNOWN, orders[series] ?? 0);
    }
  }
}

function pricesOf(day: Day, cells: Int32Array): DayPrices {
  return {
    day,
    market: centsOf(cells[0]),
    low: centsOf(cells[1]),
    mid: centsOf(cells[2]),
    high: centsOf(cells[3]),
  };
}

function centsOf(cell: number | undefined): Cents | null {
  return cell === undefined || cell === UNKNOWN ? null : (cell as Cents);
}
