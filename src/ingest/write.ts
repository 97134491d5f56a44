import type { Kysely } from 'kysely';
import { dayOf, type Millis } from '../domain/day.ts';
import { hasPrice } from '../domain/price.ts';
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
import type { DamagedHistory, PrintingDay } from '../store/history.ts';
import { SOURCE_FILES } from '../store/imports.ts';
import type { Database, PrintingRow } from '../store/schema.ts';
import { type MatchedCard, type MatchedSet, matchCards, type SetBook } from './match.ts';
import { isOutdated, PrintingBook } from './printings.ts';
import { recordDays } from './record.ts';

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

export interface WrittenGroup {
  readonly counts: GroupCounts;
  /** Where the history cannot be read: it got no new day there. */
  readonly damaged: readonly DamagedHistory[];
}

/** Writes a group. A group without a single card makes no set. */
export async function writeGroup(run: WriteRun, group: Group): Promise<WrittenGroup> {
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
    if (prices.damaged.length === 0) await rememberFiles(run, transaction, group);
    const states = [...cards.values()].map((card) => card.state);
    const counts = {
      setsAdded: cards.size > 0 && set.isNew ? 1 : 0,
      cardsAdded: states.filter((state) => state === 'new').length,
      cardsChanged: states.filter((state) => state === 'changed').length,
      ...prices.counts,
    };
    return { counts, damaged: prices.damaged };
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
): Promise<{ counts: PriceCounts; damaged: readonly DamagedHistory[] }> {
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
    const printing = known.observe(card.row.id, listing, group.observedAt, [run.priceSource]);
    days.push(...observedDays(printing, listing, group));
  }
  await run.store.engine.upsert(transaction, PRINTINGS, known.changedRows());
  const { damaged, ...history } = await recordDays(run.store, transaction, days, run.startedAt);
  return { counts: { ...known.counts, ...history, listingsWithoutCard }, damaged };
}

/** Cards that may have printings already. */
function knownCards(cards: ReadonlyMap<string, MatchedCard>): number[] {
  return [...cards.values()].filter((card) => card.state !== 'new').map((card) => card.row.id);
}

function observedDays(row: PrintingRow, listing: Listing, group: Group): PrintingDay[] {
  const { past = [], prices } = listing;
  const { observedAt } = group;
  const today = isOutdated(observedAt, row) ? [] : [{ ...prices, day: dayOf(observedAt) }];
  return [...past, ...today].filter(hasPrice).map((day) => ({ printing: row.id, prices: day }));
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
