import { dayOf } from '../../domain/day.ts';
import { isFoilRarity } from '../../domain/games.ts';
import { hasPrice } from '../../domain/price.ts';
import { type Rates, rateFor } from '../../domain/rates.ts';
import { addCounts } from '../../lib/counts.ts';
import {
  printingsById,
  printingsOf,
  readRarities,
  upsertPrintings,
} from '../../store/catalogue/catalogue.ts';
import { insertMarketplaceChanges } from '../../store/catalogue/marketplace-changes.ts';
import { observationsOf, upsertObservations } from '../../store/catalogue/observations.ts';
import type { StoredPrinting } from '../../store/catalogue/records.ts';
import type { Transaction } from '../../store/connect.ts';
import type { DamagedHistory } from '../../store/history/index.ts';
import { readScopes } from '../../store/quarantine/quarantine.ts';
import type { AcceptedObservation, CardObservation, ResolvedObservation } from '../observation.ts';
import type { ImportRun } from '../run.ts';
import { hasAmounts, settleDelistings, validate } from '../validation/index.ts';
import type { ReportedDays } from './days.ts';
import { updateDisputes } from './disputes.ts';
import {
  judgeByHistory,
  keepObservations,
  mergeKept,
  type RecordedDays,
  recordDays,
} from './merge.ts';
import { KnownPrintings, type PrintingState } from './printings.ts';
import { joinRows, resolve, rowKey } from './resolve.ts';

/**
 * Takes every price through its steps: resolve, validate, store, merge into the served price,
 * record.
 */

/** The counts from writing observations. */
export interface PriceCounts {
  /** All observations, and those with a price. */
  readonly observations: number;
  readonly prices: number;
  readonly printingsAdded: number;
  /** Printings whose served price changed. */
  readonly pricesChanged: number;
  /** Days of printings that are new in the history, and days whose prices changed. */
  readonly historyAdded: number;
  readonly historyCorrected: number;
  /** Observations with a price in a currency that has no exchange rate for their day. */
  readonly withoutRate: number;
}

export interface WrittenObservations {
  readonly counts: PriceCounts;
  /**
   * The names of printings with another price in a later row of the same day. The later row counts.
   */
  readonly overruled: readonly string[];
  /** Quarantined prices, by validation rule. */
  readonly quarantined: Readonly<Record<string, number>>;
  /** Damaged histories, which did not get the new days. */
  readonly damaged: readonly DamagedHistory[];
}

const NOTHING_WRITTEN: WrittenObservations = {
  counts: {
    observations: 0,
    prices: 0,
    printingsAdded: 0,
    pricesChanged: 0,
    historyAdded: 0,
    historyCorrected: 0,
    withoutRate: 0,
  },
  overruled: [],
  quarantined: {},
  damaged: [],
};

/**
 * Writes observations, inside `transaction`. One batch must contain all of a source's reports about
 * a card. Rows of one printing that agree are joined; otherwise the later one counts.
 */
export async function writeObservations(
  run: ImportRun,
  transaction: Transaction,
  observations: readonly CardObservation[],
): Promise<WrittenObservations> {
  if (observations.length === 0) return NOTHING_WRITTEN;
  const { printings, resolved } = await resolveIn(run, transaction, observations);
  const { accepted, quarantined } = await accept(run, transaction, resolved);
  const kept = keepObservations(printings, accepted, run.startedAt);
  const { damaged, ...written } = await writeMerged(run, transaction, printings, kept);
  const priced = resolved.filter(({ observation }) => hasPrice(observation.prices));
  const withoutRate = countWithoutRate(accepted, run.rates);
  const reported = { observations: resolved.length, prices: priced.length, withoutRate };
  const counts = { ...reported, ...printings.counts, ...written };
  return { counts, overruled: overruledBy(accepted), quarantined, damaged };
}

function countWithoutRate(accepted: readonly AcceptedObservation[], rates: Rates): number {
  return accepted.filter(({ observation }) => {
    const { currency, observedAt } = observation;
    return hasAmounts(observation) && rateFor(rates, currency, observedAt) === undefined;
  }).length;
}

/** Names the printings of accepted rows whose price a later row of the same day overrules. */
function overruledBy(accepted: readonly AcceptedObservation[]): string[] {
  const rows = Map.groupBy(accepted, ({ resolved, observation }) => {
    return `${rowKey(resolved)} ${dayOf(observation.observedAt)}`;
  });
  return [...rows.values()].flatMap((ofDay) => {
    return ofDay.slice(1).map(({ resolved }) => `${resolved.cardName} (${resolved.printing})`);
  });
}

/** Resolves observations without writing anything. */
export async function resolveObservations(
  run: ImportRun,
  observations: readonly CardObservation[],
): Promise<ResolvedObservation[]> {
  const { resolved } = await resolveIn(run, run.store.db, observations);
  return resolved;
}

/**
 * Finishes an import of a source: clears quarantined delistings of printings that it prices again.
 */
export async function clearDelistings(run: ImportRun, source: string): Promise<void> {
  await run.store.db.transaction().execute(async (transaction) => {
    await acceptDelisted(run, transaction, source, []);
  });
}

/**
 * Merges the observations of printings again, for example after an exchange rate has changed.
 * Returns the number of changed served prices.
 */
export async function mergeAgain(
  run: ImportRun,
  transaction: Transaction,
  ids: readonly number[],
): Promise<number> {
  const known = await printingsById(transaction, ids);
  const printings = await openPrintings(run, transaction, known);
  const nothingNew = new Map(printings.all().map((printing) => [printing, []]));
  await writeMerged(run, transaction, printings, nothingNew);
  return printings.counts.pricesChanged;
}

async function resolveIn(
  run: ImportRun,
  db: Transaction,
  observations: readonly CardObservation[],
): Promise<{ printings: KnownPrintings; resolved: ResolvedObservation[] }> {
  const cards = [...new Set(observations.map(({ card }) => card.id))];
  const unnamed = observations.filter(({ observation }) => observation.printing === undefined);
  const foilCards = await foilCardsOf(db, new Set(unnamed.map(({ card }) => card.id)));
  const printings = await openPrintings(
    run,
    db,
    await printingsOf(run.store, db, cards),
    foilCards,
  );
  const scopes = await readScopes(db, cards);
  const resolved = resolve({ ...run, scopes }, printings, observations);
  return { printings, resolved: joinRows(resolved) };
}

/** Opens printings with their observations. */
export async function openPrintings(
  { store, nextIds, publication, rates }: ImportRun,
  transaction: Transaction,
  known: readonly StoredPrinting[],
  foilCards: ReadonlySet<number> = new Set(),
): Promise<KnownPrintings> {
  const ids = known.map(({ rowId }) => rowId);
  const observations = await observationsOf(store, transaction, ids);
  const { revision } = publication;
  return new KnownPrintings(known, observations, { nextIds, revision, rates, foilCards });
}

/** Returns the cards with a foil rarity, by row id. */
async function foilCardsOf(
  transaction: Transaction,
  cards: ReadonlySet<number>,
): Promise<Set<number>> {
  const rarities = await readRarities(transaction, [...cards]);
  const foils = rarities.filter(({ game, rarity }) => isFoilRarity(game, rarity));
  return new Set(foils.map(({ id }) => id));
}

interface Accepted {
  readonly accepted: readonly AcceptedObservation[];
  readonly quarantined: Record<string, number>;
}

/** Validates observations, and decides on printings without their former price. */
async function accept(
  run: ImportRun,
  transaction: Transaction,
  resolved: readonly ResolvedObservation[],
): Promise<Accepted> {
  const { store, limits, startedAt, rates } = run;
  if (limits === null) return { accepted: resolved.map(acceptWhole), quarantined: {} };
  const options = { limits, now: startedAt, rates };
  const validated = await validate(store, transaction, resolved, options);
  const accepted: AcceptedObservation[] = [...validated.accepted];
  const quarantined = { ...validated.quarantined };
  const delisted = validated.delisted.map(({ resolved, observation }) => {
    return { ...resolved, observation };
  });
  for (const [source, some] of Map.groupBy(delisted, (one) => one.source)) {
    const settled = await acceptDelisted(run, transaction, source, some);
    accepted.push(...settled.accepted);
    addCounts(quarantined, settled.quarantined);
  }
  return { accepted, quarantined };
}

async function acceptDelisted(
  { store, limits, startedAt }: ImportRun,
  transaction: Transaction,
  source: string,
  delisted: readonly ResolvedObservation[],
): Promise<Accepted> {
  if (limits === null) return { accepted: delisted.map(acceptWhole), quarantined: {} };
  const options = { limits, now: startedAt };
  const settled = await settleDelistings(store, transaction, source, delisted, options);
  const { delisted: passed, kept } = settled;
  const quarantined: Record<string, number> = kept > 0 ? { 'mass-delisting': kept } : {};
  return { accepted: passed.map(acceptWhole), quarantined };
}

function acceptWhole(resolved: ResolvedObservation): AcceptedObservation {
  return { resolved, observation: resolved.observation };
}

/** Merges the printings with new observations, and writes all changes. */
async function writeMerged(
  { store, publication, rates, startedAt }: ImportRun,
  transaction: Transaction,
  printings: KnownPrintings,
  kept: ReadonlyMap<PrintingState, readonly ReportedDays[]>,
): Promise<RecordedDays> {
  const days = mergeKept(printings, kept, rates);
  await upsertObservations(store, transaction, printings.changedObservations());
  await insertMarketplaceChanges(transaction, printings.marketplaceChanges(), startedAt);
  const recorded = await recordDays(store, transaction, days, startedAt);
  await judgeByHistory(store, transaction, printings, [...kept.keys()]);
  await updateDisputes(transaction, printings);
  const changed = printings.changedPrintings();
  await upsertPrintings(store, transaction, changed);
  // Changes of only the history also need a publication: answers about it are cached until the next
  // one.
  const written = changed.length + recorded.historyAdded + recorded.historyCorrected;
  if (written > 0) await publication.begin(transaction);
  return recorded;
}
