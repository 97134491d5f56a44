import type { Kysely } from 'kysely';
import { type Day, startOfDay } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Observation } from '../../domain/observation.ts';
import { type DayPrices, FIGURES } from '../../domain/price.ts';
import { countsAs } from '../../domain/sources.ts';
import type { Backfill } from '../../sources/contract/backfill.ts';
import { cardNames } from '../../store/catalogue/catalogue.ts';
import type { Database } from '../../store/catalogue/schema.ts';
import type { CardObservation, ObservationPart } from '../observation.ts';
import { type WrittenObservations, writeObservations } from '../pricing/write.ts';
import type { ImportRun } from '../run.ts';
import type { Series } from './series.ts';

/** What writing the series of a backfill works with. */
export interface SeriesRun extends ImportRun {
  readonly backfill: Backfill;
  /** The day of the newest price that the source had of each game when the import began. */
  readonly newestDays: ReadonlyMap<GameSlug, Day>;
}

/** One or more days of a series, in any order; of two for one day the later in order counts. */
export interface SeriesDays {
  readonly series: Series;
  readonly days: readonly DayPrices[];
  readonly extras?: SeriesExtras | undefined;
}

/** Prices by condition and grade of one day; undefined where the source cannot report them. */
export interface SeriesExtras extends Partial<Pick<Observation, 'conditions' | 'graded'>> {
  readonly day: Day;
}

/**
 * Writes days of series in one transaction. The newest day of each is what the source reports of
 * its printing now, the others are its earlier days.
 */
export async function writeSeries(
  run: SeriesRun,
  batch: readonly SeriesDays[],
): Promise<WrittenObservations> {
  return run.store.db.transaction().execute(async (transaction) => {
    const observations = await observationsOf(run, transaction, batch);
    return writeObservations(run, transaction, observations);
  });
}

async function observationsOf(
  { backfill, newestDays }: SeriesRun,
  transaction: Kysely<Database>,
  batch: readonly SeriesDays[],
): Promise<CardObservation[]> {
  const ids = new Set(batch.map(({ series }) => series.card));
  const names = await cardNames(transaction, [...ids]);
  return batch.map(({ series, days, extras }) => {
    const { card, externalId, printing, marketplace, currency, game } = series;
    const { newest, missing } = newestOf(backfill, days, extras);
    return {
      source: countsAs(backfill.source),
      card: { id: card, name: names.get(card) ?? '' },
      externalId,
      observation: { printing, marketplace, currency, ...newest },
      missing,
      presentFrom: newestDays.get(game),
    };
  });
}

function newestOf({ figures }: Backfill, days: readonly DayPrices[], extras?: SeriesExtras) {
  const last = days.reduce((before, prices) => (prices.day < before.day ? before : prices));
  const { day, ...prices } = last;
  const earlierDays = days.filter((one) => one !== last);
  const { conditions, graded } = extras?.day === day ? extras : {};
  const missing: ObservationPart[] = FIGURES.filter((figure) => !figures.includes(figure));
  if (!conditions) missing.push('conditions');
  if (!graded) missing.push('graded');
  const amounts = { prices, conditions: conditions ?? {}, graded: graded ?? {} };
  return { newest: { observedAt: startOfDay(day), ...amounts, earlierDays }, missing };
}
