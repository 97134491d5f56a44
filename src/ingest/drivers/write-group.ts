import type { Kysely } from 'kysely';
import type { Observation } from '../../domain/observation.ts';
import { NO_PRICES } from '../../domain/price.ts';
import { countsAs } from '../../domain/sources.ts';
import type { Group, Listing } from '../../sources/contract/snapshot.ts';
import { CARD_EXTERNAL_IDS, CARDS, SET_EXTERNAL_IDS, SETS } from '../../store/catalogue.ts';
import type { BulkRow } from '../../store/engine.ts';
import type { DamagedHistory } from '../../store/history.ts';
import { SOURCE_FILES } from '../../store/imports.ts';
import { pricedBefore } from '../../store/observations.ts';
import type { Database, SetRow } from '../../store/schema.ts';
import {
  type KnownSets,
  type MatchedCard,
  type MatchedSet,
  matchCards,
} from '../identity/admit.ts';
import { type CardObservation, type PriceRun, writeObservations } from '../pricing/pipeline.ts';

/** Writes one group: everything of it in one short transaction, or nothing. */

export interface WriteRun extends PriceRun {
  readonly source: string;
  /** Where the prices come from, as callers of the API are told. */
  readonly priceSource: string;
  readonly sets: KnownSets;
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
  /** How many prices were held back, by reason. */
  readonly heldBack: Readonly<Record<string, number>>;
  /** Where the history cannot be read: it got no new day there. */
  readonly damaged: readonly DamagedHistory[];
}

/** Writes a group. A group without a single card makes no set. */
export async function writeGroup(run: WriteRun, group: Group): Promise<WrittenGroup> {
  const { db } = run.store;
  const set = run.sets.match(group.idSpace, group.set, run.next, run.publication.revision);
  return db.transaction().execute(async (transaction) => {
    const match = { db: transaction, next: run.next, revision: run.publication.revision };
    const cards = await matchCards(match, group, set);
    if (cards.size > 0) {
      await writeSet(run, transaction, group, set);
      await writeCards(run, transaction, group.idSpace, cards);
    }
    const { heldBack, damaged, ...prices } = await writePrices(run, transaction, group, set, cards);
    if (damaged.length === 0) await rememberFiles(run, transaction, group);
    const states = [...cards.values()].map((card) => card.state);
    const counts = {
      setsAdded: cards.size > 0 && set.isNew ? 1 : 0,
      cardsAdded: states.filter((state) => state === 'new').length,
      cardsChanged: states.filter((state) => state === 'changed').length,
      ...prices.counts,
    };
    return { counts, heldBack, damaged };
  });
}

async function writeSet(
  run: WriteRun,
  transaction: Kysely<Database>,
  group: Group,
  { row, changed, isNewExternalId }: MatchedSet,
): Promise<void> {
  const { engine } = run.store;
  if (changed) {
    const { id, game, code, name, release_date, revision } = row;
    await engine.upsert(transaction, SETS, [[id, game, code, name, release_date, revision]]);
  }
  if (isNewExternalId)
    await engine.upsert(transaction, SET_EXTERNAL_IDS, [
      [group.idSpace, group.set.externalId, row.id],
    ]);
  run.sets.remember(group.idSpace, group.set.externalId, row);
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
  for (const [key, { row, state, isNewExternalId }] of cards) {
    const { id, public_id, set_id, name, number, rarity, image, revision } = row;
    if (state !== 'same') rows.push([id, public_id, set_id, name, number, rarity, image, revision]);
    if (isNewExternalId) keys.push([ids, key, id]);
  }
  await engine.upsert(transaction, CARDS, rows);
  await engine.upsert(transaction, CARD_EXTERNAL_IDS, keys);
}

interface WrittenPrices extends Omit<WrittenGroup, 'counts'> {
  readonly counts: PriceCounts;
}

type PriceCounts = Omit<GroupCounts, 'setsAdded' | 'cardsAdded' | 'cardsChanged'>;

async function writePrices(
  run: WriteRun,
  transaction: Kysely<Database>,
  group: Group,
  set: MatchedSet,
  cards: ReadonlyMap<string, MatchedCard>,
): Promise<WrittenPrices> {
  const told = group.listings.flatMap((listing) => {
    const card = cards.get(listing.externalId);
    return card ? [toldQuote(run, group, listing, card.row)] : [];
  });
  const gone = set.isNew ? [] : await goneQuotes(run, transaction, group, set.row, told);
  const { counts, heldBack, damaged } = await writeObservations(run, transaction, [
    ...told,
    ...gone,
  ]);
  const { quotes, ...rest } = counts;
  const printings = quotes - gone.length;
  const listingsWithoutCard = group.listings.length - told.length;
  return { counts: { printings, listingsWithoutCard, ...rest }, heldBack, damaged };
}

function toldQuote(
  { source, priceSource }: WriteRun,
  { observedAt }: Group,
  {
    externalId,
    printing,
    prices,
    earlierDays,
  }: Omit<Listing, 'externalId'> & { externalId: string | null },
  card: CardObservation['card'],
): CardObservation {
  const quote: Observation = {
    printing,
    marketplace: priceSource,
    currency: 'USD',
    observedAt,
    prices,
    conditions: {},
    graded: {},
    ...(earlierDays && { earlierDays }),
  };
  return { source: countsAs(source), card, externalId, observation: quote };
}

/** Printings of the set that the source had a price of and does not list any more: they have none. */
async function goneQuotes(
  run: WriteRun,
  transaction: Kysely<Database>,
  group: Group,
  set: SetRow,
  told: readonly CardObservation[],
): Promise<CardObservation[]> {
  const origin = { source: countsAs(run.source), marketplace: run.priceSource };
  const priced = await pricedBefore(transaction, set.id, origin, group.observedAt);
  const listed = new Set(told.map(({ card, observation }) => `${card.id}/${observation.printing}`));
  return priced
    .filter(({ card, printing }) => !listed.has(`${card}/${printing}`))
    .map(({ card, name, printing, externalId }) => {
      const listing = { externalId, printing, prices: NO_PRICES };
      return toldQuote(run, group, listing, { id: card, name });
    });
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
