import type { Day } from '../../domain/day.ts';
import { printingsById, upsertPrintings } from '../../store/catalogue/catalogue.ts';
import {
  deleteObservations,
  type StoredObservation,
  upsertObservations,
} from '../../store/catalogue/observations.ts';
import type { Transaction } from '../../store/connect.ts';
import {
  type CopyDay,
  type DamagedHistory,
  type HistorySeries,
  type PrintingDay,
  type RemovedDays,
  recordHistory,
  removeSourceDays,
  type SourceDays,
  seriesOf,
  takeReplacedDays,
  type WantedDay,
  withSeries,
} from '../../store/history/index.ts';
import { servedCopyDays, servedDay } from '../pricing/days.ts';
import { judgeByHistory } from '../pricing/merge.ts';
import { KnownPrintings } from '../pricing/printings.ts';
import type { ImportRun } from '../run.ts';

/**
 * Reverses a source's writes on some days: an import by a rollback, an approval by its undo. The
 * two differ only in how they know the earlier state.
 */

/** The observations of printings to reverse. */
export interface Reverted {
  /** The observations that were not wrong. */
  readonly kept: readonly StoredObservation[];
  /** The observations to which the wrong ones return. */
  readonly putBack: readonly StoredObservation[];
  /** The wrong observations without an earlier one to return to. */
  readonly gone: readonly StoredObservation[];
  /** The earlier days of the source, if known. */
  readonly restored?: readonly PrintingDay[];
}

/** The losses of a history. */
export interface Removal {
  /** By row id of the printing, or by id of the series of a condition or grade. */
  readonly histories: ReadonlyMap<number, RemovedDays>;
  /** The series of the printings. */
  readonly series: readonly HistorySeries[];
  /** The row ids of printings with a damaged history, which must not change. */
  readonly damaged: ReadonlySet<number>;
}

export interface Reversal {
  readonly days: SourceDays;
  /** The earlier days that `revert` needs, by row id of the printings to reverse. */
  readonly wanted: ReadonlyMap<number, readonly WantedDay[]>;
  /** Decides to which observations the printings return. */
  revert(removal: Removal): Reverted;
}

export interface Reversed {
  /** The number of printings that lost a day or an observation. */
  readonly printings: number;
  /** The number of printings whose served prices changed. */
  readonly pricesChanged: number;
  readonly removal: Removal;
  readonly reverted: Reverted;
  /** The damaged histories. Their printings stay as they were. */
  readonly damaged: readonly DamagedHistory[];
}

/**
 * Removes days of a source from the history, puts its observations back, and merges the served
 * prices and the days of other sources again, inside `transaction`.
 */
export async function reverse(
  run: ImportRun,
  transaction: Transaction,
  { days, wanted, revert }: Reversal,
): Promise<Reversed> {
  const { store } = run;
  const series = await seriesOf(transaction, [...wanted.keys()]);
  const all = new Map(wanted);
  for (const { id, printing } of series) all.set(id, wanted.get(printing) ?? []);
  const at = run.startedAt;
  const { printings, damaged } = await removeSourceDays(store, transaction, all, days, at);
  const owners = new Map(series.map(({ id, printing }) => [id, printing]));
  const removal = {
    histories: printings,
    series,
    damaged: new Set(damaged.map(({ printing }) => printing)),
  };
  const reverted = revert(removal);
  const removed = new Map([...printings].map(([id, history]) => [id, history.days] as const));
  const written = await write(run, transaction, { reverted, removed, days, owners });
  return { ...written, removal, reverted, damaged };
}

interface Change {
  readonly reverted: Reverted;
  readonly days: SourceDays;
  /** The removed days, by row id of the printing or id of the series. */
  readonly removed: ReadonlyMap<number, readonly Day[]>;
  /** The row ids of the printings of series. */
  readonly owners: ReadonlyMap<number, number>;
}

async function write(
  run: ImportRun,
  transaction: Transaction,
  { reverted, removed, days, owners }: Change,
): Promise<Pick<Reversed, 'printings' | 'pricesChanged'>> {
  const { store, publication, startedAt } = run;
  const concerned = concernedPrintings({ reverted, removed, owners });
  if (concerned.length > 0) await publication.begin(transaction);
  await deleteObservations(transaction, reverted.gone);
  await upsertObservations(store, transaction, reverted.putBack);
  const merged = await mergeRest(run, transaction, concerned, reverted);
  const replaced = await takeReplacedDays(transaction, removed, days);
  // If several fill one day, the last one counts.
  const filling = [...replaced, ...merged.days, ...(reverted.restored ?? [])];
  const fills = filling.map((day) => ({ ...day, fills: true }));
  await recordHistory(store, transaction, await withSeries(transaction, fills), startedAt);
  await judgeByHistory(store, transaction, merged.printings, merged.printings.all());
  await upsertPrintings(store, transaction, merged.printings.changedPrintings());
  const { pricesChanged } = merged.printings.counts;
  return { printings: concerned.length, pricesChanged };
}

/** The row ids of printings that lost a day or an observation. */
function concernedPrintings({
  removed,
  owners,
  reverted: { putBack, gone },
}: Omit<Change, 'days'>): readonly number[] {
  const shortened = [...removed]
    .filter(([, { length }]) => length > 0)
    .map(([id]) => owners.get(id) ?? id);
  const reported = [...putBack, ...gone].map(({ printingRowId }) => printingRowId);
  return [...new Set([...shortened, ...reported])];
}

/**
 * Merges the remaining observations of printings. Returns the printings for the caller to write,
 * and the days that other sources now serve, which the history may lack.
 */
async function mergeRest(
  { nextIds, publication, rates }: ImportRun,
  transaction: Transaction,
  ids: readonly number[],
  { kept, putBack }: Reverted,
): Promise<{ readonly days: readonly CopyDay[]; readonly printings: KnownPrintings }> {
  const known = await printingsById(transaction, ids);
  const { revision } = publication;
  const foilCards = new Set<number>();
  const options = { nextIds, revision, rates, foilCards };
  const printings = new KnownPrintings(known, [...kept, ...putBack], options);
  const isPutBack = new Set(putBack);
  const days = printings.all().flatMap((printing) => {
    const { rowId } = printing.stored;
    const { merged } = printings.merge(printing);
    const figures = merged.figures.choice;
    const isOther = figures && !isPutBack.has(figures.observation);
    return [...(isOther ? [servedDay(rowId, figures)] : []), ...servedCopyDays(rowId, merged)];
  });
  return { days, printings };
}
