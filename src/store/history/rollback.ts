import { type Kysely, sql } from 'kysely';
import type { Day, Millis } from '../../domain/day.ts';
import type { DayPrices, Provenance } from '../../domain/price.ts';
import { type BlockDay, UNKNOWN_PROVENANCE } from '../../history/provenance.ts';
import { SPANS, sealedId } from '../../history/spans.ts';
import type { Database, HistoryRecentRow, HistoryRow } from '../catalogue/schema.ts';
import type { Store } from '../connect.ts';
import { writeInChunks } from '../engine/paging.ts';
import {
  asNumber,
  DamagedHistory,
  RECENT_BLOCKS,
  recentDays,
  recentRow,
  SEALED_BLOCKS,
  sealedDays,
  sealedRow,
} from './blocks.ts';
import {
  correctionOf,
  insertCorrections,
  type SourceDays,
  withdrawCorrections,
} from './corrections.ts';
import { readProvenances } from './provenances.ts';
import { nextRevision } from './recordings.ts';

/** Removes the days of a source from the history. */

/** Asks for the newest day of a marketplace before the removed days. */
export interface WantedDay {
  readonly marketplace: string;
  /** Whether a day of unknown provenance is also accepted. */
  readonly orUnknown: boolean;
}

/** The days removed from the history of a printing. */
export interface RemovedDays {
  /** In ascending order. */
  readonly days: readonly Day[];
  /** Days kept because their source is unknown. */
  readonly unknown: number;
  /** The newest day before the removed ones, for each wanted marketplace. */
  readonly before: ReadonlyMap<string, DayPrices>;
}

export interface Removal {
  /** By row id of the printing. Omits printings without a history. */
  readonly printings: ReadonlyMap<number, RemovedDays>;
  /** Damaged histories, from which nothing was removed. */
  readonly damaged: readonly DamagedHistory[];
}

/**
 * Removes the days of a source from the history of printings, inside `transaction`. The removed
 * prices become corrections at the moment `at`, which are withdrawn like all corrections with
 * prices of these days.
 *
 * @param wanted For each printing, by row id, the earlier days to return.
 */
export async function removeSourceDays(
  store: Store,
  transaction: Kysely<Database>,
  wanted: ReadonlyMap<number, readonly WantedDay[]>,
  days: SourceDays,
  at: Millis,
): Promise<Removal> {
  const provenances = await readProvenances(transaction);
  const rows = await store.engine.lookup(transaction, RECENT_BLOCKS, [...wanted.keys()]);
  const damaged: DamagedHistory[] = [];
  const histories = rows.flatMap((row) => {
    const options = { provenances, days, wanted: wanted.get(row.printing_id) ?? [] };
    return orNote(damaged, () => new PrintingHistory(row, options));
  });
  const needy = histories.filter((history) => history.needsSealed);
  const sealed = await sealedRowsOf(transaction, needy);
  const done = histories.flatMap((history) => {
    const own = sealed.get(history.printing) ?? [];
    return orNote(damaged, () => ({ history, ...history.finish(own) }));
  });
  await write(
    store,
    transaction,
    done.map(({ changes }) => changes),
  );
  const revision = await nextRevision(transaction);
  const corrections = done.flatMap(({ history, lost }) => {
    return lost.map((day) => correctionOf(history.printing, day, revision, at));
  });
  await insertCorrections(transaction, corrections);
  await withdrawCorrections(transaction, [...wanted.keys()], days, provenances);
  const printings = new Map(done.map(({ history, removed }) => [history.printing, removed]));
  return { printings, damaged };
}

function orNote<Result>(damaged: DamagedHistory[], read: () => Result): Result[] {
  try {
    return [read()];
  } catch (error) {
    if (!(error instanceof DamagedHistory)) throw error;
    damaged.push(error);
    return [];
  }
}

/** The changes to the rows of a printing. */
interface Changes {
  readonly recent: readonly HistoryRecentRow[];
  readonly sealed: readonly HistoryRow[];
  readonly deletedRecent: readonly number[];
  readonly deletedSealed: readonly number[];
}

/** The effect of removing days from a printing. */
interface Finished {
  readonly changes: Changes;
  /** The days with their earlier prices. */
  readonly lost: readonly BlockDay[];
  readonly removed: RemovedDays;
}

interface PrintingOptions {
  readonly provenances: ReadonlyMap<number, Provenance>;
  readonly days: SourceDays;
  readonly wanted: readonly WantedDay[];
}

/** Removes days from the history of one printing. */
class PrintingHistory {
  readonly printing: number;
  readonly #options: PrintingOptions;
  readonly #firstDay: Day;
  readonly #recent: readonly BlockDay[];
  readonly #kept: readonly BlockDay[];
  readonly #removed: BlockDay[] = [];
  #unknown = 0;
  readonly #before = new Map<string, DayPrices>();

  /** @throws DamagedHistory if the recent block cannot be decoded. */
  constructor(row: HistoryRecentRow, options: PrintingOptions) {
    this.printing = row.printing_id;
    this.#options = options;
    this.#firstDay = row.first_day as Day;
    this.#recent = recentDays(row, asNumber);
    this.#kept = this.#without(this.#recent);
    this.#findBefore(this.#recent);
  }

  /** Whether sealed blocks may contain days to remove, wanted days, or the newest remaining day. */
  get needsSealed(): boolean {
    const { days, wanted } = this.#options;
    const isFound = wanted.every(({ marketplace }) => this.#before.has(marketplace));
    return days.from < this.#firstDay || this.#kept.length === 0 || !isFound;
  }

  /**
   * Returns the changes and the removed days.
   *
   * @param rows The sealed blocks, newest first; none unless `needsSealed`.
   * @throws DamagedHistory if a block cannot be decoded.
   */
  finish(rows: readonly HistoryRow[]): Finished {
    const sealed: HistoryRow[] = [];
    const deletedSealed: number[] = [];
    let recent = this.#kept;
    for (const row of rows) {
      const days = sealedDays(row, asNumber);
      const kept = this.#without(days);
      this.#findBefore(days);
      const isPromoted = recent.length === 0;
      if (isPromoted) recent = kept;
      if (isPromoted || kept.length === 0) deletedSealed.push(row.id);
      else if (kept.length < days.length) sealed.push(sealedRow(row.id, kept));
    }
    const isChanged = recent !== this.#kept || recent.length < this.#recent.length;
    const hasRecent = isChanged && recent.length > 0;
    const changes = {
      recent: hasRecent ? [recentRow(this.printing, recent)] : [],
      deletedRecent: recent.length === 0 ? [this.printing] : [],
      sealed,
      deletedSealed,
    };
    const lost = this.#removed.sort((a, b) => a.day - b.day);
    const days = lost.map(({ day }) => day);
    return { changes, lost, removed: { days, unknown: this.#unknown, before: this.#before } };
  }

  /** Returns the remaining days, and counts the others. */
  #without(days: readonly BlockDay[]): readonly BlockDay[] {
    const { provenances, days: removed } = this.#options;
    const { source, from, to } = removed;
    return days.filter((one) => {
      const { day, provenance } = one;
      if (day < from || day > to) return true;
      if (provenance === UNKNOWN_PROVENANCE) this.#unknown += 1;
      if (provenances.get(provenance)?.source !== source) return true;
      this.#removed.push(one);
      return false;
    });
  }

  /** Records the newest day of each marketplace without one. `days` are in ascending order. */
  #findBefore(days: readonly BlockDay[]): void {
    const { wanted, provenances, days: removed } = this.#options;
    for (const { marketplace, orUnknown } of wanted) {
      if (this.#before.has(marketplace)) continue;
      const found = days.findLast(({ day, provenance }) => {
        if (day >= removed.from) return false;
        if (provenance === UNKNOWN_PROVENANCE) return orUnknown;
        const known = provenances.get(provenance);
        return known?.source === removed.source && known.marketplace === marketplace;
      });
      if (found) this.#before.set(marketplace, found);
    }
  }
}

/** Printings in one statement, with a range of block ids for each. */
const RANGES = 500;

/** Returns all sealed blocks of printings, by printing, newest first. */
async function sealedRowsOf(
  db: Kysely<Database>,
  histories: readonly PrintingHistory[],
): Promise<Map<number, HistoryRow[]>> {
  const found = new Map<number, HistoryRow[]>();
  for (let at = 0; at < histories.length; at += RANGES) {
    const ranges = histories.slice(at, at + RANGES).map(({ printing }) => {
      const first = sealedId(printing, 0 as Day);
      return sql`(${sql.lit(first)}, ${sql.lit(first + SPANS - 1)})`;
    });
    const query = sql<HistoryRow>`with ranges (first, last) as (values ${sql.join(ranges)})
      select history.id, history.block from ranges
      join history on history.id between ranges.first and ranges.last order by history.id desc`;
    for (const row of (await query.execute(db)).rows) {
      const printing = Math.floor(row.id / SPANS);
      const own = found.get(printing);
      if (own) own.push(row);
      else found.set(printing, [row]);
    }
  }
  return found;
}

async function write(
  { engine }: Store,
  transaction: Kysely<Database>,
  changes: readonly Changes[],
): Promise<void> {
  await engine.upsert(
    transaction,
    RECENT_BLOCKS,
    changes.flatMap(({ recent }) => recent),
  );
  await engine.upsert(
    transaction,
    SEALED_BLOCKS,
    changes.flatMap(({ sealed }) => sealed),
  );
  const recentIds = changes.flatMap(({ deletedRecent }) => deletedRecent);
  await writeInChunks(recentIds, (chunk) =>
    transaction.deleteFrom('history_recent').where('printing_id', 'in', chunk).execute(),
  );
  const sealedIds = changes.flatMap(({ deletedSealed }) => deletedSealed);
  await writeInChunks(sealedIds, (chunk) =>
    transaction.deleteFrom('history').where('id', 'in', chunk).execute(),
  );
}
