import type { Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import { NO_AMOUNTS, type Observation } from '../../domain/observation.ts';
import { NO_PRICES } from '../../domain/price.ts';
import { countsAs } from '../../domain/sources.ts';
import { addCounts } from '../../lib/counts.ts';
import { readAhead } from '../../lib/read-ahead.ts';
import type { Group, GroupOutcome, Listing, Snapshot } from '../../sources/contract/snapshot.ts';
import {
  readSets,
  upsertCards,
  upsertSetExternalIds,
  upsertSets,
} from '../../store/catalogue/catalogue.ts';
import { lastFinishedImport, upsertSourceFiles } from '../../store/catalogue/imports.ts';
import { pricedBefore } from '../../store/catalogue/observations.ts';
import type { StoredCard, StoredSet } from '../../store/catalogue/records.ts';
import type { Store, Transaction } from '../../store/connect.ts';
import { KnownSets, type MatchedCard, type MatchedSet, matchCards } from '../identity/admit.ts';
import { type NewExternalId, rememberExternalIds } from '../identity/external-ids.ts';
import {
  type ImportOptions,
  type ImportProgress,
  knownFiles,
  type OpenDriver,
  runImport,
} from '../import.ts';
import type { CardObservation } from '../observation.ts';
import { clearDelistings, type WrittenObservations, writeObservations } from '../pricing/write.ts';
import type { ImportRun } from '../run.ts';
import type { ImportSummary, ImportTally } from '../summary.ts';

/** What the import of a snapshot did. `broken` has the skipped groups and the bad rows. */
export interface SnapshotSummary extends ImportSummary, GroupCounts {
  readonly observedAt: Millis;
  readonly games: readonly GameSlug[];
  /** Groups that were written, and groups that were unchanged since the last import. */
  readonly sets: number;
  readonly setsUnchanged: number;
  /** Printings with a price. */
  readonly prices: number;
  /** All broken groups and rows. `broken` names every group and the first hundred rows. */
  readonly brokenCount: number;
}

/**
 * Imports one snapshot of a source, with one group in each transaction.
 *
 * @throws OperatorError when another import is running.
 */
export function importSnapshot(
  store: Store,
  snapshot: Snapshot,
  options: ImportOptions,
): Promise<SnapshotSummary> {
  const { source } = snapshot;
  const open = (run: ImportRun, tally: ImportTally) => SnapshotDriver.open(run, tally, snapshot);
  return runImport(store, { source, open }, options);
}

/** Whether a source's newest import covered all of these games as of this moment. */
export async function isImported(
  store: Store,
  source: string,
  observedAt: Millis,
  games: readonly GameSlug[],
): Promise<boolean> {
  const last = await lastFinishedImport(store.db, source);
  if (!last?.summary || last.observedAt !== observedAt) return false;
  const { broken = [], games: had = [] } = last.summary;
  return broken.length === 0 && games.every((game) => had.includes(game));
}

/** A snapshot names all broken groups, because each must be imported again. */
const ALL = Number.POSITIVE_INFINITY;

class SnapshotDriver implements OpenDriver<GroupOutcome, SnapshotSummary> {
  readonly #run: GroupRun;
  readonly #tally: ImportTally;
  readonly #snapshot: Snapshot;
  #read = 0;
  #written = 0;
  #unchanged = 0;
  readonly #counts: GroupCounts = {
    cards: 0,
    setsAdded: 0,
    cardsAdded: 0,
    cardsChanged: 0,
    printings: 0,
    listingsWithoutCard: 0,
  };

  private constructor(run: GroupRun, tally: ImportTally, snapshot: Snapshot) {
    this.#run = run;
    this.#tally = tally;
    this.#snapshot = snapshot;
  }

  static async open(run: ImportRun, tally: ImportTally, snapshot: Snapshot) {
    const sets = new KnownSets(await readSets(run.store.db));
    const { source, marketplace } = snapshot;
    return new SnapshotDriver({ ...run, source, marketplace, sets }, tally, snapshot);
  }

  get observedAt(): Millis {
    return this.#snapshot.observedAt;
  }

  async *parts(): AsyncGenerator<GroupOutcome> {
    const known = await knownFiles(this.#run.store, this.#snapshot.source);
    yield* readAhead(this.#snapshot.groups(known));
  }

  async write(outcome: GroupOutcome): Promise<ImportProgress> {
    const name = outcome.kind === 'read' ? outcome.group.set.name : outcome.name;
    const { part = name } = outcome;
    if (outcome.kind === 'broken') {
      this.#tally.addBroken({ part, game: outcome.game ?? null }, outcome, ALL);
    } else if (outcome.kind === 'unchanged') {
      this.#unchanged += 1;
      this.#tally.failed.addRead(part);
    } else {
      await this.#writeGroup(part, outcome.group);
    }
    this.#read += 1;
    return { done: this.#read, total: this.#snapshot.groupCount, name };
  }

  async #writeGroup(part: string, group: Group): Promise<void> {
    const { counts, written } = await writeGroup(this.#run, group);
    this.#written += 1;
    addCounts(this.#counts, counts);
    this.#tally.addSkipped(group.skipped);
    this.#tally.addWritten(written, group.set.name, ALL);
    this.#tally.failed.addRead(part);
    for (const row of group.badRows ?? []) {
      this.#tally.addBadRow({ part, game: group.set.game }, row);
    }
  }

  isGone(part: string): boolean {
    return this.#snapshot.covers?.(part) ?? false;
  }

  async finish(): Promise<void> {
    await clearDelistings(this.#run, countsAs(this.#snapshot.source));
  }

  summarise(seconds: number): SnapshotSummary {
    const { counts, skipped, quarantined, broken, brokenCount } = this.#tally;
    const { cards, setsAdded, cardsAdded, cardsChanged, printings, listingsWithoutCard } =
      this.#counts;
    return {
      source: this.#snapshot.source,
      observedAt: this.#snapshot.observedAt,
      games: this.#snapshot.games,
      sets: this.#written,
      setsUnchanged: this.#unchanged,
      cards,
      setsAdded,
      cardsAdded,
      cardsChanged,
      printings,
      printingsAdded: counts.printingsAdded,
      prices: counts.prices,
      pricesChanged: counts.pricesChanged,
      historyAdded: counts.historyAdded,
      historyCorrected: counts.historyCorrected,
      listingsWithoutCard,
      skipped,
      quarantined,
      broken,
      brokenCount,
      seconds,
    };
  }
}

/** What writing the groups of a snapshot needs. */
export interface GroupRun extends ImportRun {
  readonly source: string;
  readonly marketplace: string;
  readonly sets: KnownSets;
}

/** The counts of a written group, without its prices. */
export interface GroupCounts {
  readonly cards: number;
  readonly setsAdded: number;
  readonly cardsAdded: number;
  readonly cardsChanged: number;
  readonly printings: number;
  /** Listings whose card is not among the source's cards, mostly sealed products. */
  readonly listingsWithoutCard: number;
}

export interface WrittenGroup {
  readonly counts: GroupCounts;
  readonly written: WrittenObservations;
}

/** Writes a group in one transaction. A group without cards creates no set. */
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
      await upsertSourceFiles(store, transaction, run.source, files);
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
  transaction: Transaction,
  { idSpace, set: { externalId } }: Group,
  { stored, changed, isNewExternalId }: MatchedSet,
): Promise<void> {
  if (changed) await upsertSets(store, transaction, [stored]);
  if (isNewExternalId) {
    const id = { idSpace, externalId, setRowId: stored.rowId };
    await upsertSetExternalIds(store, transaction, [id]);
  }
  sets.remember(idSpace, externalId, stored);
}

async function writeCards(
  run: GroupRun,
  transaction: Transaction,
  idSpace: string,
  cards: ReadonlyMap<string, MatchedCard>,
): Promise<void> {
  const changed: StoredCard[] = [];
  const ids: NewExternalId[] = [];
  for (const [externalId, { stored, state, isNewExternalId }] of cards) {
    if (state !== 'same') changed.push(stored);
    if (isNewExternalId) ids.push({ idSpace, externalId, cardRowId: stored.rowId });
  }
  await upsertCards(run.store, transaction, changed);
  await rememberExternalIds(run, transaction, ids);
}

async function writePrices(
  run: GroupRun,
  transaction: Transaction,
  group: Group,
  set: MatchedSet,
  cards: ReadonlyMap<string, MatchedCard>,
) {
  const listed = group.listings.flatMap((listing) => {
    const known = cards.get(listing.externalId)?.stored;
    if (!known) return [];
    return [observationOf(run, group, listing, { id: known.rowId, name: known.name })];
  });
  const gone = set.isNew ? [] : await delistedIn(run, transaction, group, set.stored, listed);
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
 * Returns the printings of the set that the source had a price for and no longer lists, except
 * printings whose row could not be read.
 */
async function delistedIn(
  run: GroupRun,
  transaction: Transaction,
  group: Group,
  set: StoredSet,
  listed: readonly CardObservation[],
): Promise<CardObservation[]> {
  const { unreadPrices = new Set() } = group;
  if (unreadPrices.has(null)) return [];
  const series = { source: countsAs(run.source), marketplace: run.marketplace };
  const priced = await pricedBefore(transaction, set.rowId, series, group.observedAt);
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
