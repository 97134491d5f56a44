import { type Day, dayOf } from '../../domain/day.ts';
import type { SourceObservation } from '../../domain/observation.ts';
import { type DayPrices, samePrices } from '../../domain/price.ts';
import type { ResolvedObservation } from '../observation.ts';
import { haveSameAmounts } from './amounts.ts';
import { seriesOfSet } from './rules/set-moves.ts';

/**
 * Finds sets that a source has repeated to the cent, which is no new observation: it has failed to
 * read the marketplace anew. TCGCSV's archive repeats all prices of Magic on 24 January 2026; on any
 * other day 53 to 68 % of them stand still, and of 1,347 sets of 20 prices or more one did.
 */

/** Fewer prices than this stand still by chance. */
const FEWEST = 20;

/** The source of prices that somebody sets: they may stand still for as long as they like. */
const OWN_PRICES = 'quotes';

/** Returns the day that an observation repeats, for each one of a repeated set. */
export function findRepeats(
  batch: readonly ResolvedObservation[],
): ReadonlyMap<ResolvedObservation, Day> {
  const repeats = new Map<ResolvedObservation, Day>();
  const judged = batch.filter(({ source }) => source !== OWN_PRICES);
  for (const [, ofSet] of Map.groupBy(judged, seriesOfSet)) {
    const known = ofSet.filter((resolved) => lastReported(resolved) !== undefined);
    if (known.length < FEWEST || !known.every(isRepeat)) continue;
    for (const resolved of known) repeats.set(resolved, dayOf(resolved.observation.observedAt));
  }
  return repeats;
}

/** The days of an observation on which its source repeated its whole set. */
type RepeatedDays = ReadonlySet<Day>;

/**
 * Finds the earlier days, such as an archive's, on which a set was repeated: what they report is no
 * new observation, and the history marks them.
 */
export function findRepeatedDays(
  batch: readonly ResolvedObservation[],
): ReadonlyMap<ResolvedObservation, RepeatedDays> {
  const found = new Map<ResolvedObservation, RepeatedDays>();
  const judged = batch.filter(({ source, observation }) => {
    return source !== OWN_PRICES && observation.earlierDays?.length;
  });
  for (const [, ofSet] of Map.groupBy(judged, seriesOfSet)) {
    if (ofSet.length < FEWEST) continue;
    const days = repeatedDaysOf(ofSet);
    if (days.size === 0) continue;
    for (const resolved of ofSet) found.set(resolved, days);
  }
  return found;
}

/** Returns the days on which every printing of a set has the prices of its day before. */
function repeatedDaysOf(ofSet: readonly ResolvedObservation[]): RepeatedDays {
  const counts = new Map<Day, number>();
  const moved = new Set<Day>();
  for (const { observation } of ofSet) countRepeats(observation.earlierDays ?? [], counts, moved);
  const days = [...counts].flatMap(([day, count]) => (count >= FEWEST ? [day] : []));
  return new Set(days.filter((day) => !moved.has(day)));
}

/**
 * Counts the days of a printing that have the prices of the day before, and notes the others. It
 * makes no object for a day, for a feed has millions. Of days that do not ascend nothing is said.
 */
function countRepeats(days: readonly DayPrices[], counts: Map<Day, number>, moved: Set<Day>): void {
  let last: DayPrices | undefined;
  for (const prices of days) {
    const { day } = prices;
    const isSame = last && last.day < day && samePrices(last, prices);
    if (isSame) counts.set(day, (counts.get(day) ?? 0) + 1);
    else if (last) moved.add(day);
    last = prices;
  }
}

/** Returns what the source reported last of a printing, be it accepted or in quarantine. */
export function lastReported({
  before,
  quarantined,
}: ResolvedObservation): Omit<SourceObservation, 'source' | 'marketplace'> | undefined {
  const isNewer = !quarantined || (before && before.observedAt > quarantined.observedAt);
  return isNewer ? before : quarantined;
}

function isRepeat(resolved: ResolvedObservation): boolean {
  const last = lastReported(resolved);
  const { observation } = resolved;
  if (!last || dayOf(last.observedAt) >= dayOf(observation.observedAt)) return false;
  return last.currency === observation.currency && haveSameAmounts(last, observation);
}
