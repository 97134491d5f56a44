import type { Kysely } from 'kysely';
import { type Day, startOfDay } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Observation } from '../../domain/observation.ts';
import { type DayPrices, FIGURES } from '../../domain/price.ts';
import { countsAs } from '../../domain/sources.ts';
import type { Backfill } from '../../sources/contract/backfill.ts';
import { cardNames } from '../../store/catalogue.ts';
import type { Database } from '../../store/schema.ts';
import {
  type CardObservation,
  type Part,
  type PriceRun,
  type WrittenObservations,
  writeObservations,
} from '../pricing/pipeline.ts';
import type { Series } from './series.ts';

/** Writes days of series: all of a batch in one transaction, or nothing. */

export interface SeriesRun extends PriceRun {
  readonly past: Backfill;
  /** The day of the newest price that the source had of each game when the import began. */
  readonly newest: ReadonlyMap<GameSlug, Day>;
}

/** A series with days of it, in any order and at least one; of two for one day the later counts. */
export interface SeriesDays {
  readonly series: Series;
  readonly days: readonly DayPrices[];
  /** Prices by condition and grade, of one of the days. */
  readonly extras?: SeriesExtras | undefined;
}

/** What is told of a day besides the figures; undefined where the source cannot tell. */
export interface SeriesExtras extends Partial<Pick<Observation, 'conditions' | 'graded'>> {
  readonly day: Day;
}

/** What writing series did. */
export interface SeriesCounts {
  /** Days of printings, those without a price among them. */
  points: number;
  printingsAdded: number;
  pricesChanged: number;
  historyAdded: number;
  historyCorrected: number;
}

export interface WrittenSeries extends Pick<WrittenObservations, 'heldBack' | 'damaged'> {
  readonly counts: SeriesCounts;
}

/** Records days of series. The newest of each is what the source says of its printing now. */
export async function writeSeries(
  run: SeriesRun,
  batch: readonly SeriesDays[],
): Promise<WrittenSeries> {
  return run.store.db.transaction().execute(async (transaction) => {
    const told = await toldQuotes(run, transaction, batch);
    const { counts, ...taken } = await writeObservations(run, transaction, told);
    const { printingsAdded, pricesChanged, historyAdded, historyCorrected } = counts;
    const points = countDays(told);
    const written = { printingsAdded, pricesChanged, historyAdded, historyCorrected };
    return { counts: { points, ...written }, ...taken };
  });
}

async function toldQuotes(
  { past, newest }: SeriesRun,
  transaction: Kysely<Database>,
  batch: readonly SeriesDays[],
): Promise<CardObservation[]> {
  const ids = new Set(batch.map(({ series }) => series.card));
  const names = await cardNames(transaction, [...ids]);
  return batch.map(({ series, days, extras }) => {
    const { card, externalId, printing, marketplace, currency, game } = series;
    const presentFrom = newest.get(game);
    const { quote, untold } = newestOf(past, days, extras);
    return {
      source: countsAs(past.source),
      card: { id: card, name: names.get(card) ?? '' },
      externalId,
      observation: { printing, marketplace, currency, ...quote },
      missing: untold,
      ...(presentFrom !== undefined && { presentFrom }),
    };
  });
}

/** The newest of some days as what is said now, the others as its past. */
function newestOf({ figures }: Backfill, days: readonly DayPrices[], extras?: SeriesExtras) {
  const newest = days.reduce((before, prices) => (prices.day < before.day ? before : prices));
  const { day, ...prices } = newest;
  const past = days.filter((one) => one !== newest);
  const { conditions, graded } = extras?.day === day ? extras : {};
  const untold: Part[] = FIGURES.filter((figure) => !figures.includes(figure));
  if (!conditions) untold.push('conditions');
  if (!graded) untold.push('graded');
  const told = { conditions: conditions ?? {}, graded: graded ?? {} };
  return { quote: { observedAt: startOfDay(day), prices, earlierDays: past, ...told }, untold };
}

function countDays(told: readonly CardObservation[]): number {
  return told.reduce((sum, { observation }) => sum + 1 + (observation.earlierDays?.length ?? 0), 0);
}
