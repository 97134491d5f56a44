/**
 * The origin of the prices of a block's days. Each day has a small number that refers to
 * `history_sources`. A block stores the numbers run-length encoded, because most blocks have one
 * run. `docs/history-format.md` specifies the encoding.
 */

import type { DayPrices } from '../domain/price.ts';
import type { BitReader, BitWriter } from './bits.ts';

/** The provenance number of days whose origin was not recorded. */
export const UNKNOWN_PROVENANCE = 0;
/** The largest provenance number. */
const MAX_NUMBER = 0xffff;

/** A day of a block: its prices in cents and its provenance, as a number or decoded. */
export interface BlockDay<Provenance = number> extends DayPrices {
  readonly provenance: Provenance;
}

/** Successive days of a block with the same provenance number. */
export interface ProvenanceRun {
  readonly number: number;
  /** How many days of the block come before the end of this run. */
  readonly end: number;
}

/** The order of the Exp-Golomb codes of provenance numbers. */
const NUMBER_ORDER = 3;
/** The orders for run lengths: runs of the first number are long, most others are single days. */
const LENGTH_ORDERS = { first: 5, other: 0 } as const;

/**
 * Writes the provenance numbers of one or more days.
 *
 * @throws RangeError for a number that a block cannot hold.
 */
export function writeProvenances(writer: BitWriter, days: readonly BlockDay[]): void {
  const runs = runsOf(days);
  const numbers = [...new Set(runs.map(({ number }) => number))];
  writer.expGolomb(numbers.length - 1, 0);
  for (const number of numbers) writer.expGolomb(requireNumber(number), NUMBER_ORDER);
  if (numbers.length === 1) return;
  writer.expGolomb(runs.length - 2, 0);
  runs.forEach(({ number, end }, index) => {
    const which = numbers.indexOf(number);
    // With two numbers, each run has the number that the run before does not have.
    if (numbers.length > 2 && index > 0) writer.expGolomb(which, 0);
    if (index === runs.length - 1) return;
    writer.expGolomb(end - (runs[index - 1]?.end ?? 0) - 1, lengthOrder(which));
  });
}

/**
 * Reads the provenance numbers of `count` days as runs that cover all of these days.
 *
 * @throws RangeError if the bits make no sense.
 */
export function readProvenances(reader: BitReader, count: number): ProvenanceRun[] {
  const different = reader.expGolomb(0) + 1;
  // Most blocks have one number. Building a list for it would take a tenth of a short read's time.
  if (different === 1) return [{ number: reader.expGolomb(NUMBER_ORDER), end: count }];
  const numbers = readNumbers(reader, different, count);
  const runs: ProvenanceRun[] = [];
  let which = 0;
  let end = 0;
  for (let more = reader.expGolomb(0) + 1; more >= 0; more -= 1) {
    if (runs.length > 0) which = numbers.length > 2 ? reader.expGolomb(0) : 1 - which;
    end = more === 0 ? count : end + reader.expGolomb(lengthOrder(which)) + 1;
    const number = numbers[which];
    if (number === undefined || end > count) throw new RangeError('A run has no days.');
    runs.push({ number, end });
  }
  return runs;
}

function readNumbers(reader: BitReader, different: number, count: number): number[] {
  if (different > count) throw new RangeError('There are more provenances than days.');
  return Array.from({ length: different }, () => reader.expGolomb(NUMBER_ORDER));
}

function runsOf(days: readonly BlockDay[]): ProvenanceRun[] {
  const runs: ProvenanceRun[] = [];
  let number = days[0]?.provenance ?? UNKNOWN_PROVENANCE;
  let end = 0;
  for (const { provenance } of days) {
    if (provenance !== number) runs.push({ number, end });
    number = provenance;
    end += 1;
  }
  runs.push({ number, end });
  return runs;
}

function lengthOrder(which: number): number {
  return which === 0 ? LENGTH_ORDERS.first : LENGTH_ORDERS.other;
}

function requireNumber(number: number): number {
  if (Number.isInteger(number) && number >= 0 && number <= MAX_NUMBER) return number;
  throw new RangeError(`A provenance is 0 to ${MAX_NUMBER}, not ${number}.`);
}
