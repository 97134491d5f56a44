import type { Kysely } from 'kysely';
import { dayOf, type Millis } from '../domain/day.ts';
import { hasPrice, type PriceQuad, samePrices } from '../domain/price.ts';
import type { Group, Listing } from '../sources/source.ts';
import {
  CARD_KEYS,
  CARDS,
  type NextKeys,
  PRINTINGS,
  printingsOf,
  SET_KEYS,
  SETS,
} from '../store/catalogue.ts';
import type { Store } from '../store/connect.ts';
import type { BulkRow } from '../store/engine.ts';
import { type PrintingDay, recordHistory } from '../store/history.ts';
import { SOURCE_FILES } from '../store/imports.ts';
import type { Database, PrintingRow } from '../store/schema.ts';
import { type MatchedCard, type MatchedSet, matchCards, type SetBook } from './match.ts';

/** Writes one group: everything of it in one short transaction, or nothing. */

export interface WriteRun {
  readonly store: Store;
  readonly source: string;
  /** Where the prices come from, as callers of the API are told. */
  readonly priceSource: string;
  readonly startedAt: Millis;
  readonly revision: number;
  readonly next: NextKeys;
  readonly sets: SetBook;
}

/** What writing one group did. */
export interface GroupCounts {
  setsAdded: number;
  cardsAdded: number;
  cardsChanged: number;
  printings: number;
  printingsAdded: number;
  prices: number;
  pricesChanged: number;
  historyAdded: number;
  historyCorrected: number;
  /** Listings whose card is not among the source's cards: sealed products mostly. */
  listingsWithoutCard: number;
}

/** Writes a group. A group without a single card makes no set. */
export async function writeGroup(run: WriteRun, group: Group): Promise<GroupCounts> {
  const { db } = run.store;
  const set = run.sets.match(group.ids, group.set, run.next, run.revision);
  return db.transaction().execute(async (transaction) => {
    const match = { db: transaction, next: run.next, revision: run.revision };
    const cards = await matchCards(match, group, set);
    if (cards.size > 0) {
      await writeSet(run, transaction, group, set);
      await writeCards(run, transaction, group.ids, cards);
    }
    const prices = await writePrices(run, transaction, group, cards);
    await rememberFiles(run, transaction, group);
    const states = [...cards.values()].map((card) => card.state);
    return {
      setsAdded: cards.size > 0 && set.isNew ? 1 : 0,
      cardsAdded: states.filter((state) => state === 'new').length,
      cardsChanged: states.filter((state) => state === 'changed').length,
      ...prices,
    };
  });
}

async function writeSet(
  run: WriteRun,
  transaction: Kysely<Database>,
  group: Group,
  { row, changed, newKey }: MatchedSet,
): Promise<void> {
  const { engine } = run.store;
  if (changed) {
    const { id, game, code, name, release_date, revision } = row;
    await engine.upsert(transaction, SETS, [[id, game, code, name, release_date, revision]]);
  }
  if (newKey) await engine.upsert(transaction, SET_KEYS, [[group.ids, group.set.key, row.id]]);
  run.sets.remember(group.ids, group.set.key, row);
}

async function writeCards(
  run: WriteRun,
  transaction: Kysely<Database>,
  ids: string,
  cards: ReadonlyMap<string, MatchedCard>,
): Promise<void> {
  const { engine } = run.store;
  const rows: BulkRow[] = [];
  const keys: BulkRow[] = [];
  for (const [key, { row, state, newKey }] of cards) {
    const { id, public_id, set_id, name, number, rarity, image, revision } = row;
    if (state !== 'same') rows.push([id, public_id, set_id, name, number, rarity, image, revision]);
    if (newKey) keys.push([ids, key, id]);
  }
  await engine.upsert(transaction, CARDS, rows);
  await engine.upsert(transaction, CARD_KEYS, keys);
}

type PriceCounts = Omit<GroupCounts, 'setsAdded' | 'cardsAdded' | 'cardsChanged'>;

async function writePrices(
  run: WriteRun,
  transaction: Kysely<Database>,
  group: Group,
  cards: ReadonlyMap<string, MatchedCard>,
): Promise<PriceCounts> {
  const known = new PrintingBook(
    await printingsOf(transaction, knownCards(cards)),
    run.next,
    run.revision,
  );
  const days: PrintingDay[] = [];
  let listingsWithoutCard = 0;
  for (const listing of group.listings) {
    const card = cards.get(listing.cardKey);
    if (!card) {
      listingsWithoutCard += 1;
      continue;
    }
    const printing = known.observe(card.row.id, listing, group.observedAt, run.priceSource);
    days.push(...observedDays(printing.id, listing, group));
  }
  await run.store.engine.upsert(transaction, PRINTINGS, known.changedRows());
  const history = await recordHistory(run.store, transaction, days, run.startedAt);
  return {
    ...known.counts,
    historyAdded: history.added,
    historyCorrected: history.corrected,
    listingsWithoutCard,
  };
}

/** Cards that may have printings already. */
function knownCards(cards: ReadonlyMap<string, MatchedCard>): number[] {
  return [...cards.values()].filter((card) => card.state !== 'new').map((card) => card.row.id);
}

function observedDays(printing: number, listing: Listing, group: Group): PrintingDay[] {
  const today = { ...listing.prices, day: dayOf(group.observedAt) };
  return [...(listing.past ?? []), today].filter(hasPrice).map((prices) => ({ printing, prices }));
}

/** The printings of a group's cards, and what an import makes of them. */
class PrintingBook {
  readonly #rows = new Map<string, PrintingRow>();
  readonly #changed = new Set<PrintingRow>();
  readonly #next: NextKeys;
  readonly #revision: number;
  readonly counts = { printings: 0, printingsAdded: 0, prices: 0, pricesChanged: 0 };

  constructor(rows: readonly PrintingRow[], next: NextKeys, revision: number) {
    this.#next = next;
    this.#revision = revision;
    for (const row of rows) this.#rows.set(`${row.card_id}/${row.name}`, row);
  }

  /** Takes in what a source says of a printing, unless what we have was observed later. */
  observe(card: number, listing: Listing, observedAt: number, source: string): PrintingRow {
    const row = this.#printing(card, listing.printing);
    this.counts.printings += 1;
    if (hasPrice(listing.prices)) this.counts.prices += 1;
    if (row.observed_at !== null && row.observed_at > observedAt) return row;
    const same = samePrices(row as PriceQuad, listing.prices);
    if (same && row.observed_at === observedAt) return row;
    const { market, low, mid, high } = listing.prices;
    const sources = hasPrice(listing.prices) ? JSON.stringify([source]) : '[]';
    Object.assign(row, { market, low, mid, high, sources, observed_at: observedAt });
    row.revision = this.#revision;
    this.#changed.add(row);
    if (!same) this.counts.pricesChanged += 1;
    return row;
  }

  #printing(card: number, name: string): PrintingRow {
    const key = `${card}/${name}`;
    const known = this.#rows.get(key);
    if (known) return known;
    const row: PrintingRow = {
      id: this.#next.printing++,
      card_id: card,
      name,
      market: null,
      low: null,
      mid: null,
      high: null,
      conditions: null,
      graded: null,
      sources: '[]',
      observed_at: null,
      revision: this.#revision,
    };
    this.#rows.set(key, row);
    this.#changed.add(row);
    this.counts.printingsAdded += 1;
    return row;
  }

  changedRows(): BulkRow[] {
    return [...this.#changed].map((row) => [
      row.id,
      row.card_id,
      row.name,
      row.market,
      row.low,
      row.mid,
      row.high,
      row.conditions,
      row.graded,
      row.sources,
      row.observed_at,
      row.revision,
    ]);
  }
}

async function rememberFiles(
  run: WriteRun,
  transaction: Kysely<Database>,
  group: Group,
): Promise<void> {
  const rows = group.files.map(({ path, digest, etag }) => {
    return [run.source, path, digest, etag, group.observedAt];
  });
  await run.store.engine.upsert(transaction, SOURCE_FILES, rows);
}
