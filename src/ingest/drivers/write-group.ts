import type { Kysely } from 'kysely';
import { NO_AMOUNTS, type Observation } from '../../domain/observation.ts';
import { NO_PRICES } from '../../domain/price.ts';
import { countsAs } from '../../domain/sources.ts';
import type { Group, Listing } from '../../sources/contract/snapshot.ts';
import { upsertCards, upsertSetExternalIds, upsertSets } from '../../store/catalogue/catalogue.ts';
import { pricedBefore } from '../../store/catalogue/observations.ts';
import type { CardRow, Database, SetRow } from '../../store/catalogue/schema.ts';
import { rememberFiles } from '../files.ts';
import {
  type KnownSets,
  type MatchedCard,
  type MatchedSet,
  matchCards,
} from '../identity/admit.ts';
import { type NewExternalId, rememberExternalIds } from '../identity/external-ids.ts';
import type { CardObservation } from '../observation.ts';
import { type WrittenObservations, writeObservations } from '../pricing/write.ts';
import type { ImportRun } from '../run.ts';

/** What writing the groups of a snapshot works with. */
export interface GroupRun extends ImportRun {
  readonly source: string;
  readonly marketplace: string;
  readonly sets: KnownSets;
}

/** What writing a group counted, besides its prices. */
export interface GroupCounts {
  readonly cards: number;
  readonly setsAdded: number;
  readonly cardsAdded: number;
  readonly cardsChanged: number;
  readonly printings: number;
  /** Listings whose card is not among the source's cards: sealed products mostly. */
  readonly listingsWithoutCard: number;
}

export interface WrittenGroup {
  readonly counts: GroupCounts;
  readonly written: WrittenObservations;
}

/** Writes a group in one transaction. A group without a single card makes no set. */
export async function writeGroup(run: GroupRun, group: Group): Promise<WrittenGroup> {
  const { store, sets, nextIds, publication } = run;
  const { revision } = publication;
  const set = sets.match(group.idSpace, group.set, nextIds, revision);
  return store.db.transaction().execute(async (transaction) => {
    await publication.begin(transaction);
    const cards = await matchCards({ db: transaction, next: nextIds, revision }, group, set);
    if (cards.size > 0) {
      await writeSet(run, transaction, group, set);
      await writeCards(run, transaction, group.idSpace, cards);
    }
    const { written, ...prices } = await writePrices(run, transaction, group, set, cards);
    if (written.damaged.length === 0 && !group.badRows?.length) {
      const files = group.files.map((file) => ({ ...file, observedAt: group.observedAt }));
      await rememberFiles(store, transaction, run.source, files);
    }
    return { counts: { ...countCards(group, set, cards), ...prices }, written };
  });
}

function countCards(group: Group, set: MatchedSet, cards: ReadonlyMap<string, MatchedCard>) {
  const states = [...cards.values()].map((card) => card.state);
  return {
    cards: group.cards === 'unchanged' ? 0 : group.cards.length,
    setsAdded: cards.size > 0 && set.isNew ? 1 : 0,
    cardsAdded: states.filter((state) => state === 'new').length,
    cardsChanged: states.filter((state) => state === 'changed').length,
  };
}

async function writeSet(
  { store, sets }: GroupRun,
  transaction: Kysely<Database>,
  { idSpace, set: { externalId } }: Group,
  { row, changed, isNewExternalId }: MatchedSet,
): Promise<void> {
  if (changed) await upsertSets(store, transaction, [row]);
  if (isNewExternalId) {
    const id = { id_space: idSpace, external_id: externalId, set_id: row.id };
    await upsertSetExternalIds(store, transaction, [id]);
  }
  sets.remember(idSpace, externalId, row);
}

async function writeCards(
  run: GroupRun,
  transaction: Kysely<Database>,
  idSpace: string,
  cards: ReadonlyMap<string, MatchedCard>,
): Promise<void> {
  const rows: CardRow[] = [];
  const ids: NewExternalId[] = [];
  for (const [externalId, { row, state, isNewExternalId }] of cards) {
    if (state !== 'same') rows.push(row);
    if (isNewExternalId) ids.push({ id_space: idSpace, external_id: externalId, card_id: row.id });
  }
  await upsertCards(run.store, transaction, rows);
  await rememberExternalIds(run, transaction, ids);
}

async function writePrices(
  run: GroupRun,
  transaction: Kysely<Database>,
  group: Group,
  set: MatchedSet,
  cards: ReadonlyMap<string, MatchedCard>,
) {
  const listed = group.listings.flatMap((listing) => {
    const card = cards.get(listing.externalId)?.row;
    return card ? [observationOf(run, group, listing, card)] : [];
  });
  const gone = set.isNew ? [] : await delistedIn(run, transaction, group, set.row, listed);
  const written = await writeObservations(run, transaction, [...listed, ...gone]);
  const printings = written.counts.observations - gone.length;
  return { printings, listingsWithoutCard: group.listings.length - listed.length, written };
}

function observationOf(
  { source, marketplace }: GroupRun,
  { observedAt }: Group,
  { externalId, printing, prices, earlierDays }: Listed,
  card: CardObservation['card'],
): CardObservation {
  const observation: Observation = {
    printing,
    marketplace,
    currency: 'USD',
    observedAt,
    ...NO_AMOUNTS,
    prices,
    ...(earlierDays && { earlierDays }),
  };
  return { source: countsAs(source), card, externalId, observation };
}

type Listed = Omit<Listing, 'externalId'> & { readonly externalId: string | null };

/**
 * The printings of the set that the source had a price of and does not list any more. A printing
 * whose row could not be read is none of them.
 */
async function delistedIn(
  run: GroupRun,
  transaction: Kysely<Database>,
  group: Group,
  set: SetRow,
  listed: readonly CardObservation[],
): Promise<CardObservation[]> {
  const { unreadPrices = new Set() } = group;
  if (unreadPrices.has(null)) return [];
  const series = { source: countsAs(run.source), marketplace: run.marketplace };
  const priced = await pricedBefore(transaction, set.id, series, group.observedAt);
  const names = new Set(
    listed.map(({ card, observation }) => `${card.id}/${observation.printing}`),
  );
  return priced
    .filter(({ card, printing }) => !names.has(`${card}/${printing}`))
    .filter(({ externalId }) => !unreadPrices.has(externalId))
    .map(({ card, name, printing, externalId }) => {
      const listing = { externalId, printing, prices: NO_PRICES };
      return observationOf(run, group, listing, { id: card, name });
    });
}
