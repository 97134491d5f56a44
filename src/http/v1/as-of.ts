import { Type } from 'typebox';
import type { Card } from '../../domain/card.ts';
import { type Day, dayOf, formatDay, formatExactMoment, type Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import { cardAsOf } from '../../domain/past-prices.ts';
import type { Feature } from '../../domain/plans.ts';
import { invalidParameter } from '../errors.ts';
import { dayIn, momentIn } from '../parameters.ts';
import type { PlanHistory, Resources } from './endpoint.ts';

/**
 * Answers with the prices of an earlier day, optionally as they were known at an earlier moment.
 */

export const PastParameters = {
  asOf: Type.Optional(
    Type.String({
      description: 'Prices of this day (UTC), from the history. Requires the Trader plan or above.',
      minLength: 1,
      maxLength: 100,
      examples: ['2026-01-28'],
    }),
  ),
  knownAt: Type.Optional(
    Type.String({
      description:
        'What the service knew at this moment, before later corrections; alone, on that day. ' +
        'Requires the Trader plan or above.',
      minLength: 1,
      maxLength: 100,
      examples: ['2026-01-28T20:05:12Z'],
    }),
  ),
};

/** The feature that the parameters require. */
export const PAST_FEATURES: Readonly<Record<string, Feature>> = {
  asOf: 'history',
  knownAt: 'history',
};

/** A request that may contain a day and a moment. */
export interface PastQuery {
  readonly asOf?: string | undefined;
  readonly knownAt?: string | undefined;
}

/** The past that a request asks for. */
export interface Past {
  /** The requested day. */
  readonly asOf: Day | undefined;
  /** The day of its prices: `asOf`, or the day of the moment; undefined for current prices. */
  readonly day: Day | undefined;
  /** The publication at the requested moment. */
  readonly revision: number | undefined;
}

const PRESENT: Past = { asOf: undefined, day: undefined, revision: undefined };

/**
 * Returns the past that a request asks for. A moment in the future counts as now. The caller's
 * history is then read as of the publication at that moment.
 *
 * @throws ApiError INVALID_PARAMETER for a text that is not a day or a moment, for a day after
 *   today or after the moment, and for a moment from before the records.
 */
export async function askedPast(
  { knownPublications, clock }: Resources,
  history: PlanHistory,
  { asOf: dayText, knownAt: momentText }: PastQuery,
): Promise<Past> {
  if (dayText === undefined && momentText === undefined) return PRESENT;
  const now = clock();
  const at = momentText === undefined ? undefined : Math.min(momentIn('knownAt', momentText), now);
  const asOf = dayText === undefined ? undefined : dayIn('asOf', dayText);
  requireNotAfter(asOf, at ?? now, at !== undefined);
  if (at === undefined) return { asOf, day: asOf, revision: undefined };
  const revision = await knownPublications.at(at);
  if (revision === undefined) throw beforeRecords(await knownPublications.since());
  history.readAsOf(revision);
  return { asOf, day: asOf ?? dayOf(at), revision };
}

/** @throws ApiError INVALID_PARAMETER */
function requireNotAfter(asOf: Day | undefined, moment: Millis, isKnownAt: boolean): void {
  if (asOf === undefined || asOf <= dayOf(moment)) return;
  const [day, last] = [formatDay(asOf), formatDay(dayOf(moment))];
  const today = `${day} is in the future; today is ${last} (UTC).`;
  throw invalidParameter('asOf', isKnownAt ? `${day} is after knownAt, on ${last} (UTC).` : today);
}

function beforeRecords(since: Millis | null) {
  const first = since === null ? 'the next publication' : formatExactMoment(since);
  return invalidParameter('knownAt', `The records of what was served begin with ${first}.`);
}

/**
 * Returns the newest day with figures of a game in an answer: of now, or of the publication that
 * the request names; null without any.
 * @param current The current newest day.
 */
export async function newestDay(
  { knownPublications }: Resources,
  { revision }: Past,
  game: GameSlug,
  current: Day | null,
): Promise<Day | null> {
  return revision === undefined ? current : knownPublications.newestDay(game, revision);
}

/** Cards, and the day (UTC) of their prices. */
interface DatedCards {
  readonly cards: readonly Card[];
  readonly day: Day;
}

/**
 * Returns cards with the prices of the past that a request asks for, by default the current prices
 * as of today.
 *
 * @throws ApiError INVALID_PARAMETER, or PLAN_RESTRICTION if the plan does not include the day.
 */
export async function datedCards(
  resources: Resources,
  history: PlanHistory,
  query: PastQuery,
  cards: readonly Card[],
): Promise<DatedCards> {
  const { catalog, clock } = resources;
  const today = dayOf(clock());
  const { day } = await askedPast(resources, history, query);
  if (day === undefined) return { cards, day: today };
  const printings = cards.flatMap(({ set, printings }) => {
    const newest = catalog.asOf(set.game) ?? today;
    return printings.map(({ rowId }) => ({ printing: rowId, newest }));
  });
  const past = await history.pricesOn(day, printings);
  return { cards: cards.map((card) => cardAsOf(card, day, past)), day };
}
