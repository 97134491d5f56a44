import { formatMoment, MS_PER_DAY } from '../../../domain/day.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';
import type { ValidationContext } from '../finding.ts';

/** A day, for clocks differ, and a source that names only the day may have begun it earlier. */
const MOST_AHEAD_MS = MS_PER_DAY;

/** The month of the first trading card game. */
const FIRST_MOMENT = Date.UTC(1993, 7);

/**
 * Catches prices that were observed in the future or before there were trading cards. Seconds that
 * were read as milliseconds are moments of January 1970.
 */
export function absurdDate(
  { cardName, printing, observation: { observedAt } }: ResolvedObservation,
  { now }: ValidationContext,
): Finding | undefined {
  if (observedAt >= FIRST_MOMENT && observedAt <= now + MOST_AHEAD_MS) return undefined;
  const isMoment = !Number.isNaN(new Date(observedAt).getTime());
  const when = isMoment ? formatMoment(observedAt) : 'no moment';
  const detail = `The price of ${cardName} (${printing}) cannot have been observed at ${when}.`;
  return { rule: 'absurd-date', detail };
}
