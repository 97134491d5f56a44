import type { Kysely } from 'kysely';
import { hasPrice } from '../../domain/price.ts';
import { isFoilRarity } from '../../domain/rarities.ts';
import { addCounts } from '../../lib/counts.ts';
import {
  printingsById,
  printingsOf,
  readRarities,
  upsertPrintings,
} from '../../store/catalogue.ts';
import type { DamagedHistory } from '../../store/history.ts';
import { insertMarketplaceChanges } from '../../store/marketplace-changes.ts';
import { observationsOf, upsertObservations } from '../../store/observations.ts';
import type { Database, PrintingRow } from '../../store/schema.ts';
import type { AcceptedObservation, CardObservation, ResolvedObservation } from '../observation.ts';
import type { ImportRun } from '../run.ts';
import { settleDelistings, validate } from '../validation/index.ts';
import { retractEarlier } from './conflicts.ts';
import { type RecordedDays, type ReportedDays, recordDays } from './history.ts';
import { keepObservations, mergeKept } from './merge.ts';
import { KnownPrintings, type PrintingState } from './printings.ts';
import { resolve } from './resolve.ts';

/** The way of every price: resolved, validated, kept, merged into what is served, recorded. */

/** What writing observations counted. */
export interface PriceCounts {
  /** Observations, and those of them with a price. */
  readonly observations: number;
  readonly prices: number;
  readonly printingsAdded: number;
  /** Printings that serve another price than before. */
  readonly pricesChanged: number;
  /** Days of printings that are new in the history, and that got other prices. */
  readonly historyAdded: number;
  readonly historyCorrected: number;
}

export interface WrittenObservations {
  readonly counts: PriceCounts;
  /** How many went into quarantine, by validation rule. */
  readonly quarantined: Readonly<Record<string, number>>;
  /** Damaged histories: they did not get the new days. */
  readonly damaged: readonly DamagedHistory[];
}

/** What settling delistings did. */
export interface SettledDelistings extends Omit<WrittenObservations, 'counts'> {
  readonly counts: Pick<PriceCounts, 'pricesChanged' | 'historyAdded' | 'historyCorrected'>;
}

/**
 * Writes observations, inside of `transaction`. All that a source reports of a card must be in one
 * batch. Of two observations of one printing the later in order counts.
 */
export async function writeObservations(
  run: ImportRun,
  transaction: Kysely<Database>,
  observations: readonly CardObservation[],
): Promise<WrittenObservations> {
  const cards = new Set(observations.map(({ card }) => card.id));
  const rows = await printingsOf(transaction, [...cards]);
  const unnamed = observations.filter(({ observation }) => observation.printing === undefined);
  const foilCards = await foilCardsOf(transaction, new Set(unnamed.map(({ card }) => card.id)));
  const printings = await openPrintings(run, transaction, rows, foilCards);
  const resolved = resolve(run, printings, observations);
  const { accepted, quarantined } = await accept(run, transaction, resolved);
  const kept = keepObservations(printings, accepted, run.startedAt);
  const { damaged, ...written } = await writeMerged(run, transaction, printings, kept);
  const priced = resolved.filter(({ observation }) => hasPrice(observation.prices));
  const reported = { observations: resolved.length, prices: priced.length };
  return { counts: { ...reported, ...printings.counts, ...written }, quarantined, damaged };
}

/**
 * Ends an import of a source: printings that it does not list any more lose their price, unless
 * they are too many at once; delistings in quarantine that have come back are cleared.
 */
export async function settleDelisted(run: ImportRun, source: string): Promise<SettledDelistings> {
  const { store, delisted = [], startedAt } = run;
  return store.db.transaction().execute(async (transaction) => {
    const cards = new Set(delisted.map(({ card }) => card));
    const { accepted, quarantined } = await acceptDelisted(run, transaction, source, delisted);
    const rows = await printingsOf(transaction, [...cards]);
    const printings = await openPrintings(run, transaction, rows);
    const kept = keepObservations(printings, accepted, startedAt);
    const { damaged, ...written } = await writeMerged(run, transaction, printings, kept);
    const { pricesChanged } = printings.counts;
    return { counts: { pricesChanged, ...written }, quarantined, damaged };
  });
}

/** Merges the observations of printings again, as after an exchange rate has changed. */
export async function mergeAgain(
  run: ImportRun,
  transaction: Kysely<Database>,
  ids: readonly number[],
): Promise<void> {
  const rows = await printingsById(transaction, ids);
  const printings = await openPrintings(run, transaction, rows);
  const nothingNew = new Map(printings.all().map((printing) => [printing, []]));
  await writeMerged(run, transaction, printings, nothingNew);
}

async function openPrintings(
  { store, nextIds, publication, rates }: ImportRun,
  transaction: Kysely<Database>,
  rows: readonly PrintingRow[],
  foilCards: ReadonlySet<number> = new Set(),
): Promise<KnownPrintings> {
  const ids = rows.map(({ id }) => id);
  const observations = await observationsOf(store, transaction, ids);
  const { revision } = publication;
  return new KnownPrintings(rows, observations, { nextIds, revision, rates, foilCards });
}

/** Returns those of the cards, by row id, whose rarity is a foil one. */
async function foilCardsOf(
  transaction: Kysely<Database>,
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

/** Validates observations. Delistings wait for the end of the import if the run collects them. */
async function accept(
  run: ImportRun,
  transaction: Kysely<Database>,
  resolved: readonly ResolvedObservation[],
): Promise<Accepted> {
  const { store, limits, startedAt } = run;
  if (limits === null) return { accepted: resolved.map(acceptWhole), quarantined: {} };
  const options = { limits, now: startedAt };
  const validated = await validate(store, transaction, resolved, options);
  const retracted = validated.conflicting.flatMap((one) => retractEarlier(run, one));
  const passed = validated.accepted.map(({ resolved, observation }) => {
    return { resolved, observation };
  });
  const accepted: AcceptedObservation[] = [...passed, ...retracted];
  const quarantined = { ...validated.quarantined };
  if (retracted.length > 0) addCounts(quarantined, { 'conflicting-prices': retracted.length });
  const delisted = validated.delisted.map(({ resolved, observation }) => {
    return { ...resolved, observation };
  });
  run.delisted?.push(...delisted);
  if (run.delisted) return { accepted, quarantined };
  for (const [source, some] of Map.groupBy(delisted, (one) => one.source)) {
    const settled = await acceptDelisted(run, transaction, source, some);
    accepted.push(...settled.accepted);
    addCounts(quarantined, settled.quarantined);
  }
  return { accepted, quarantined };
}

async function acceptDelisted(
  { store, limits, startedAt }: ImportRun,
  transaction: Kysely<Database>,
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

/** Merges the printings that have new observations, and writes all that has changed. */
async function writeMerged(
  { store, publication, rates, startedAt }: ImportRun,
  transaction: Kysely<Database>,
  printings: KnownPrintings,
  kept: ReadonlyMap<PrintingState, readonly ReportedDays[]>,
): Promise<RecordedDays> {
  const days = mergeKept(printings, kept, rates);
  const rows = printings.changedRows();
  await upsertPrintings(store, transaction, rows);
  await upsertObservations(store, transaction, printings.changedObservations());
  await insertMarketplaceChanges(transaction, printings.marketplaceChanges(), startedAt);
  const recorded = await recordDays(store, transaction, days, startedAt);
  // History alone needs a publication, too: answers about it are cached until the next one.
  const written = rows.length + recorded.historyAdded + recorded.historyCorrected;
  if (written > 0) await publication.begin(transaction);
  return recorded;
}
