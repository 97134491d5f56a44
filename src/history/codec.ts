/**
 * The codec of history blocks, specified in `docs/history-format.md`. A block compresses four time
 * series, the daily prices of a printing, much like Gorilla (Pelkonen et al., VLDB 2015): it stores
 * only days with a change, and only the difference from the day before.
 */

import { crc32 } from 'node:zlib';
import type { Day } from '../domain/day.ts';
import type { DayPrices } from '../domain/price.ts';
import { BitReader, BitWriter } from './bits.ts';
import { DeltaReader, Deltas, writeDeltas } from './deltas.ts';
import {
  type BlockDay,
  type ProvenanceRun,
  readProvenances,
  UNKNOWN_PROVENANCE,
  writeProvenances,
} from './provenance.ts';

/** Version 1 blocks do not store provenances. They are still read, but no longer written. */
const VERSIONS = { withoutProvenance: 1, current: 2 } as const;
/** The newest day that a block can hold: 2149-06-06. */
export const LAST_DAY = 0xffff as Day;

/** The bytes of a block were altered, or were written for another row. */
export class DamagedBlock extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'DamagedBlock';
  }
}

/** Shared by all blocks: creating one per block would take a fifth of the encoding time. */
const writer = new BitWriter();

const HEADER_BYTES = 5;
const CHECKSUM_BYTES = 4;

/**
 * Encodes one or more days, in ascending order, into a block for one database row.
 *
 * @param rowId The id of the row. It seeds the checksum, so only the same id opens the block.
 * @throws RangeError for days, prices or provenances that a block cannot hold.
 */
export function encodeBlock(days: readonly BlockDay[], rowId: number): Uint8Array {
  const deltas = new Deltas(days);
  writer.clear();
  writer.bits(VERSIONS.current, 8);
  writer.bits(firstDay(days), 16);
  for (const order of deltas.orders) writer.bits(order, 4);
  writeDays(days);
  writeProvenances(writer, days);
  writeDeltas(writer, deltas);
  const block = writer.finish(CHECKSUM_BYTES);
  const end = block.length - CHECKSUM_BYTES;
  block.writeUInt32BE(checksum(block.subarray(0, end), rowId), end);
  return block;
}

/**
 * Decodes the days of a block from `from` to `to`, both inclusive, in ascending order.
 *
 * @param provenanceOf Maps the provenance number of a day to the provenance to return for it.
 * @throws DamagedBlock unless every bit of the block is as it was encoded for `rowId`.
 */
export function decodeBlock<Provenance>(
  block: Uint8Array,
  rowId: number,
  provenanceOf: (number: number) => Provenance,
  from: Day = 0 as Day,
  to: Day = LAST_DAY,
): BlockDay<Provenance>[] {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  const version = verify(block, view, rowId);
  try {
    const orders = [3, 3, 4, 4].map((at, series) => nibble(view.getUint8(at), series));
    const reader = new BitReader(view, HEADER_BYTES);
    const days = readDays(reader, view.getUint16(1));
    const runs =
      version === VERSIONS.withoutProvenance
        ? [{ number: UNKNOWN_PROVENANCE, end: days.length }]
        : readProvenances(reader, days.length);
    const changes = new DeltaReader(reader, orders);
    return readPrices(changes, days, { runs, provenanceOf, from, to });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new DamagedBlock('its bits make no sense', { cause: error });
  }
}

/** Returns the version of a block after checking that its bytes are unchanged. */
function verify(block: Uint8Array, view: DataView, rowId: number): number {
  const end = block.length - CHECKSUM_BYTES;
  if (end <= HEADER_BYTES) throw new DamagedBlock('it is too short');
  if (view.getUint32(end) !== checksum(block.subarray(0, end), rowId)) {
    throw new DamagedBlock('its checksum does not match');
  }
  const version = view.getUint8(0);
  if (version < VERSIONS.withoutProvenance || version > VERSIONS.current) {
    throw new DamagedBlock(`its version ${version} is not known`);
  }
  return version;
}

/** Computes a CRC-32 seeded with the row id, which reveals a block in the wrong row. */
function checksum(bytes: Uint8Array, rowId: number): number {
  return crc32(bytes, rowId % 2 ** 32);
}

function nibble(byte: number, series: number): number {
  return series % 2 === 0 ? byte >>> 4 : byte & 15;
}

function firstDay(days: readonly DayPrices[]): number {
  const first = days[0]?.day ?? -1;
  const last = days.at(-1)?.day ?? -1;
  if (first < 0 || last > LAST_DAY) throw new RangeError('A block holds days from 0 to 65535.');
  return first;
}

/** Writes the days as lengths of runs of consecutive days and of the gaps between them. */
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

/** Which days to decode, and how to map their provenance numbers. */
interface Wanted<Provenance> {
  readonly runs: readonly ProvenanceRun[];
  readonly provenanceOf: (number: number) => Provenance;
  readonly from: Day;
  readonly to: Day;
}

function readPrices<Provenance>(
  changes: DeltaReader,
  days: readonly Day[],
  { runs, provenanceOf, from, to }: Wanted<Provenance>,
): BlockDay<Provenance>[] {
  const found: BlockDay<Provenance>[] = [];
  let at = 0;
  for (const { number, end } of runs) {
    const provenance = provenanceOf(number);
    for (; at < end; at += 1) {
      const day = days[at] ?? LAST_DAY;
      if (day > to) return found;
      changes.nextDay();
      if (day >= from) found.push(changes.pricesOf(day, provenance));
    }
  }
  return found;
}
