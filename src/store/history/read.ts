import type { Day, Window } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { HistoryDay } from '../../domain/price.ts';
import { LAST_DAY } from '../../history/codec.ts';
import { sealedId, sealedIds, sealedSpan } from '../../history/spans.ts';
import type { Database, HistoryRecentRow, HistoryRow } from '../catalogue/schema.ts';
import type { Store } from '../connect.ts';
import type { Opened } from '../engine/engine.ts';
import { isOneOf } from '../engine/id-lists.ts';
import { DamagedHistory, recentDays, sealedDays } from './blocks.ts';
import { KnownProvenances, type ProvenanceOf } from './provenances.ts';
import { recentRows } from './stored-blocks.ts';

const FIRST_DAY = 0 as Day;

/**
 * Returns a function that reads the days of a printing from `from` to `to`, both inclusive, in
 * ascending order. Omits days without an observation. Call this once and keep the function, because
 * it prepares statements.
 *
 * The function throws DamagedHistory if a block that may hold these days cannot be decoded.
 */
export function historyReader({
  engine,
  db,
}: Opened<Database>): (printing: number, from: Day, to: Day) => Promise<HistoryDay[]> {
  const recent = engine.prepare<HistoryRecentRow>(
    'select printing_id, first_day, last_day, block from history_recent where printing_id = $1',
  );
  const sealed = engine.prepare<HistoryRow>(
    'select id, block from history where id between $1 and $2 order by id',
  );
  const provenances = new KnownProvenances(db);
  return async (printing, from, to) => {
    // Read the recent block first: days that move to a sealed block during the read are then found
    // in both.
    const [row] = await recent([printing]);
    if (!row) return [];
    const older = olderThan(row, from, to);
    const rows = older
      ? await sealed([sealedId(printing, older.from), sealedId(printing, older.to)])
      : [];
    return provenances.resolve((provenanceOf) => daysOf({ from, to }, row, rows, provenanceOf));
  };
}

function sealedOf(db: Opened<Database>['db'], ids: readonly number[]): Promise<HistoryRow[]> {
  return db.selectFrom('history').where(isOneOf('id', ids)).orderBy('id').selectAll().execute();
}

/** Some days of a printing. */
export interface PrintingWindow extends Window {
  readonly printing: number;
}

/**
 * Returns a function that reads the days of several printings, like {@link historyReader} for one.
 * It uses one statement for all recent blocks and one for all sealed blocks. With `onDamage`, it
 * omits printings whose history is damaged.
 */
export function historiesReader({
  db,
}: Opened<Database>): (
  windows: readonly PrintingWindow[],
  onDamage?: ExportFilter['onDamage'],
) => Promise<Map<number, readonly HistoryDay[]>> {
  const provenances = new KnownProvenances(db);
  return async (windows, onDamage) => {
    const printings = windows.map(({ printing }) => printing);
    const recent = await db
      .selectFrom('history_recent')
      .where(isOneOf('printing_id', printings))
      .selectAll()
      .execute();
    const rows = new Map(recent.map((row) => [row.printing_id, row]));
    const ids = windows.flatMap(({ printing, from, to }) => {
      const row = rows.get(printing);
      const older = row && olderThan(row, from, to);
      return older ? sealedIds(printing, older) : [];
    });
    const sealed = ids.length === 0 ? [] : await sealedOf(db, ids);
    const older = Map.groupBy(sealed, ({ id }) => sealedSpan(id).printing);
    return provenances.resolve((provenanceOf) => {
      const read = windows.flatMap((window) => {
        const { printing } = window;
        const row = rows.get(printing);
        const decode = () => daysOf(window, row, older.get(printing) ?? [], provenanceOf);
        const days = unlessDamaged(decode, onDamage);
        return days ? [[printing, days] as const] : [];
      });
      return new Map(read);
    });
  };
}

/** Returns undefined for a damaged history, unless `onDamage` is undefined: then it throws. */
function unlessDamaged<Result>(
  decode: () => Result,
  onDamage: ExportFilter['onDamage'],
): Result | undefined {
  try {
    return decode();
  } catch (error) {
    if (!onDamage || !(error instanceof DamagedHistory)) throw error;
    onDamage(error);
    return undefined;
  }
}

/** Returns the part of a window from before the recent block; undefined if there is none. */
function olderThan(row: HistoryRecentRow, from: Day, to: Day): Window | undefined {
  const last = Math.min(to, row.first_day - 1) as Day;
  return from > last ? undefined : { from: clamp(from), to: clamp(last) };
}

/** Decodes the days of a window from the blocks of a printing. */
function daysOf(
  { from, to }: Window,
  row: HistoryRecentRow | undefined,
  sealed: readonly HistoryRow[],
  provenanceOf: ProvenanceOf,
): HistoryDay[] {
  if (!row) return [];
  const newest = to < row.first_day ? [] : recentDays(row, provenanceOf, from, to);
  const last = Math.min(to, row.first_day - 1) as Day;
  const none: HistoryDay[] = [];
  return none.concat(...sealed.map((block) => sealedDays(block, provenanceOf, from, last)), newest);
}

function clamp(day: Day): Day {
  return Math.max(FIRST_DAY, Math.min(day, LAST_DAY)) as Day;
}

/** Returns the newest day with an observation for each game that has any. Reads all recent rows. */
export async function newestHistoryDays(store: Store): Promise<Map<GameSlug, Day>> {
  const rows = await store.db
    .selectFrom('history_recent')
    .innerJoin('printings', 'printings.id', 'history_recent.printing_id')
    .innerJoin('cards', 'cards.id', 'printings.card_id')
    .innerJoin('sets', 'sets.id', 'cards.set_id')
    .groupBy('sets.game')
    .select(({ fn }) => ['sets.game', fn.max('history_recent.last_day').as('day')])
    .execute();
  return new Map(rows.map(({ game, day }) => [game as GameSlug, day as Day]));
}

/** Filters for an export. An omitted filter does not restrict it. */
export interface ExportFilter {
  /** The printings in the order of the export. */
  readonly printings?: Iterable<number> | AsyncIterable<number>;
  /** The first and the last day to export. */
  readonly from?: Day;
  readonly to?: Day;
  /** Called for each printing omitted because of damage. Without it, the export throws. */
  readonly onDamage?: (damage: DamagedHistory) => void;
}

/** One or more days of a printing, in ascending order. */
export interface PrintingHistory {
  readonly printing: number;
  readonly days: readonly HistoryDay[];
}

/**
 * Yields the history, printing by printing, in constant memory. Omits printings without a day to
 * export.
 *
 * @throws DamagedHistory unless the filter has `onDamage`.
 */
export async function* exportHistory(
  store: Store,
  filter: ExportFilter = {},
): AsyncGenerator<PrintingHistory> {
  const { from = FIRST_DAY, to = LAST_DAY, onDamage } = filter;
  const read = historyReader(store);
  for await (const printing of filter.printings ?? allPrintings(store)) {
    try {
      const days = await read(printing, from, to);
      if (days.length > 0) yield { printing, days };
    } catch (error) {
      if (!onDamage || !(error instanceof DamagedHistory)) throw error;
      onDamage(error);
    }
  }
}

async function* allPrintings(store: Store): AsyncGenerator<number> {
  for await (const page of recentRows(store.db)) {
    for (const row of page) yield row.printing_id;
  }
}
