import type { Finding, ResolvedObservation } from '../../observation.ts';
import { ratio } from '../amounts.ts';
import type { BatchFinding } from '../limits.ts';
import { movesOf, seriesOfSet } from '../set-level.ts';
import { daysOfMove } from './price-moves.ts';
import { type ComparedPrinting, describeMove, distance, isConfirmed } from './printing-pairs.ts';

/** From this factor, two cards may have swapped their prices. */
const LEAST_MOVE = 1.3;
/** How far each price may be from the other card's old price, as a share of their distance. */
const REST_OF_WAY = 0.15;

/** The same if one of the two equals the other's old price to the cent, from a dollar. */
const LEAST_MOVE_IF_EXACT = 1.2;
const REST_IF_EXACT = 0.3;
const EXACT_FROM = 100;

/** A swap is over once one of the two has returned by this share of the distance. */
const REST_LATER = 0.5;

/** Over more days, prices naturally move to each other's old levels. */
const MOST_DAYS = 7;

/**
 * Catches two cards of a set that took each other's prices, unless another source confirms one of
 * them: two rows were swapped. Both moves may be too small to be jumps. Among 262,251 prices of
 * real days, two pairs moved like this naturally, and parted within three days. Of planted swaps at
 * 1.3 to 1.9 times, it finds 19 in 20.
 */
export function* exchangedPrices(batch: readonly ResolvedObservation[]): Generator<BatchFinding> {
  const moved = movesOf(batch.filter(hasMoved), 'market');
  const series = Map.groupBy(moved, ({ resolved }) => {
    return `${seriesOfSet(resolved)} ${resolved.printing}`;
  });
  for (const [, alike] of series) {
    const fallen = alike.filter(({ is, was }) => is < was);
    if (fallen.length === 0) continue;
    for (const up of alike.filter(({ is, was }) => is > was)) {
      for (const down of fallen) yield* findingsOf(up, down);
    }
  }
}

/** Only these few prices are grouped and compared. */
function hasMoved(resolved: ResolvedObservation): boolean {
  const [is, was] = [resolved.observation.prices.market, resolved.before?.prices.market];
  if (!is || !was || ratio(is, was) < LEAST_MOVE_IF_EXACT) return false;
  return daysOfMove(resolved, 'market') <= MOST_DAYS;
}

function* findingsOf(a: ComparedPrinting, b: ComparedPrinting): Generator<BatchFinding> {
  if (!areExchanged(a, b) || isConfirmed(a) || isConfirmed(b)) return;
  yield [a.resolved, describe(a, b)];
  yield [b.resolved, describe(b, a)];
}

function areExchanged(a: ComparedPrinting, b: ComparedPrinting): boolean {
  if (a.resolved.card === b.resolved.card) return false;
  const way = Math.min(distance(a.is, a.was), distance(b.is, b.was));
  const rest = Math.max(distance(a.is, b.was), distance(b.is, a.was)) / way;
  if (way >= Math.log(LEAST_MOVE) && rest <= REST_OF_WAY) return true;
  const isExact = a.is === b.was || b.is === a.was;
  if (isExact && Math.min(a.was, b.was) >= EXACT_FROM && rest <= REST_IF_EXACT) return true;
  return isExchangedAlready(a) && isExchangedAlready(b) && rest <= REST_LATER;
}

function isExchangedAlready({ resolved: { quarantined } }: ComparedPrinting): boolean {
  return quarantined?.rule === 'exchanged-prices';
}

function describe(own: ComparedPrinting, { resolved: other }: ComparedPrinting): Finding {
  const move = describeMove(own);
  const detail = `${move}, about the price of ${other.cardName}, which moved the other way.`;
  return { rule: 'exchanged-prices', detail };
}
