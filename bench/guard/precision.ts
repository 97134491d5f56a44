import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Day, formatDay } from '../../src/domain/day.ts';
import type { PriceSettings } from '../../src/ingest/import.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { type AmountName, type Amounts, type Row, rowKey, type World } from './model.ts';
import { publishedDays } from './plan.ts';
import { historyOf, type Locate, locator, placeKey, readServed, type Served } from './state.ts';

/** What is held back of true prices: the same imports as with mistakes, without any. */

/** True amounts that were held back, from the first day on which they were. */
export interface Hold {
  readonly world: string;
  readonly row: Row;
  readonly name: string;
  readonly rule: string;
  readonly from: Amounts;
  readonly to: Amounts;
  /** The names of the amounts. */
  readonly amounts: readonly AmountName[];
  readonly day: Day;
  /** After how many days the source's prices were accepted again; null for never. */
  readonly releasedAfter: number | null;
  /** How many days of its source followed. */
  readonly daysAfter: number;
}

/** How true prices of a world fared. Prices are counted by printing and day. */
export interface Precision {
  readonly world: string;
  readonly about: string;
  /** Prices whose source had reported the printing before. */
  readonly compared: number;
  /** Of these, with a market price, a condition or a grade held back; and with a listing only. */
  readonly held: number;
  readonly heldListings: number;
  /** The held ones by rule. */
  readonly rules: Readonly<Record<string, number>>;
  readonly holds: readonly Hold[];
  /** Days of printings with a market price that the history should have, lacks, or has otherwise. */
  readonly historyDays: number;
  readonly historyLost: number;
  readonly historyWrong: number;
}

/** Imports all days of a world as they are. */
export async function measurePrecision(
  world: World,
  folder: string,
  settings: PriceSettings,
): Promise<Precision> {
  const file = join(folder, 'precision.db');
  const store = await openStore(file);
  try {
    await world.prepare({ store, settings });
    const count = new Counter(world);
    const days = publishedDays(world, { mistakes: [], uncounted: [] }, 0);
    if (world.isAtOnce) await world.publish({ store, settings }, days);
    for (const published of days) {
      if (world.isAtOnce) continue;
      await world.publish({ store, settings }, [published]);
      await count.look(store, published.index);
    }
    await count.lookBack(store);
    return count.result();
  } finally {
    await store.close();
    for (const suffix of ['', '-wal', '-shm', '-usage', '-usage-wal', '-usage-shm']) {
      rmSync(`${file}${suffix}`, { force: true });
    }
  }
}

/** Listings are counted apart: those that sources report are often none. */
const LISTINGS: readonly string[] = ['low', 'mid', 'high'];
const SERVED = /^(market|low|mid|high|near_mint|.*_played|damaged|psa_10|psa_9|bgs_9_5|cgc_9_5)$/;

class Counter {
  readonly #world: World;
  #locate: Locate | undefined;
  readonly #open = new Map<string, Hold>();
  readonly #holds: Hold[] = [];
  readonly #rules: Record<string, number> = {};
  #compared = 0;
  #held = 0;
  #heldListings = 0;
  #historyDays = 0;
  #historyLost = 0;
  #historyWrong = 0;

  constructor(world: World) {
    this.#world = world;
  }

  async look(store: Store, index: number): Promise<void> {
    const locate = await locator(store, this.#world);
    this.#locate = locate;
    const reported = this.#world.rows.filter(({ days }) => days[index] !== undefined);
    const cards = reported.flatMap((row) => locate(row)?.card ?? []);
    const served = await readServed(store, this.#world.source, cards);
    for (const row of reported) {
      const place = locate(row);
      if (place) this.#count(row, index, served.get(placeKey(place)));
    }
  }

  #count(row: Row, index: number, served: Served | undefined): void {
    const reported = row.days[index] ?? {};
    if (row.days.slice(0, index).some(Boolean)) this.#compared += 1;
    const names = (Object.keys(reported) as AmountName[]).filter((name) => SERVED.test(name));
    const held = names.filter((name) => served?.accepted?.[name] !== reported[name]);
    const main = held.filter((name) => !LISTINGS.includes(name));
    if (main.length > 0) this.#hold(row, index, main, served);
    else this.#release(row, index);
    if (held.length > main.length) this.#heldListings += 1;
  }

  #hold(row: Row, index: number, amounts: readonly AmountName[], served: Served | undefined): void {
    const rule = served?.rule ?? 'no entry';
    this.#held += 1;
    this.#rules[rule] = (this.#rules[rule] ?? 0) + 1;
    if (this.#open.has(rowKey(row))) return;
    this.#open.set(rowKey(row), {
      ...{ world: this.#world.name, row, name: rowKey(row), rule, amounts },
      ...{ from: served?.accepted ?? {}, to: row.days[index] ?? {} },
      ...{ day: this.#dayAt(index), releasedAfter: null },
      daysAfter: row.days.slice(index + 1).filter(Boolean).length,
    });
  }

  #release(row: Row, index: number): void {
    const hold = this.#open.get(rowKey(row));
    if (!hold) return;
    this.#open.delete(rowKey(row));
    this.#holds.push({ ...hold, releasedAfter: this.#dayAt(index) - hold.day });
  }

  async lookBack(store: Store): Promise<void> {
    const locate = this.#locate ?? (await locator(store, this.#world));
    const read = historyOf(store, this.#dayAt(this.#world.days.length - 1));
    const cards = this.#world.rows.flatMap((row) => locate(row)?.card ?? []);
    const served = await readServed(store, this.#world.source, cards);
    for (const row of this.#world.rows) {
      const place = locate(row);
      const printing = place && served.get(placeKey(place));
      if (printing) this.#compareHistory(row, await read(printing.id, this.#dayAt(0)));
    }
    await this.#nameHolds(store, locate);
  }

  #compareHistory({ days }: Row, history: ReadonlyMap<Day, Amounts>): void {
    for (const [index, reported] of days.entries()) {
      if (reported?.market === undefined) continue;
      const stored = history.get(this.#dayAt(index));
      this.#historyDays += 1;
      if (stored?.market === undefined) this.#historyLost += 1;
      else if (stored.market !== reported.market) this.#historyWrong += 1;
    }
  }

  /** Ends what is still held, and names the cards as people do. */
  async #nameHolds(store: Store, locate: Locate): Promise<void> {
    this.#holds.push(...this.#open.values());
    for (const [index, hold] of this.#holds.entries()) {
      const place = locate(hold.row);
      const card = await store.db
        .selectFrom('cards')
        .where('id', '=', place?.card ?? 0)
        .select('public_id')
        .executeTakeFirst();
      this.#holds[index] = { ...hold, name: `${card?.public_id} ${place?.printing}` };
    }
  }

  #dayAt(index: number): Day {
    return this.#world.days[index] ?? (0 as Day);
  }

  result(): Precision {
    return {
      ...{ world: this.#world.name, about: this.#world.about, compared: this.#compared },
      ...{ held: this.#held, heldListings: this.#heldListings, rules: this.#rules },
      ...{ holds: this.#holds, historyDays: this.#historyDays },
      ...{ historyLost: this.#historyLost, historyWrong: this.#historyWrong },
    };
  }
}

/** The share of holds that ended within some days, among those that as many days followed. */
export function releasedWithin(holds: readonly Hold[], days: number): number {
  const followed = holds.filter(({ daysAfter, releasedAfter }) => {
    return daysAfter >= days || releasedAfter !== null;
  });
  const released = followed.filter(({ releasedAfter }) => {
    return releasedAfter !== null && releasedAfter <= days;
  });
  return released.length / Math.max(1, followed.length);
}

/** A line for the list of what was held. */
export function describeHold(hold: Hold): string {
  const changes = hold.amounts.map((name) => {
    return `${name} ${dollars(hold.from[name])} → ${dollars(hold.to[name])}`;
  });
  const end = hold.releasedAfter === null ? 'never' : `after ${hold.releasedAfter} days`;
  return `${formatDay(hold.day)}  ${hold.name}  ${changes.join(', ')}  ${hold.rule}, released ${end}`;
}

function dollars(cents: number | undefined): string {
  return cents === undefined ? 'none' : `$${(cents / 100).toFixed(2)}`;
}
