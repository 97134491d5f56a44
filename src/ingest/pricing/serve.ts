import { dayOf, type Millis } from '../../domain/day.ts';
import type { Observation } from '../../domain/observation.ts';
import type { Rates } from '../../domain/rates.ts';
import type { PrintingDay } from '../../store/history.ts';
import { recordedDays, servedDay, type ToldDays } from './days.ts';
import type { CardObservation, Part } from './pipeline.ts';
import {
  isSameSeries,
  type NewObservation,
  type PrintingBook,
  type PrintingState,
} from './printings.ts';

/** How sound quotes become what is served, and what of them is remembered. */

/** A observation of a printing that may be served. */
export interface AcceptedObservation {
  readonly told: CardObservation;
  /** What was told, without the days that are held back. */
  readonly observation: Observation;
  /** The name of the printing. */
  readonly printing: string;
}

/** A printing with what was taken in of it. */
export interface UpdatedPrinting {
  readonly printing: PrintingState;
  readonly told: ToldDays[];
}

/** Takes quotes in, in their order, and gives the printings that they are of. */
export function takeIn(
  book: PrintingBook,
  quotes: readonly AcceptedObservation[],
  fetchedAt: Millis,
): Iterable<UpdatedPrinting> {
  const touched = new Map<PrintingState, UpdatedPrinting>();
  for (const { told, observation, printing: name } of quotes) {
    const printing = book.printing(told.card.id, name);
    const { printing: _, earlierDays = [], ...rest } = observation;
    const whole = { ...rest, source: told.source, externalId: told.externalId, fetchedAt };
    const latest = completed(whole, told.missing, printing);
    const reception = isOnlyPast(told, latest, printing) ? 'older' : book.take(printing, latest);
    const own = { ...latest.prices, day: dayOf(observation.observedAt) };
    const days = reception === 'outdated' ? earlierDays : [...earlierDays, own];
    const all = touched.get(printing) ?? { printing, told: [] };
    all.told.push({ observation: latest, days });
    touched.set(printing, all);
  }
  return touched.values();
}

/** A observation with what its source told on the same day of what it does not tell now. */
function completed(
  observation: NewObservation,
  untold: readonly Part[] | undefined,
  { quotes }: PrintingState,
): NewObservation {
  if (!untold || untold.length === 0) return observation;
  const known = quotes.find((one) => isSameSeries(one, observation));
  const isSameDay = known && dayOf(known.observedAt) === dayOf(observation.observedAt);
  if (!isSameDay || known.currency !== observation.currency) return observation;
  const prices = { ...observation.prices };
  for (const part of untold) {
    if (part !== 'conditions' && part !== 'graded') prices[part] = known.prices[part];
  }
  const conditions = untold.includes('conditions') ? known.conditions : observation.conditions;
  const graded = untold.includes('graded') ? known.graded : observation.graded;
  return { ...observation, prices, conditions, graded };
}

/** Whether a source had told something newer of others when it did not list this printing. */
function isOnlyPast(
  { presentFrom }: CardObservation,
  observation: NewObservation,
  { quotes }: PrintingState,
): boolean {
  if (presentFrom === undefined || dayOf(observation.observedAt) >= presentFrom) return false;
  return !quotes.some((known) => isSameSeries(known, observation));
}

/** Serves what printings come to, and gives the days that are for the history. */
export function serveAll(
  book: PrintingBook,
  touched: Iterable<UpdatedPrinting>,
  rates: Rates,
): PrintingDay[] {
  const days: PrintingDay[] = [];
  for (const { printing, told } of touched) {
    const { id } = printing.row;
    const { figures, isNew } = book.serve(printing);
    for (const one of told) days.push(...recordedDays(id, one, figures, rates));
    const isOwn = told.some(
      ({ observation }) => figures && isSameSeries(observation, figures.observation),
    );
    if (figures && isNew && !isOwn) days.push(servedDay(id, figures));
  }
  return days;
}
