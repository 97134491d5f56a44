import type { Cents } from '../../domain/money.ts';
import type { ResolvedObservation } from '../observation.ts';

/**
 * Evidence that a price has really moved. A mistake in a row moves its amounts on one day, so
 * listings count only for moves on other days: sellers ask more before and after buyers pay more.
 */

/** The share of the price's move, as a logarithm, that a listing must have made on other days. */
const PART_OF_WAY = 0.3;

/**
 * Whether a listing moved along with the market price, most of the way on other days.
 *
 * @param from The market price before the jump, in cents.
 */
export function haveListingsFollowed(resolved: ResolvedObservation, from: Cents): boolean {
  const { observation, level } = resolved;
  const { market } = observation.prices;
  if (market === null || !level) return false;
  const way = Math.log(market / from);
  return (['low', 'mid'] as const).some((name) => {
    const [start, is] = [level[name], observation.prices[name]];
    if (!start || !is) return false;
    const whole = Math.log(is / start) / way;
    return whole - stepOfJump(resolved, name) / way >= PART_OF_WAY;
  });
}

/** Returns how far a listing moved, as a logarithm, on the day of the price's jump. */
function stepOfJump(
  { before, quarantined, observation }: ResolvedObservation,
  name: 'low' | 'mid',
): number {
  const was = before?.prices[name];
  const first = quarantined?.earlierDays?.[0]?.[name] ?? observation.prices[name];
  return was && first ? Math.log(first / was) : Number.POSITIVE_INFINITY;
}
