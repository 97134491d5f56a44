import { Type } from 'typebox';
import type { Card } from '../../domain/card.ts';
import { type Day, dayOf, formatDay } from '../../domain/day.ts';
import { cardAsOf } from '../../domain/past-prices.ts';
import type { Feature } from '../../domain/plans.ts';
import { invalidParameter } from '../errors.ts';
import { dayIn } from '../parameters.ts';
import type { PlanHistory, Resources } from './endpoint.ts';

/** Answers with the prices of an earlier day. */

export const AsOfParameter = Type.Optional(
  Type.String({
    description: 'Prices of this day (UTC), from the history. Requires the Trader plan or above.',
    minLength: 1,
    maxLength: 100,
    examples: ['2026-01-28'],
  }),
);

/** The feature that the parameter needs. */
export const AS_OF_FEATURES: Readonly<Record<string, Feature>> = { asOf: 'history' };

/** A request that may name a day. */
export interface AsOfQuery {
  readonly asOf?: string | undefined;
}

/**
 * Returns the day that a request asks for, if it does.
 *
 * @throws ApiError INVALID_PARAMETER for a text that is not a day, and for a day after `today`.
 */
export function askedDay({ asOf }: AsOfQuery, today: Day): Day | undefined {
  if (asOf === undefined) return undefined;
  const day = dayIn('asOf', asOf);
  if (day > today) {
    throw invalidParameter('asOf', `${asOf} is in the future; today is ${formatDay(today)} (UTC).`);
  }
  return day;
}

/** Cards, and the day (UTC) of their prices. */
interface DatedCards {
  readonly cards: readonly Card[];
  readonly day: Day;
}

/**
 * Returns cards with the prices of the day that a request asks for, by default the current prices
 * as of today.
 *
 * @throws ApiError INVALID_PARAMETER, or PLAN_RESTRICTION when the plan does not include the day.
 */
export async function datedCards(
  { catalog, clock }: Resources,
  history: PlanHistory,
  query: AsOfQuery,
  cards: readonly Card[],
): Promise<DatedCards> {
  const today = dayOf(clock());
  const day = askedDay(query, today);
  if (day === undefined) return { cards, day: today };
  const printings = cards.flatMap(({ set, printings }) => {
    const newest = catalog.asOf(set.game) ?? today;
    return printings.map(({ rowId }) => ({ printing: rowId, newest }));
  });
  const past = await history.pricesOn(day, printings);
  return { cards: cards.map((card) => cardAsOf(card, day, past)), day };
}
