import type { Kysely } from 'kysely';
import { type Day, dayOf, startOfDay } from '../../domain/day.ts';
import type { SourceObservation } from '../../domain/observation.ts';
import { samePrices } from '../../domain/price.ts';
import { printingsOf } from '../../store/catalogue/catalogue.ts';
import type { Database } from '../../store/catalogue/schema.ts';
import type { Store } from '../../store/connect.ts';
import { lastDaysBefore } from '../../store/history/index.ts';
import type { ResolvedObservation } from '../observation.ts';

/**
 * Returns the batch with each observation of the past compared with the day before it in the
 * history, instead of with what its source reported later: a price of last month is not wrong
 * because it has doubled since. An archive's record of a day that is known is such an observation,
 * too: it is the last word on that day, and not a move since.
 */
export async function comparePast(
  store: Store,
  transaction: Kysely<Database>,
  batch: readonly ResolvedObservation[],
): Promise<readonly ResolvedObservation[]> {
  const past = batch.filter(isPast);
  if (past.length === 0) return batch;
  const rows = await printingsOf(store, transaction, [...new Set(past.map(({ card }) => card))]);
  const ids = new Map(rows.map(({ id, card_id, name }) => [`${card_id} ${name}`, id]));
  const idOf = ({ card, printing }: ResolvedObservation) => ids.get(`${card} ${printing}`);
  const days = new Map<number, Day>();
  for (const one of past) {
    const id = idOf(one);
    if (id !== undefined) days.set(id, dayOf(one.observation.observedAt));
  }
  const last = await lastDaysBefore(store, transaction, days);
  return batch.map((one) => (isPast(one) ? { ...one, before: asBefore(one) } : one));

  function asBefore(resolved: ResolvedObservation): SourceObservation | undefined {
    const { source, observation } = resolved;
    const known = last.get(idOf(resolved) ?? 0);
    // The history is in dollars.
    if (!known || observation.currency !== 'USD') return undefined;
    const { day, market, low, mid, high } = known;
    const { marketplace, currency } = observation;
    const prices = { market, low, mid, high };
    const amounts = { prices, conditions: {}, graded: {} };
    return { source, marketplace, currency, observedAt: startOfDay(day), ...amounts };
  }
}

function isPast({ before, observation: { observedAt, prices } }: ResolvedObservation): boolean {
  if (!before) return false;
  const [day, known] = [dayOf(observedAt), dayOf(before.observedAt)];
  const isRecord = observedAt === startOfDay(day) && before.observedAt > observedAt;
  return known > day || (known === day && isRecord && !samePrices(prices, before.prices));
}
