/**
 * Compares the packed history with a plain table with a row a day, in the same engine and run.
 *
 *     node bench/history.ts                                        # 2,000 × 1,000, SQLite
 *     node bench/history.ts --printings 100000 --append 400000 --engine both   # full size
 *
 * Options: --printings N --days N; --append N printings that get one more day; --plain N printings
 * in the plain table, whose size a point does not depend on N; --engine sqlite|postgres|both;
 * --repeats SHARE of days on which the source repeats the day before (0; real days have had 0.03);
 * --data FOLDER (../shared/data); --work FOLDER for the databases.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { coldRead, type Latency, readLatency, record } from './history/measure.ts';
import { startPostgres } from './history/postgres.ts';
import { type RealPrices, readRealPrices } from './history/series.ts';
import {
  bytesOnDisk,
  type OpenSubject,
  openPacked,
  openRowADay,
  type Subject,
} from './history/subjects.ts';

const TEN_YEARS = 3650;
/** The number of printings with ten years of days. */
const OLD_PRINTINGS = 100;
const READS = 5000;
/** The number of days that printings have before one more is appended. */
const DAYS_BEFORE_APPEND = 70;

const { values } = parseArgs({
  options: {
    printings: { type: 'string', default: '2000' },
    days: { type: 'string', default: '1000' },
    append: { type: 'string', default: '20000' },
    plain: { type: 'string', default: '2000' },
    engine: { type: 'string', default: 'sqlite' },
    repeats: { type: 'string', default: '0' },
    data: { type: 'string', default: '../shared/data' },
    work: { type: 'string', default: join(tmpdir(), `history-bench-${process.pid}`) },
  },
});
const printings = Number(values.printings);
const days = Number(values.days);
const appended = Number(values.append);
const plainPrintings = Math.min(Number(values.plain), printings);

type Place = (name: string) => Promise<string>;
type Figures = Record<string, string>;

mkdirSync(values.work, { recursive: true });
try {
  const real = await readRealPrices(values.data, Number(values.repeats));
  console.log(`${real.prices.length} real prices, ${real.amounts.length} real changes of a day`);
  if (values.engine !== 'postgres') {
    await compare('SQLite', real, async (name) => join(values.work, `${name}.db`));
  }
  if (values.engine !== 'sqlite') {
    const server = await startPostgres();
    try {
      await compare('PostgreSQL', real, (name) => server.createDatabase(name));
    } finally {
      await server.stop();
    }
  }
} finally {
  rmSync(values.work, { recursive: true, force: true });
}

async function compare(engine: string, real: RealPrices, place: Place): Promise<void> {
  const packed = await figures(openPacked, await place('packed'), printings, real);
  const plain = await figures(openRowADay, await place('plain'), plainPrintings, real);
  Object.assign(packed, await appendFigures(openPacked, await place('packed_append'), real));
  Object.assign(plain, await appendFigures(openRowADay, await place('plain_append'), real));
  const title = `${engine}, ${days} days`;
  print([title, `packed, ${printings} printings`, `a row a day, ${plainPrintings}`]);
  for (const [name, figure] of Object.entries(packed)) print([name, figure, plain[name] ?? '']);
}

async function figures(
  open: OpenSubject,
  location: string,
  count: number,
  real: RealPrices,
): Promise<Figures> {
  const subject = await open(location);
  const { points, seconds, grownMb } = await record(subject, real, {
    printings: [0, count],
    days: [0, days],
  });
  const bytes = await bytesOnDisk(subject.store);
  const found: Figures = {
    'bytes a point': (bytes / points).toFixed(3),
    'backfill, points a second': Math.round(points / seconds).toLocaleString('en'),
    'backfill, memory grown by': `${grownMb.toFixed(0)} MB`,
    ...(await readFigures(subject, count)),
  };
  await subject.store.close();
  if (!location.startsWith('postgres')) {
    const cold = await coldRead(open, location, count, days);
    found['1y, cold file'] =
      `${cold.milliseconds.toFixed(2)} ms, ${cold.calls} reads, ${cold.diskBytes / 1024} KiB`;
  }
  Object.assign(found, await tenYearFigures(open, location, count, real));
  return found;
}

async function readFigures(subject: Subject, count: number): Promise<Figures> {
  const all = Array.from({ length: count }, (_, printing) => printing);
  return {
    '30d, p50 / p99': show(await readLatency(subject, all, days, 30, READS)),
    '1y, p50 / p99': show(await readLatency(subject, all, days, 365, READS)),
  };
}

/** Measures reads of ten years, on further printings that have as many days. */
async function tenYearFigures(
  open: OpenSubject,
  location: string,
  count: number,
  real: RealPrices,
): Promise<Figures> {
  const subject = await open(location);
  const old = Array.from({ length: OLD_PRINTINGS }, (_, index) => count + index);
  await record(subject, real, {
    printings: [count, count + OLD_PRINTINGS],
    days: [0, TEN_YEARS],
  });
  const latency = await readLatency(subject, old, TEN_YEARS, TEN_YEARS, READS);
  await subject.store.close();
  return { 'all of ten years, p50 / p99': show(latency) };
}

async function appendFigures(
  open: OpenSubject,
  location: string,
  real: RealPrices,
): Promise<Figures> {
  const subject = await open(location);
  const all = [0, appended] as const;
  await record(subject, real, { printings: all, days: [0, DAYS_BEFORE_APPEND] });
  const oneDay = [DAYS_BEFORE_APPEND, DAYS_BEFORE_APPEND + 1] as const;
  const { seconds, grownMb } = await record(subject, real, { printings: all, days: oneDay });
  await subject.store.close();
  const title = `one day of ${appended.toLocaleString('en')} printings`;
  return {
    [title]: `${seconds.toFixed(2)} s`,
    'its memory grown by': `${grownMb.toFixed(0)} MB`,
  };
}

function show({ p50, p99 }: Latency): string {
  return `${p50.toFixed(3)} / ${p99.toFixed(3)} ms`;
}

function print([first = '', ...rest]: readonly string[]): void {
  console.log([first.padEnd(34), ...rest.map((text) => text.padStart(30))].join(' '));
}
