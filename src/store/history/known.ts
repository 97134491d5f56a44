import type { Kysely } from 'kysely';
import type { Day } from '../../domain/day.ts';
import type { DayPrices, HistoryDay, Provenance } from '../../domain/price.ts';
import type { Database, HistoryCorrectionRow, HistoryLateRow } from '../catalogue/schema.ts';
import type { Opened } from '../engine/engine.ts';
import { queryInChunks } from '../engine/paging.ts';
import { readProvenances } from './provenances.ts';
import { historiesReader, type PrintingWindow } from './read.ts';

/** Reads the history as of an earlier publication. */

type Db = Kysely<Database>;

/**
 * Returns a function that reads the days of several printings as of the publication `revision`.
 * Omits days that later publications added, and restores days that they replaced or removed.
 *
 * The function throws DamagedHistory if a block that may hold these days cannot be decoded.
 */
export function knownHistoriesReader(
  store: Opened<Database>,
): (
  windows: readonly PrintingWindow[],
  revision: number,
) => Promise<Map<number, readonly HistoryDay[]>> {
  const read = historiesReader(store);
  return async (windows, revision) => {
    if (windows.length === 0) return new Map();
    // Read the history first: later changes are then in the journal, which only grows.
    const histories = await read(windows);
    const journal = await readJournal(store.db, windows, revision);
    return new Map(
      windows.map((window) => {
        const days = histories.get(window.printing) ?? [];
        return [window.printing, journal.undo(window, days)];
      }),
    );
  };
}

/** Changes by later publications to the histories of some printings. */
class Journal {
  readonly #provenances: ReadonlyMap<number, Provenance>;
  /** The first replacement of each day, by printing. */
  readonly #replaced: ReadonlyMap<number, readonly HistoryCorrectionRow[]>;
  /** The ranges of days that were added, by printing. */
  readonly #late: ReadonlyMap<number, readonly HistoryLateRow[]>;
  /** The days and provenances that no earlier publication had. */
  readonly #recorded: ReadonlySet<string>;

  constructor(
    provenances: ReadonlyMap<number, Provenance>,
    replaced: readonly HistoryCorrectionRow[],
    late: readonly HistoryLateRow[],
    recorded: ReadonlySet<string>,
  ) {
    this.#provenances = provenances;
    this.#replaced = Map.groupBy(replaced, ({ printing_id }) => printing_id);
    this.#late = Map.groupBy(late, ({ printing_id }) => printing_id);
    this.#recorded = recorded;
  }

  /** Returns the days of a window as of that publication, in ascending order. */
  undo({ printing, from, to }: PrintingWindow, days: readonly HistoryDay[]): HistoryDay[] {
    const replaced = new Map<number, HistoryCorrectionRow>();
    for (const row of this.#replaced.get(printing) ?? []) {
      const isInWindow = row.day >= from && row.day <= to;
      if (isInWindow && !replaced.has(row.day)) replaced.set(row.day, row);
    }
    const before = [...replaced.values()].flatMap((row) => {
      const day = this.#dayOf(row);
      return this.#isLater(printing, day, row.revision) ? [] : [day];
    });
    const kept = days.filter((day) => !(replaced.has(day.day) || this.#isLater(printing, day)));
    return before.length === 0 ? kept : [...kept, ...before].sort((a, b) => a.day - b.day);
  }

  /** Whether a day was only added later, by a publication up to `until`. */
  #isLater(printing: number, { day, provenance }: HistoryDay, until?: number): boolean {
    if (this.#recorded.has(keyOf(day, provenance))) return true;
    const late = this.#late.get(printing) ?? [];
    return late.some(({ first_day, last_day, revision }) => {
      return day >= first_day && day <= last_day && revision <= (until ?? revision);
    });
  }

  #dayOf({ day, market, low, mid, high, source_id }: HistoryCorrectionRow): HistoryDay {
    const provenance = (source_id !== null && this.#provenances.get(source_id)) || null;
    return { ...({ day, market, low, mid, high } as DayPrices), provenance };
  }
}

async function readJournal(
  db: Db,
  windows: readonly PrintingWindow[],
  revision: number,
): Promise<Journal> {
  const printings = windows.map(({ printing }) => printing);
  const replaced = await queryInChunks(printings, (chunk) =>
    db
      .selectFrom('history_corrections')
      .where('printing_id', 'in', chunk)
      .where('revision', '>', revision)
      .selectAll()
      .orderBy('revision')
      .orderBy('replaced_at')
      .execute(),
  );
  const late = await queryInChunks(printings, (chunk) =>
    db
      .selectFrom('history_late')
      .where('printing_id', 'in', chunk)
      .where('revision', '>', revision)
      .selectAll()
      .execute(),
  );
  const provenances = await readProvenances(db);
  const from = Math.min(...windows.map((window) => window.from));
  const to = Math.max(...windows.map((window) => window.to));
  const recordings = await db
    .selectFrom('history_recordings')
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('revision', '>', revision)
    .selectAll()
    .execute();
  const recorded = recordings.map(({ day, source_id }) => {
    return keyOf(day as Day, provenances.get(source_id) ?? null);
  });
  return new Journal(provenances, replaced, late, new Set(recorded));
}

function keyOf(day: Day, provenance: Provenance | null): string {
  const { source, marketplace, repeated } = provenance ?? {};
  return `${day} ${source} ${marketplace} ${repeated}`;
}
