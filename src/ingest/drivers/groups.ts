import { NO_AMOUNTS, type Observation } from '../../domain/observation.ts';
import { NO_PRICES } from '../../domain/price.ts';
import { countsAs } from '../../domain/sources.ts';
import type { Group, Listing } from '../../sources/contract/snapshot.ts';
import {
  printingsById,
  upsertCards,
  upsertSetExternalIds,
  upsertSets,
} from '../../store/catalogue/catalogue.ts';
import { upsertSourceFiles } from '../../store/catalogue/imports.ts';
import { type PricedPrinting, pricedBefore } from '../../store/catalogue/observations.ts';
import type { Transaction } from '../../store/connect.ts';
import type { DamagedHistory } from '../../store/history/index.ts';
import { clearReassigned, readScopes } from '../../store/quarantine/quarantine.ts';
import { type MatchedGroup, matchGroups } from '../identity/admit.ts';
import { rememberExternalIds } from '../identity/external-ids.ts';
import { type CardWithFacts, writeFacts } from '../identity/facts.ts';
import type { KnownSets } from '../identity/known-sets.ts';
import type { MatchedCard } from '../identity/matched-card.ts';
import { findingOf } from '../identity/reassigned.ts';
import type { CardObservation } from '../observation.ts';
import { type WrittenObservations, writeObservations } from '../pricing/write.ts';
import type { ImportRun } from '../run.ts';

/** The dependencies for writing the groups of a snapshot. */
export interface GroupRun extends ImportRun {
  readonly source: string;
  readonly marketplace: string;
  readonly sets: KnownSets;
}

/** The counts of written groups, without their prices. */
export interface GroupCounts {
  readonly cards: number;
  readonly products: number;
  readonly setsAdded: number;
  readonly cardsAdded: number;
  readonly cardsChanged: number;
  readonly printings: number;
  /** Listings whose card is not among the source's cards and products. */
  readonly listingsWithoutCard: number;
}

export interface WrittenGroups {
  readonly counts: GroupCounts;
  readonly written: WrittenObservations;
  /** The damaged histories, by their group. */
  readonly damaged: ReadonlyMap<Group, readonly DamagedHistory[]>;
}

/**
 * Writes groups in one transaction. A group without cards creates no set.
 *
 * @param groups Groups of one id space. Each set and each card is in only one of them.
 */
export function writeGroups(run: GroupRun, groups: readonly Group[]): Promise<WrittenGroups> {
  const { store, sets, nextIds: next, publication } = run;
  return store.db.transaction().execute(async (transaction) => {
    await publication.begin(transaction);
    const { revision } = publication;
    const mayReassign = run.limits === null;
    const context = { db: transaction, sets, next, revision, mayReassign };
    const matched = await matchGroups(context, groups);
    await writeSets(run, transaction, matched);
    await writeCards(run, transaction, matched);
    await writeFacts(run, transaction, run.source, factsIn(matched));
    await clearReassigned(transaction, countsAs(run.source), cardsWithOwnName(matched));
    const { written, ...prices } = await writePrices(run, transaction, matched);
    const damaged = await damagedGroups(transaction, matched, written.damaged);
    await rememberFiles(run, transaction, matched, damaged);
    return { counts: { ...countCards(matched), ...prices }, written, damaged };
  });
}

function countCards(matched: readonly MatchedGroup[]) {
  const states = matched.flatMap(({ cards }) => {
    return [...cards.values()].flatMap(({ stored, state }) => (stored.product ? [] : state));
  });
  const described = matched.flatMap(({ group }) => {
    return group.cards === 'unchanged' ? [] : group.cards;
  });
  const products = described.filter(({ product }) => product).length;
  return {
    cards: described.length - products,
    products,
    setsAdded: matched.filter(({ set, cards }) => set.isNew && cards.size > 0).length,
    cardsAdded: states.filter((state) => state === 'new').length,
    cardsChanged: states.filter((state) => state === 'changed').length,
  };
}

async function writeSets(
  { store }: GroupRun,
  transaction: Transaction,
  matched: readonly MatchedGroup[],
): Promise<void> {
  const filled = matched.filter(({ cards }) => cards.size > 0);
  const changed = filled.filter(({ set }) => set.changed).map(({ set }) => set.stored);
  await upsertSets(store, transaction, changed);
  const ids = filled
    .filter(({ set }) => set.isNewExternalId)
    .map(
      ({
        group: {
          idSpace,
          set: { externalId },
        },
        set,
      }) => {
        return { idSpace, externalId, setRowId: set.stored.rowId };
      },
    );
  await upsertSetExternalIds(store, transaction, ids);
}

async function writeCards(
  run: GroupRun,
  transaction: Transaction,
  matched: readonly MatchedGroup[],
): Promise<void> {
  const cards = matched.flatMap(({ group: { idSpace }, cards }) => {
    return [...cards].map(([externalId, card]) => ({ idSpace, externalId, ...card }));
  });
  const changed = cards.filter(({ state }) => state !== 'same').map(({ stored }) => stored);
  await upsertCards(run.store, transaction, changed);
  const ids = cards
    .filter(({ isNewExternalId }) => isNewExternalId)
    .map(({ idSpace, externalId, stored }) => ({ idSpace, externalId, cardRowId: stored.rowId }));
  await rememberExternalIds(run, transaction, ids);
}

/** Returns the facts of the cards whose ids do not now mean other cards. */
function factsIn(matched: readonly MatchedGroup[]): CardWithFacts[] {
  return matched.flatMap(({ group, cards }) => {
    const described = group.cards === 'unchanged' ? [] : group.cards;
    return described.flatMap(({ externalId, facts }) => {
      const { stored, claim } = cards.get(externalId) ?? {};
      return stored && !claim ? [{ card: stored.rowId, facts }] : [];
    });
  });
}

async function writePrices(
  run: GroupRun,
  transaction: Transaction,
  matched: readonly MatchedGroup[],
) {
  const listed = matched.map((one) => listedIn(run, one));
  const gone = await delistedIn(run, transaction, matched, listed.flat());
  // In the order of the groups, so row ids do not depend on how groups share transactions.
  const observations = listed.flatMap((some, at) => [...some, ...(gone[at] ?? [])]);
  const written = await writeObservations(run, transaction, observations);
  const printings = written.counts.observations - gone.flat().length;
  const listings = matched.reduce((sum, { group }) => sum + group.listings.length, 0);
  return { printings, listingsWithoutCard: listings - listed.flat().length, written };
}

/** Returns the row ids of the cards whose ids do not now mean other cards. */
function cardsWithOwnName(matched: readonly MatchedGroup[]): Set<number> {
  const cards = matched.flatMap((one) => [...one.cards.values()]);
  return new Set(cards.flatMap(({ stored, claim }) => (claim ? [] : [stored.rowId])));
}

/** Returns a group's reports about known cards. */
function listedIn(run: GroupRun, matched: MatchedGroup): CardObservation[] {
  const { group, cards } = matched;
  const listed = group.listings.flatMap((listing) => {
    const card = cards.get(listing.externalId);
    return card ? [observationOf(run, group, listing, card)] : [];
  });
  return [...listed, ...claimedWithoutPrice(run, matched)];
}

/** Returns an observation without a price for each claimed card without one, to carry the claim. */
function claimedWithoutPrice(run: GroupRun, { group, cards }: MatchedGroup): CardObservation[] {
  const claimed = [...cards].filter(([, { claim }]) => claim !== undefined);
  if (claimed.length === 0) return [];
  const priced = new Set(group.listings.map(({ externalId }) => externalId));
  return claimed.flatMap(([externalId, card]) => {
    const listing = { externalId, printing: undefined, prices: NO_PRICES };
    return priced.has(externalId) ? [] : [observationOf(run, group, listing, card)];
  });
}

function observationOf(
  { source, marketplace }: GroupRun,
  { observedAt }: Group,
  { externalId, printing, prices, earlierDays }: Listed,
  { stored, claim }: Pick<MatchedCard, 'claim'> & { readonly stored: ListedCard },
): CardObservation {
  const observation: Observation = {
    printing,
    marketplace,
    currency: 'USD',
    observedAt,
    ...NO_AMOUNTS,
    prices,
    ...(earlierDays && !claim && { earlierDays }),
  };
  const conflict = claim && findingOf(source, externalId, claim);
  const card = { id: stored.rowId, name: stored.name };
  return { source: countsAs(source), card, externalId, observation, conflict };
}

/** A price of a listing. The printing of a card without a price is undefined. */
type Listed = Omit<Listing, 'externalId' | 'printing'> & {
  readonly externalId: string | null;
  readonly printing: string | undefined;
};

type ListedCard = Pick<MatchedCard['stored'], 'rowId' | 'name'>;

/**
 * Returns, for each group, the printings of its set that the source had a price for and no longer
 * lists, except printings whose row could not be read.
 */
async function delistedIn(
  run: GroupRun,
  transaction: Transaction,
  matched: readonly MatchedGroup[],
  listed: readonly CardObservation[],
): Promise<CardObservation[][]> {
  const series = { source: countsAs(run.source), marketplace: run.marketplace };
  const known = matched.filter((one) => mayHavePrices(one) && !one.group.unreadPrices?.has(null));
  const sets = known.map(({ set }) => set.stored.rowId);
  const moment = known.reduce((last, { group }) => Math.max(last, group.observedAt), 0);
  const priced = await pricedBefore(transaction, sets, series, moment);
  const names = new Set(
    listed.map(({ card, observation }) => `${card.id}/${observation.printing}`),
  );
  const gone = priced.filter(({ card, printing }) => !names.has(`${card}/${printing}`));
  const bySet = Map.groupBy(gone, ({ set }) => set);
  return matched.map(({ group, set, cards }) => {
    return withoutUnread(group, bySet.get(set.stored.rowId) ?? []).map((one) => {
      const { card: rowId, name, printing, externalId } = one;
      const listing = { externalId, printing, prices: NO_PRICES };
      const { claim } = cards.get(externalId ?? '') ?? {};
      return observationOf(run, group, listing, {
        stored: { rowId, name },
        ...(claim && { claim }),
      });
    });
  });
}

/** Whether cards of this set may have a price. Cards of other sets may have moved to a new set. */
function mayHavePrices({ set, cards }: MatchedGroup): boolean {
  return !set.isNew || [...cards.values()].some(({ state }) => state !== 'new');
}

function withoutUnread(
  { observedAt, unreadPrices }: Group,
  priced: readonly PricedPrinting[],
): readonly PricedPrinting[] {
  return priced.filter((one) => {
    return one.observedAt < observedAt && !unreadPrices?.has(one.externalId);
  });
}

async function damagedGroups(
  transaction: Transaction,
  matched: readonly MatchedGroup[],
  damaged: readonly DamagedHistory[],
): Promise<Map<Group, DamagedHistory[]>> {
  if (damaged.length === 0) return new Map();
  const printings = await printingsById(
    transaction,
    damaged.map(({ printing }) => printing),
  );
  const cards = new Map(printings.map(({ rowId, cardRowId }) => [rowId, cardRowId]));
  const scopes = await readScopes(transaction, [...cards.values()]);
  const setOf = ({ printing }: DamagedHistory) => scopes.get(cards.get(printing) ?? 0)?.set;
  return new Map(
    matched.map(({ group, set: { stored } }) => {
      return [group, damaged.filter((one) => setOf(one) === stored.rowId)];
    }),
  );
}

/** Marks fully written files as imported, so the next import skips them. */
async function rememberFiles(
  { store, source }: GroupRun,
  transaction: Transaction,
  matched: readonly MatchedGroup[],
  damaged: WrittenGroups['damaged'],
): Promise<void> {
  const whole = matched.flatMap(({ group, cards }) => {
    const isClaimed = [...cards.values()].some(({ claim }) => claim !== undefined);
    // A file that uses other cards' names for cards is read again, so its prices stay out.
    return isClaimed || group.badRows?.length || damaged.get(group)?.length ? [] : [group];
  });
  const files = whole.flatMap(({ files, observedAt }) => {
    return files.map((file) => ({ ...file, observedAt }));
  });
  await upsertSourceFiles(store, transaction, source, files);
}
