import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { addDays } from '../../src/domain/day.ts';
import type { PrintingDay } from '../../src/store/history/index.ts';
import { FIRST_DAY, makeDays, provenanceOn, type RealPrices, randomOf } from './series.ts';
import type { OpenSubject, Subject } from './subjects.ts';

/** About as many printings as a card group has; one transaction each. */
const GROUP = 400;

export interface Recording {
  readonly seconds: number;
  readonly points: number;
  /** By how much the process grew at most, in MB. */
  readonly grownMb: number;
}

/** Ranges of days (from 0) and printings: from the first to before the second. */
export interface Extent {
  readonly printings: readonly [from: number, to: number];
  readonly days: readonly [from: number, to: number];
}

/** Records days of printings that `makeDays` makes, group by group. */
export async function record(
  subject: Subject,
  real: RealPrices,
  extent: Extent,
): Promise<Recording> {
  const [firstPrinting, printings] = extent.printings;
  const [first, last] = extent.days;
  const rssBefore = process.memoryUsage.rss();
  const result = { seconds: 0, points: 0, grownMb: 0 };
  // The same number of points a transaction, whether of few days or of many.
  const group = Math.max(10, Math.min(GROUP, Math.floor(100_000 / (last - first))));
  for (let start = firstPrinting; start < printings; start += group) {
    const days: PrintingDay[] = [];
    for (let printing = start; printing < Math.min(start + group, printings); printing += 1) {
      for (const prices of makeDays(real, printing, last).slice(first)) {
        days.push({ printing, prices, provenance: provenanceOn(real, printing, prices.day) });
      }
    }
    const began = performance.now();
    await subject.record(days);
    result.seconds += (performance.now() - began) / 1000;
    result.points += days.length;
    const grown = (process.memoryUsage.rss() - rssBefore) / 2 ** 20;
    result.grownMb = Math.max(result.grownMb, grown);
  }
  return result;
}

export interface Latency {
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Reads the newest `window` of `days` days of printings at random, warmed up, one by one. */
export async function readLatency(
  subject: Subject,
  printings: readonly number[],
  days: number,
  window: number,
  reads: number,
): Promise<Latency> {
  const random = randomOf(window);
  const last = addDays(FIRST_DAY, days - 1);
  const times: number[] = [];
  for (let index = -reads / 2; index < reads; index += 1) {
    const printing = printings[Math.floor(random() * printings.length)] ?? 0;
    const began = performance.now();
    const found = await subject.read(printing, addDays(last, 1 - window), last);
    const time = performance.now() - began;
    if (found.length !== Math.min(window, days)) throw new Error('days are missing');
    if (index >= 0) times.push(time);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

export interface ColdRead {
  readonly milliseconds: number;
  /** Read calls to the system, and what came from the disk, per window read. */
  readonly calls: number;
  readonly diskBytes: number;
}

/**
 * Reads `1y` of one printing after another from a SQLite file that is not cached by the
 * process or the system. Returns the median time, and what it took.
 */
export async function coldRead(
  open: OpenSubject,
  file: string,
  printings: number,
  days: number,
): Promise<ColdRead> {
  const last = addDays(FIRST_DAY, days - 1);
  const random = randomOf(99);
  const reads: ColdRead[] = [];
  for (let index = 0; index < 20; index += 1) {
    const subject = await open(file);
    // The schema and the statements are loaded; what follows is the read of a window alone.
    await subject.read(-1, last, last);
    dropFileCache(file);
    const before = ioOfProcess();
    const began = performance.now();
    await subject.read(Math.floor(random() * printings), addDays(last, -364), last);
    const milliseconds = performance.now() - began;
    const after = ioOfProcess();
    const diskBytes = after.diskBytes - before.diskBytes;
    reads.push({ milliseconds, calls: after.calls - before.calls, diskBytes });
    await subject.store.close();
  }
  reads.sort((a, b) => a.milliseconds - b.milliseconds);
  return reads[reads.length / 2] ?? { milliseconds: 0, calls: 0, diskBytes: 0 };
}

/** Has the system forget the file's pages; needs no rights beyond those to the file. */
function dropFileCache(file: string): void {
  const options = ['oflag=nocache', 'conv=notrunc,fdatasync', 'count=0', 'status=none'];
  execFileSync('dd', ['if=/dev/null', `of=${file}`, ...options]);
}

function ioOfProcess(): { calls: number; diskBytes: number } {
  const text = readFileSync('/proc/self/io', 'utf8');
  const value = (name: string): number => Number(text.match(`${name}: (\\d+)`)?.[1]);
  return { calls: value('syscr'), diskBytes: value('read_bytes') };
}
