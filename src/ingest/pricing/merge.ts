import { dayOf, type Millis } from '../../domain/day.ts';
import type { FetchedObservation } from '../../domain/observation.ts';
import type { Rates } from '../../domain/rates.ts';
import type { PrintingDay } from '../../store/history/index.ts';
import type { AcceptedObservation, ObservationPart, ResolvedObservation } from '../observation.ts';
import { type ReportedDays, recordedDays, servedDay } from './history.ts';
import { isSameSeries, type KnownPrintings, type PrintingState } from './printings.ts';

/** How accepted observations become what is served, and what of them goes into the history. */

/** Keeps observations, in their order; returns the printings that have any, with their days. */
export function keepObservations(
  printings: KnownPrintings,
  accepted: readonly AcceptedObservation[],
  fetchedAt: Millis,
): ReadonlyMap<PrintingState, readonly ReportedDays[]> {
  const kept = new Map<PrintingState, ReportedDays[]>();
  for (const { resolved, observation: reported, repeatedOn, repeatedDays } of accepted) {
    const printing = printings.findOrAdd(resolved.card, resolved.printing);
    const { printing: _, earlierDays = [], ...rest } = reported;
    const { source, externalId = null } = resolved;
    const whole = { ...rest, source, externalId, fetchedAt };
    const observation = withMissing(whole, resolved.missing, printing);
    const isPast = repeatedOn !== undefined || isOnlyPast(resolved, observation, printing);
    const reception = isPast ? 'older' : printings.keep(printing, observation);
    const own = { ...observation.prices, day: repeatedOn ?? dayOf(reported.observedAt) };
    const days = reception === 'outdated' ? earlierDays : [...earlierDays, own];
    const all = kept.get(printing) ?? [];
    const repeated = repeatedOn === undefined ? repeatedDays : new Set([repeatedOn]);
    all.push({ observation, days, repeated });
    kept.set(printing, all);
  }
  return kept;
}

/** Fills in what the source cannot report now from its observation of the same day. */
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

/** Whether the source had newer prices already when it did not list this printing. */
function isOnlyPast(
  { presentFrom }: ResolvedObservation,
  observation: FetchedObservation,
  { observations }: PrintingState,
): boolean {
  if (presentFrom === undefined || dayOf(observation.observedAt) >= presentFrom) return false;
  return !observations.some((known) => isSameSeries(known, observation));
}

/** Merges all observations of these printings; returns the days that are for the history. */
export function mergeKept(
  printings: KnownPrintings,
  kept: ReadonlyMap<PrintingState, readonly ReportedDays[]>,
  rates: Rates,
): PrintingDay[] {
  const days: PrintingDay[] = [];
  for (const [printing, reported] of kept) {
    const { id } = printing.row;
    const { figures, isNew } = printings.merge(printing);
    for (const one of reported) days.push(...recordedDays(id, one, figures, rates));
    const isOwn = reported.some(
      ({ observation }) => figures && isSameSeries(observation, figures.observation),
    );
    if (figures && isNew && !isOwn) days.push(servedDay(id, figures));
  }
  return days;
}
