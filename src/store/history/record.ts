import type { Kysely } from 'kysely';
import type { Day, Millis } from '../../domain/day.ts';
import type { DayPrices, Provenance } from '../../domain/price.ts';
import { mergeDays, sortDays, splitDays } from '../../history/days.ts';
import { type BlockDay, UNKNOWN_PROVENANCE } from '../../history/provenance.ts';
import { RECENT_KEPT, recentLimit, sealedId, sealedSpan } from '../../history/spans.ts';
import type {
  Database,
  HistoryCorrectionRow,
  HistoryRecentRow,
  HistoryRow,
} from '../catalogue/schema.ts';
import type { Store } from '../connect.ts';
import { writeInChunks } from '../engine/paging.ts';
import {
  asNumber,
  RECENT_BLOCKS,
  recentDays,
  recentRow,
  SEALED_BLOCKS,
  sealedDays,
  sealedRow,
} from './blocks.ts';
import { numberProvenances, type ProvenanceNumbers } from './provenances.ts';

/** The prices of one printing on one day. */
export interface PrintingDay {
  readonly printing: number;
  readonly prices: DayPrices;
  /** Where they come from. Days of one origin share one object, which makes recording faster. */
  readonly provenance: Provenance;
  /** Whether these prices only fill a gap: prices that are stored of the day stay. */
  readonly fills?: boolean;
}

/** How many days of printings were added, and how many stored ones got other prices. */
export interface Recorded {
  readonly added: number;
  readonly corrected: number;
}

/**
 * Merges days into the history inside of `transaction`, any number per printing and in any order.
 * A day that is stored takes the new prices, unless these only fill gaps; the old prices become a
 * correction of the moment `at`. Prices that are stored already stay, with their provenance if that
 * is known, and write nothing.
 *
 * @throws DamagedHistory when a block that has to change cannot be decoded.
 */
export async function recordHistory(
  store: Store,
  transaction: Kysely<Database>,
  days: readonly PrintingDay[],
  at: Millis,
): Promise<Recorded> {
  const { engine } = store;
  const origins = new Set<Provenance>();
  for (const { provenance } of days) origins.add(provenance);
  const batch = new Batch(days, await numberProvenances(transaction, origins), at);
  const recent = await engine.lookup(transaction, RECENT_BLOCKS, [...batch.incoming.keys()]);
  batch.mergeRecent(recent);
  const sealed = await engine.lookup(transaction, SEALED_BLOCKS, [...batch.sealing.keys()]);
  batch.mergeSealed(sealed);
  await engine.upsert(transaction, RECENT_BLOCKS, batch.recent);
  await engine.upsert(transaction, SEALED_BLOCKS, batch.sealed);
  await insertCorrections(transaction, batch.corrections);
  return { added: batch.added, corrected: batch.corrections.length };
}

/** Days on their way into blocks, and the rows that change by them. */
class Batch {
  /** The incoming days, by printing; those that only fill gaps come first. */
  readonly incoming = new Map<number, BlockDay[]>();
  /** The days that go into sealed blocks, by the id of the block. */
  readonly sealing = new Map<number, BlockDay[]>();
  readonly recent: HistoryRecentRow[] = [];
  readonly sealed: HistoryRow[] = [];
  readonly corrections: HistoryCorrectionRow[] = [];
  added = 0;
  /** Those of the incoming days that only fill gaps. */
  readonly #fills: ReadonlySet<BlockDay>;
  readonly #provenances: ProvenanceNumbers;
  readonly #at: Millis;

  constructor(days: readonly PrintingDay[], provenances: ProvenanceNumbers, at: Millis) {
    this.#provenances = provenances;
    const fills = new Set<BlockDay>();
    for (const day of days) if (day.fills) fills.add(this.#add(day));
    for (const day of days) if (!day.fills) this.#add(day);
    this.#fills = fills;
    this.#at = at;
  }

  #add({ printing, prices, provenance }: PrintingDay): BlockDay {
    const { day, market, low, mid, high } = prices;
    const number = this.#provenances.numbers.get(provenance) ?? UNKNOWN_PROVENANCE;
    const added: BlockDay = { day, market, low, mid, high, provenance: number };
    appendTo(this.incoming, printing, added);
    return added;
  }

  /** Merges the incoming days into recent blocks, given those that exist. */
  mergeRecent(rows: readonly HistoryRecentRow[]): void {
    const byPrinting = new Map(rows.map((row) => [row.printing_id, row]));
    for (const [printing, unsorted] of this.incoming) {
      const row = byPrinting.get(printing);
      const days = sortDays(unsorted);
      const [older, newer] = row ? splitDays(days, row.first_day as Day) : [[], days];
      this.#seal(printing, older);
      if (newer.length > 0) this.#mergeNewer(printing, row ? recentDays(row, asNumber) : [], newer);
    }
  }

  #mergeNewer(printing: number, known: readonly BlockDay[], newer: readonly BlockDay[]): void {
    const days = this.#merge(printing, known, newer);
    if (!days) return;
    const moving = days.length > recentLimit(printing) ? days.slice(0, -RECENT_KEPT) : [];
    this.#seal(printing, moving);
    // They are counted now, and once more when they are added to their sealed blocks.
    this.added -= moving.length;
    this.recent.push(recentRow(printing, days.slice(moving.length)));
  }

  /** Merges the days of `sealing` into sealed blocks, given those that exist. */
  mergeSealed(rows: readonly HistoryRow[]): void {
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const [id, unsorted] of this.sealing) {
      const row = byId.get(id);
      const { printing } = sealedSpan(id);
      const days = this.#merge(printing, row ? sealedDays(row, asNumber) : [], sortDays(unsorted));
      if (days) this.sealed.push(sealedRow(id, days));
    }
  }

  #seal(printing: number, days: readonly BlockDay[]): void {
    for (const prices of days) appendTo(this.sealing, sealedId(printing, prices.day), prices);
  }

  /** Returns the merged days of a block, or undefined when `incoming` changes nothing of it. */
  #merge(
    printing: number,
    known: readonly BlockDay[],
    incoming: readonly BlockDay[],
  ): readonly BlockDay[] | undefined {
    const { attributes } = this.#provenances;
    const merged = mergeDays(known, this.#withoutKnown(incoming, known), attributes);
    const { days, added, replaced, attributed } = merged;
    if (added + replaced.length + attributed === 0) return undefined;
    this.added += added;
    for (const { provenance, ...prices } of replaced) {
      const source_id = provenance === UNKNOWN_PROVENANCE ? null : provenance;
      this.corrections.push({ printing_id: printing, replaced_at: this.#at, ...prices, source_id });
    }
    return days;
  }

  /** Leaves out the days that only fill gaps and are known. */
  #withoutKnown(incoming: readonly BlockDay[], known: readonly BlockDay[]): readonly BlockDay[] {
    if (this.#fills.size === 0 || known.length === 0) return incoming;
    const knownDays = new Set(known.map(({ day }) => day));
    return incoming.filter((prices) => !this.#fills.has(prices) || !knownDays.has(prices.day));
  }
}

function appendTo<Key>(lists: Map<Key, BlockDay[]>, key: Key, prices: BlockDay): void {
  const list = lists.get(key);
  if (list) list.push(prices);
  else lists.set(key, [prices]);
}

/** Of several corrections of a day at one moment, the first has what was served before. */
function insertCorrections(
  transaction: Kysely<Database>,
  corrections: readonly HistoryCorrectionRow[],
): Promise<void> {
  return writeInChunks(corrections, (chunk) =>
    transaction
      .insertInto('history_corrections')
      .values(chunk)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
}
