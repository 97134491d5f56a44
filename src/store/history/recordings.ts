import type { Kysely } from 'kysely';
import type { Day } from '../../domain/day.ts';
import type { BlockDay } from '../../history/provenance.ts';
import type { Database, HistoryLateRow, HistoryRecordingRow } from '../catalogue/schema.ts';
import { queryInChunks, writeInChunks } from '../engine/paging.ts';

/**
 * SQL that dates the days of the history. The first publication with a day of a provenance dates
 * this day for all printings. Only days that a later publication adds have their own row, so an
 * ordinary import writes one row for millions of points.
 */

type Db = Kysely<Database>;

/** Days that one publication added to a history, with no earlier day between them. */
interface Added {
  readonly days: readonly BlockDay[];
  readonly added: ReadonlySet<BlockDay>;
}

/** Notes the days that the next publication adds. */
export class Recordings {
  readonly revision: number;
  /** The first day that publications date. An earlier version recorded the days before it. */
  readonly #datedFrom: number;
  /** The first publication of a day of a provenance. */
  readonly #firsts: Map<number, number>;
  readonly #new: HistoryRecordingRow[] = [];
  readonly #late = new Map<number, Added[]>();

  private constructor({ revision, datedFrom }: Next, firsts: Map<number, number>) {
    this.revision = revision;
    this.#datedFrom = datedFrom;
    this.#firsts = firsts;
  }

  /** Opens the recordings of the days from `first` to `last`. */
  static async open(db: Db, first: Day, last: Day): Promise<Recordings> {
    const next = await readNext(db);
    const rows = await db
      .selectFrom('history_recordings')
      .where('day', '>=', first)
      .where('day', '<=', last)
      .selectAll()
      .execute();
    return new Recordings(next, new Map(rows.map((row) => [keyOf(row), row.revision])));
  }

  /** Dates days of the next publication that no earlier publication had. */
  date(days: readonly BlockDay[]): void {
    const { revision } = this;
    for (const { day, provenance: source_id } of days) {
      const key = keyOf({ day, source_id });
      if (day < this.#datedFrom || this.#firsts.has(key)) continue;
      this.#firsts.set(key, revision);
      this.#new.push({ day, source_id, revision });
    }
  }

  /**
   * Notes the added days of a history that an earlier publication had for other printings.
   *
   * @param days All days of the block, in ascending order; `added` are some of them.
   */
  addLate(printing: number, days: readonly BlockDay[], added: readonly BlockDay[]): void {
    if (!added.some((day) => this.#isLate(day))) return;
    const late = { days, added: new Set(added) };
    const own = this.#late.get(printing);
    if (own) own.push(late);
    else this.#late.set(printing, [late]);
  }

  #isLate({ day, provenance: source_id }: BlockDay): boolean {
    return this.#firsts.get(keyOf({ day, source_id })) !== this.revision;
  }

  /** Writes the notes. */
  async write(transaction: Db): Promise<void> {
    await writeInChunks(this.#new, (chunk) =>
      transaction
        .insertInto('history_recordings')
        .values(chunk)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
    if (this.#late.size === 0) return;
    const replaced = await this.#replacedDays(transaction);
    const rows = [...this.#late].flatMap(([printing, late]) => {
      return late.flatMap((one) => this.#lateRows(printing, one, replaced.get(printing) ?? []));
    });
    await writeInChunks(rows, (chunk) =>
      transaction
        .insertInto('history_late')
        .values(chunk)
        .onConflict((conflict) =>
          conflict
            .columns(['printing_id', 'last_day', 'revision'])
            .doUpdateSet({ first_day: (eb) => eb.ref('excluded.first_day') }),
        )
        .execute(),
    );
  }

  /** The days that this publication replaced or removed, which already had prices. */
  async #replacedDays(transaction: Db): Promise<ReadonlyMap<number, readonly number[]>> {
    const rows = await queryInChunks([...this.#late.keys()], (chunk) =>
      transaction
        .selectFrom('history_corrections')
        .where('printing_id', 'in', chunk)
        .where('revision', '=', this.revision)
        .select(['printing_id', 'day'])
        .execute(),
    );
    const days = new Map<number, number[]>();
    for (const { printing_id, day } of rows) {
      const own = days.get(printing_id);
      if (own) own.push(day);
      else days.set(printing_id, [day]);
    }
    return days;
  }

  /** Returns the ranges of late days. Each may include days without prices. */
  #lateRows(printing: number, { days, added }: Added, replaced: readonly number[]) {
    const rows: HistoryLateRow[] = [];
    let range: HistoryLateRow | undefined;
    for (const one of days) {
      const { day } = one;
      const isAdded = added.has(one) && !replaced.includes(day);
      const from = range?.last_day ?? day;
      if (replaced.some((gone) => gone > from && gone < day)) range = undefined;
      if (!isAdded) range = undefined;
      else if (range) range.last_day = day;
      else {
        range = { printing_id: printing, first_day: day, last_day: day, revision: this.revision };
        rows.push(range);
      }
    }
    return rows;
  }
}

/** The publication that the next import or decision creates. */
interface Next {
  readonly revision: number;
  readonly datedFrom: number;
}

async function readNext(db: Db): Promise<Next> {
  const state = db.selectFrom('catalog_state').select(['revision', 'dated_from']);
  const { revision, dated_from: datedFrom } = await state.executeTakeFirstOrThrow();
  return { revision: revision + 1, datedFrom };
}

/** Returns the number of the next publication. */
export async function nextRevision(db: Db): Promise<number> {
  return (await readNext(db)).revision;
}

/** Blocks hold at most 65,535 provenances. */
function keyOf({ day, source_id }: Pick<HistoryRecordingRow, 'day' | 'source_id'>): number {
  return day * 2 ** 16 + source_id;
}
