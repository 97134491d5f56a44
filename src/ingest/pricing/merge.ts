import { findBasePrices, type ServedMarket } from '../../domain/base-prices.ts';
import { dayOf, type Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { judgeConfidence, type MarketplacePrice } from '../../domain/judge-confidence.ts';
import type { FetchedObservation } from '../../domain/observation.ts';
import type { HistoryDay } from '../../domain/price.ts';
import { type BasePrices, CHANGE_DAYS, NO_BASES } from '../../domain/price-changes.ts';
import { inDollars, type Rates, rateFor } from '../../domain/rates.ts';
import { findSource, UNKNOWN_SOURCE } from '../../domain/sources.ts';
import type { Store, Transaction } from '../../store/connect.ts';
import {
  type CopyDay,
  DamagedHistory,
  newestDays,
  recordHistory,
  withSeries,
} from '../../store/history/index.ts';
import type { AcceptedObservation, ObservationPart, ResolvedObservation } from '../observation.ts';
import { copyDays, daysToRecord, type ReportedDays } from './days.ts';
import { isSameSeries, type KnownPrintings, type PrintingState } from './printings.ts';

/** Merges accepted observations into served prices, and chooses the days for the history. */

/** Stores observations, in order; returns the printings that have any, with their days. */
export function keepObservations(
  printings: KnownPrintings,
  accepted: readonly AcceptedObservation[],
  fetchedAt: Millis,
): ReadonlyMap<PrintingState, readonly ReportedDays[]> {
  const kept = new Map<PrintingState, ReportedDays[]>();
  for (const { resolved, observation: reported, repeatedOn, repeatedDays } of accepted) {
    const printing = printings.findOrAdd(resolved.card, resolved.printing);
    const { printing: _, earlierDays = [], earlierCopies, ...rest } = reported;
    const { source, externalId = null } = resolved;
    const whole = { ...rest, source, externalId, fetchedAt };
    const observation = withMissing(whole, resolved.missing, printing);
    const isPast = repeatedOn !== undefined || isOnlyPast(resolved, observation, printing);
    const reception = isPast ? 'older' : printings.keep(printing, observation);
    const day = repeatedOn ?? dayOf(reported.observedAt);
    const isOutdated = reception === 'outdated';
    const days = isOutdated ? earlierDays : [...earlierDays, { ...observation.prices, day }];
    const copies = copyDays(observation, isOutdated ? undefined : day, earlierCopies);
    const all = kept.get(printing) ?? [];
    const repeated = repeatedOn === undefined ? repeatedDays : new Set([repeatedOn]);
    all.push({ observation, days, copies, repeated });
    kept.set(printing, all);
  }
  return kept;
}

/** Fills in parts that the source cannot report now from its observation of the same day. */
function withMissing(
  observation: FetchedObservation,
  missing: readonly ObservationPart[] | undefined,
  { observations }: PrintingState,
): FetchedObservation {
  if (!missing || missing.length === 0) return observation;
  const known = observations.find((one) => isSameSeries(one, observation));
  const isSameDay = known && dayOf(known.observedAt) === dayOf(observation.observedAt);
  if (!isSameDay || known.currency !== observation.currency) return observation;
  const prices = { ...observation.prices };
  for (const part of missing) {
    if (part !== 'conditions' && part !== 'graded') prices[part] = known.prices[part];
  }
  const conditions = missing.includes('conditions') ? known.conditions : observation.conditions;
  const graded = missing.includes('graded') ? known.graded : observation.graded;
  return { ...observation, prices, conditions, graded };
}

/** Whether the source already had newer prices when it did not list this printing. */
function isOnlyPast(
  { presentFrom }: ResolvedObservation,
  observation: FetchedObservation,
  { observations }: PrintingState,
): boolean {
  if (presentFrom === undefined || dayOf(observation.observedAt) >= presentFrom) return false;
  return !observations.some((known) => isSameSeries(known, observation));
}

/** Merges all observations of these printings; returns the days to record in the history. */
export function mergeKept(
  printings: KnownPrintings,
  kept: ReadonlyMap<PrintingState, readonly ReportedDays[]>,
  rates: Rates,
): CopyDay[] {
  const days: CopyDay[] = [];
  for (const [printing, reported] of kept) {
    const { merged, isNew } = printings.merge(printing);
    days.push(...daysToRecord(printing.stored.rowId, reported, { merged, isNew, rates }));
  }
  return days;
}

/** The outcome of recording days. */
export interface RecordedDays {
  /** New days, and days whose prices changed. */
  readonly historyAdded: number;
  readonly historyCorrected: number;
  /** Damaged histories, which did not get the new days. */
  readonly damaged: readonly DamagedHistory[];
}

/** More damaged printings than this in one batch are not just a few flipped bits. */
const MAX_DAMAGED = 20;

/**
 * Records days in the history. Skips printings whose history is damaged, because a flipped bit must
 * not block all other prices.
 *
 * @throws OperatorError if the history is damaged in many places.
 */
export async function recordDays(
  store: Store,
  transaction: Transaction,
  copyDays: readonly CopyDay[],
  at: Millis,
): Promise<RecordedDays> {
  const days = await withSeries(transaction, copyDays);
  const damaged = new Map<number, DamagedHistory>();
  for (;;) {
    try {
      const sound = days.filter(({ printing }) => !damaged.has(printing));
      // All blocks are decoded before the first is written, so a throw changes nothing.
      const { added, corrected } = await recordHistory(store, transaction, sound, at);
      return { historyAdded: added, historyCorrected: corrected, damaged: [...damaged.values()] };
    } catch (error) {
      if (!(error instanceof DamagedHistory)) throw error;
      damaged.set(error.printing, error);
      if (damaged.size > MAX_DAMAGED) {
        const message = `${error.message} Many others are damaged too: restore a backup.`;
        throw new OperatorError(message, { cause: error });
      }
    }
  }
}

/** How old another source's price may be, in days, to confirm the served one. */
const WITNESS_DAYS = 7;

/**
 * Recomputes the values derived from the history of some printings: the base prices of their
 * changes, and the confidence in their prices. Call it after the history is written.
 */
export async function judgeByHistory(
  store: Store,
  transaction: Transaction,
  printings: KnownPrintings,
  updated: readonly PrintingState[],
): Promise<void> {
  const ids = updated.map(({ stored }) => stored.rowId);
  const histories = await newestDays(store, transaction, ids, CHANGE_DAYS);
  for (const printing of updated) {
    const days = histories.get(printing.stored.rowId) ?? [];
    const bases = basesOf(printing, days);
    const { prices, marketplace } = printing.stored;
    const others = otherPrices(printing, printings.rates);
    const evidence = { prices, marketplace, days, others, doubts: bases.doubts };
    printings.setJudgement(printing, { bases, confidence: judgeConfidence(evidence) });
  }
}

/** Returns other marketplaces' market prices that are fresh compared with the figures. */
function otherPrices({ stored, observations }: PrintingState, rates: Rates): MarketplacePrice[] {
  const { marketplace: own, prices } = stored;
  const day = dayOf(prices.figuresAt ?? 0);
  return observations.flatMap(({ marketplace, source, currency, observedAt, prices }) => {
    const { freshDays } = findSource(source) ?? UNKNOWN_SOURCE;
    const rate = rateFor(rates, currency, observedAt);
    if (marketplace === own || rate === undefined) return [];
    const market = dayOf(observedAt) < day - freshDays ? null : inDollars(prices.market, rate);
    return market === null ? [] : [{ marketplace, market }];
  });
}

function basesOf(printing: PrintingState, days: readonly HistoryDay[]): BasePrices {
  const served = servedMarket(printing);
  return served ? findBasePrices(days, served) : NO_BASES;
}

function servedMarket({ stored, observations }: PrintingState): ServedMarket | undefined {
  const { market, figuresAt } = stored.prices;
  if (figuresAt === null) return undefined;
  const day = dayOf(figuresAt);
  const reported = observations.flatMap(({ currency, prices: { market }, observedAt }) => {
    const isRecent = dayOf(observedAt) >= day - WITNESS_DAYS;
    return market !== null && currency === 'USD' && isRecent ? [market] : [];
  });
  return { market, day, reported };
}
