import { comparePrintings } from '../domain/card.ts';
import { type Day, dayOf, type Millis, startOfDay } from '../domain/day.ts';
import type { GameSlug } from '../domain/games.ts';
import { type DayPrices, hasPrice, type PriceQuad } from '../domain/price.ts';
import type { Past } from '../sources/source.ts';
import { type NextKeys, PRINTINGS, printingsOf } from '../store/catalogue.ts';
import type { Store } from '../store/connect.ts';
import { DamagedHistory, type historyReader, type PrintingDay } from '../store/history.ts';
import type { PrintingRow } from '../store/schema.ts';
import { PrintingBook } from './printings.ts';
import type { NextPublication } from './publication.ts';
import { recordDays } from './record.ts';
import type { Series } from './series.ts';

/** Writes days of series: all of a batch in one transaction, or nothing. */

export interface SeriesRun {
  readonly store: Store;
  readonly past: Past;
  readonly startedAt: Millis;
  readonly next: NextKeys;
  readonly publication: NextPublication;
  readonly readDays: ReturnType<typeof historyReader>;
  /** The day of the newest served price of each game when the import began. */
  readonly newest: ReadonlyMap<GameSlug, Day>;
}

/** A series with days of it, in any order and at least one; of two for one day the later counts. */
export interface SeriesDays {
  readonly series: Series;
  readonly days: readonly DayPrices[];
}

/** What writing series did. */
export interface SeriesCounts {
  /** Days of printings, those without a price among them. */
  points: number;
  printingsAdded: number;
  pricesChanged: number;
  historyAdded: number;
  historyCorrected: number;
  /** Points meant for the default printing of a card that has no printing at all. */
  withoutPrinting: number;
}

/** Records days of series and serves the newest of each, unless something newer is served. */
export async function writeSeries(
  run: SeriesRun,
  batch: readonly SeriesDays[],
): Promise<{ counts: SeriesCounts; damaged: readonly DamagedHistory[] }> {
  const { store, next, publication, startedAt } = run;
  return store.db.transaction().execute(async (transaction) => {
    const cards = new Set(batch.map(({ series }) => series.card));
    const rows = await printingsOf(transaction, [...cards]);
    const book = new PrintingBook(rows, next, publication.revision);
    const placed = await completed(run, place(book, rows, batch));
    for (const one of placed) serve(run, book, one);
    const changed = book.changedRows();
    if (changed.length > 0) await publication.begin(transaction);
    await store.engine.upsert(transaction, PRINTINGS, changed);
    const days = placed.flatMap(observedDays);
    const { damaged, ...recorded } = await recordDays(store, transaction, days, startedAt);
    const { printingsAdded, pricesChanged } = book.counts;
    const points = countDays(placed);
    const withoutPrinting = countDays(batch) - points;
    return {
      counts: { points, withoutPrinting, printingsAdded, pricesChanged, ...recorded },
      damaged,
    };
  });
}

/** A series that has found its printing. */
interface PlacedSeries extends SeriesDays {
  readonly row: PrintingRow;
}

function place(
  book: PrintingBook,
  rows: readonly PrintingRow[],
  batch: readonly SeriesDays[],
): PlacedSeries[] {
  const byCard = Map.groupBy(rows, (row) => row.card_id);
  return batch.flatMap(({ series, days }) => {
    const name = series.printing ?? defaultName(byCard.get(series.card) ?? []);
    return name === undefined ? [] : [{ series, days, row: book.printing(series.card, name) }];
  });
}

/** The plainest printing of a card that has a price, else the plainest. */
function defaultName(rows: readonly PrintingRow[]): string | undefined {
  const names = (some: readonly PrintingRow[]) => some.map((row) => row.name);
  const priced = rows.filter((row) => hasPrice(row as PriceQuad));
  return names(priced.length > 0 ? priced : rows).sort(comparePrintings)[0];
}

const FIGURES = ['market', 'low', 'mid', 'high'] as const;

/** The figures that a source does not tell are filled in with what is known of the day. */
async function completed(
  { past, readDays }: SeriesRun,
  placed: readonly PlacedSeries[],
): Promise<readonly PlacedSeries[]> {
  const untold = FIGURES.filter((figure) => !past.figures.includes(figure));
  if (untold.length === 0) return placed;
  const whole: PlacedSeries[] = [];
  for (const one of placed) {
    const from = one.days.reduce((first, { day }) => Math.min(first, day), Infinity);
    const to = one.days.reduce((last, { day }) => Math.max(last, day), 0);
    const known = await soundDays(readDays(one.row.id, from as Day, to as Day));
    const byDay = new Map(known.map((prices) => [prices.day, prices]));
    whole.push({ ...one, days: one.days.map((prices) => filled(prices, byDay, untold)) });
  }
  return whole;
}

/** Nothing is known where it is damaged; nothing will be recorded there either. */
async function soundDays(days: Promise<DayPrices[]>): Promise<DayPrices[]> {
  try {
    return await days;
  } catch (error) {
    if (error instanceof DamagedHistory) return [];
    throw error;
  }
}

function filled(
  prices: DayPrices,
  known: ReadonlyMap<Day, DayPrices>,
  untold: readonly (keyof PriceQuad)[],
): DayPrices {
  const before = known.get(prices.day);
  if (!before) return prices;
  return { ...prices, ...Object.fromEntries(untold.map((figure) => [figure, before[figure]])) };
}

/** Lets a printing serve its newest day, unless something newer is known of it or of its game. */
function serve(run: SeriesRun, book: PrintingBook, { series, row, days }: PlacedSeries): void {
  const newest = days.reduce((before, prices) => (prices.day < before.day ? before : prices));
  // What the newest import of a game did not list has no price now, whatever it had once.
  const since = row.observed_at === null ? run.newest.get(series.game) : dayOf(row.observed_at);
  if (since !== undefined && newest.day < since) return;
  const observed = { printing: row.name, prices: newest };
  book.observe(series.card, observed, startOfDay(newest.day), sourcesOf(run.past, row, newest));
}

/** The sources of a printing's prices, with those of the figures that stay as they were. */
function sourcesOf(past: Past, row: PrintingRow, prices: DayPrices): readonly string[] {
  const kept = FIGURES.some((figure) => prices[figure] !== null && !past.figures.includes(figure));
  const before = kept ? (JSON.parse(row.sources) as string[]) : [];
  return [...new Set([...before, past.priceSource])].sort();
}

function observedDays({ row, days }: PlacedSeries): PrintingDay[] {
  return days.filter(hasPrice).map((prices) => ({ printing: row.id, prices }));
}

function countDays(batch: readonly SeriesDays[]): number {
  return batch.reduce((sum, { days }) => sum + days.length, 0);
}
