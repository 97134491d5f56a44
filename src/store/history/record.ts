import type { Kysely } from 'kysely';
import type { Day, Millis } from '../../domain/day.ts';
import type { DayPrices, Provenance } from '../../domain/price.ts';
import { LAST_DAY } from '../../history/codec.ts';
import { mergeDays, sortDays, splitDays } from '../../history/days.ts';
import { type BlockDay, UNKNOWN_PROVENANCE } from '../../history/provenance.ts';
import { RECENT_KEPT, recentLimit, sealedId, sealedSpan } from '../../history/spans.ts';
import { extendHistory } from '../catalogue/history-since.ts';
import type {
  Database,
  HistoryCorrectionRow,
  HistoryRecentRow,
  HistoryRow,
} from '../catalogue/schema.ts';
import type { Store } from '../connect.ts';
import {
  asNumber,
  RECENT_BLOCKS,
  recentDays,
  recentRow,
  SEALED_BLOCKS,
  sealedDays,
  sealedRow,
} from './blocks.ts';
import { correctionOf, insertCorrections } from './corrections.ts';
import { numberProvenances, type ProvenanceNumbers } from './provenances.ts';
import { Recordings } from './recordings.ts';

/** The prices of one printing on one day. */
export interface PrintingDay {
  readonly printing: number;
  readonly prices: DayPrices;
  /** The origin of the prices. Share one object between days of one origin, which is faster. */
  readonly provenance: Provenance;
  /** Whether these prices only fill gaps: if the day is already stored, its prices stay. */
  readonly fills?: boolean;
}

/** The number of added days, and of stored days with changed prices. */
export interface Recorded {
  readonly added: number;
  readonly corrected: number;
}

/**
 * Merges days into the history, inside `transaction`. A printing may have any number of days, in
 * any order. New prices replace those of a stored day, unless they only fill gaps; the old prices
 * become a correction at the moment `at`, by the next publication. A day whose prices are already
 * stored changes nothing, unless the stored day has no known provenance.
 *
 * @throws DamagedHistory if a block that has to change cannot be decoded.
 */
export async function recordHistory(
  store: Store,
  transaction: Kysely<Database>,
  days: readonly PrintingDay[],
  at: Millis,
): Promise<Recorded> {
  if (days.length === 0) return { added: 0, corrected: 0 };
  const { engine } = store;
  const origins = new Set<Provenance>();
  for (const { provenance } of days) origins.add(provenance);
  const [first, last] = spanOf(days);
  const recordings = await Recordings.open(transaction, first, last);
  const provenances = await numberProvenances(transaction, origins);
  const batch = new Batch(days, provenances, recordings, at);
  const recent = await engine.lookup(transaction, RECENT_BLOCKS, [...batch.incoming.keys()]);
  batch.mergeRecent(recent);
  const sealed = await engine.lookup(transaction, SEALED_BLOCKS, [...batch.sealing.keys()]);
  batch.mergeSealed(sealed);
  await engine.upsert(transaction, RECENT_BLOCKS, batch.recent);
  await engine.upsert(transaction, SEALED_BLOCKS, batch.sealed);
  await insertCorrections(transaction, batch.corrections);
  await recordings.write(transaction);
  await extendHistory(transaction, first);
  return { added: batch.added, corrected: batch.corrected };
}

/** Returns the first and the last of some days. */
function spanOf(days: readonly PrintingDay[]): [first: Day, last: Day] {
  let [first, last] = [LAST_DAY as Day, 0 as Day];
  for (const { prices } of days) {
    if (prices.day < first) first = prices.day;
    if (prices.day > last) last = prices.day;
  }
  return [first, last];
}

/** Merges incoming days into blocks, and collects the rows that change. */
class Batch {
  /** The incoming days, by printing. Days that only fill gaps come first. */
  readonly incoming = new Map<number, BlockDay[]>();
  /** The days that go into sealed blocks, by the id of the block. */
  readonly sealing = new Map<number, BlockDay[]>();
  readonly recent: HistoryRecentRow[] = [];
  readonly sealed: HistoryRow[] = [];
  readonly corrections: HistoryCorrectionRow[] = [];
  added = 0;
  corrected = 0;
  /** Days of recent blocks that move to sealed blocks. */
  readonly #moving = new Set<BlockDay>();
  /** The incoming days that only fill gaps. */
  readonly #fills: ReadonlySet<BlockDay>;
  readonly #provenances: ProvenanceNumbers;
  readonly #recordings: Recordings;
  readonly #at: Millis;

  constructor(
    days: readonly PrintingDay[],
    provenances: ProvenanceNumbers,
    recordings: Recordings,
    at: Millis,
  ) {
    this.#provenances = provenances;
    this.#recordings = recordings;
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

  /** Merges the incoming days into recent blocks. `rows` are the existing blocks. */
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
    for (const day of moving) this.#moving.add(day);
    this.recent.push(recentRow(printing, days.slice(moving.length)));
  }

  /** Merges the days of `sealing` into sealed blocks. `rows` are the existing blocks. */
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

  /** Returns the merged days of a block, or undefined if `incoming` does not change the block. */
  #merge(
    printing: number,
    known: readonly BlockDay[],
    incoming: readonly BlockDay[],
  ): readonly BlockDay[] | undefined {
    const { attributes } = this.#provenances;
    const wanted = this.#withoutKnown(incoming, known);
    const merged = mergeDays(known, wanted, attributes);
    const { days, replaced, attributed } = merged;
    if (merged.added.length + replaced.length + attributed.length === 0) return undefined;
    const added = this.#withoutMoving(merged.added);
    this.#recordings.date(this.#withoutMoving(wanted));
    this.added += added.length;
    this.corrected += replaced.length;
    for (const day of replaced) this.#correct(printing, day);
    for (const day of attributed) {
      if (day.provenance !== UNKNOWN_PROVENANCE) this.#correct(printing, day);
    }
    this.#recordings.addLate(printing, days, added);
    return days;
  }

  /** Omits the days that the history already had in its recent block. */
  #withoutMoving(days: readonly BlockDay[]): readonly BlockDay[] {
    if (this.#moving.size === 0) return days;
    return days.filter((day) => !this.#moving.has(day));
  }

  #correct(printing: number, replaced: BlockDay): void {
    this.corrections.push(correctionOf(printing, replaced, this.#recordings.revision, this.#at));
  }

  /** Omits the days that only fill gaps and are already stored. */
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
