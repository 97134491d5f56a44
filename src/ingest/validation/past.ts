import { addDays, type Day, dayOf, startOfDay } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { SourceObservation } from '../../domain/observation.ts';
import { type DayPrices, FIGURES, samePrices } from '../../domain/price.ts';
import { isMassRule } from '../../domain/quarantined.ts';
import { printingsOf } from '../../store/catalogue/catalogue.ts';
import type { Store, Transaction } from '../../store/connect.ts';
import { lastDaysBefore } from '../../store/history/index.ts';
import type { QuarantinedBefore, ResolvedObservation } from '../observation.ts';
import { haveSameAmounts } from './amounts.ts';
import { seriesOfSet } from './set-level.ts';

/** A batch whose observations of past days are compared with the state on those days. */
export interface ComparedBatch {
  readonly batch: readonly ResolvedObservation[];
  /** Observations that the history already contains for their day. */
  readonly recorded: ReadonlySet<ResolvedObservation>;
}

/**
 * Returns the batch with each observation of the past compared with the day before it in the
 * history, instead of with its source's later reports: last month's price is not wrong because it
 * has doubled since. An archive's record of a known day is also such an observation: it is the
 * final word on that day, not a later move. If it repeats the known prices of its day, it adds
 * nothing new.
 */
export async function comparePast(
  store: Store,
  transaction: Transaction,
  batch: readonly ResolvedObservation[],
): Promise<ComparedBatch> {
  const recorded = new Set<ResolvedObservation>();
  const past = batch.filter(isPast);
  if (past.length === 0) return { batch, recorded };
  const printings = await printingsOf(store, transaction, [
    ...new Set(past.map(({ card }) => card)),
  ]);
  const ids = new Map(
    printings.map(({ rowId, cardRowId, name }) => [`${cardRowId} ${name}`, rowId]),
  );
  const idOf = ({ card, printing }: ResolvedObservation) => ids.get(`${card} ${printing}`) ?? 0;
  const days = new Map(past.map((one) => [idOf(one), dayOf(one.observation.observedAt)]));
  const until = new Map([...days].map(([id, day]) => [id, addDays(day, 1)]));
  const [before, newest] = [
    await lastDaysBefore(store, transaction, days),
    await lastDaysBefore(store, transaction, until),
  ];
  const compared = batch.map((one) => {
    if (!isPast(one)) return one;
    const resolved = { ...one, before: beforeOf(one, before.get(idOf(one))) };
    if (isRecorded(one, newest.get(idOf(one)))) recorded.add(resolved);
    return resolved;
  });
  return { batch: compared, recorded };
}

function beforeOf(
  { source, observation }: ResolvedObservation,
  known: DayPrices | undefined,
): SourceObservation | undefined {
  // The history is in dollars.
  if (!known || observation.currency !== 'USD') return undefined;
  const { day, market, low, mid, high } = known;
  const { marketplace, currency } = observation;
  const prices = { market, low, mid, high };
  const amounts = { prices, conditions: {}, graded: {} };
  return { source, marketplace, currency, observedAt: startOfDay(day), ...amounts };
}

/** Whether the history has the figures of an observation's day, not counting quarantined ones. */
function isRecorded({ observation }: ResolvedObservation, known: DayPrices | undefined): boolean {
  const { prices, observedAt, currency } = observation;
  if (known?.day !== dayOf(observedAt) || currency !== 'USD') return false;
  const isSame = FIGURES.every((name) => known[name] === null || known[name] === prices[name]);
  return isSame && known.market === prices.market;
}

function isPast({ before, observation: { observedAt, prices } }: ResolvedObservation): boolean {
  if (!before) return false;
  const [day, known] = [dayOf(observedAt), dayOf(before.observedAt)];
  const isRecord = observedAt === startOfDay(day) && before.observedAt > observedAt;
  return known > day || (known === day && isRecord && !samePrices(prices, before.prices));
}

/*
 * Finds sets whose prices a source has repeated to the cent. These are not new observations: the
 * source failed to read the marketplace again. TCGCSV's archive repeats all prices of Magic on 24
 * January 2026; on any other day 53 to 68 % of them stand still, and so did one whole set of 1,347
 * with 20 prices or more.
 */

/** Fewer prices than this can stand still by chance. */
const FEWEST = 20;

/** The source of prices that operators set themselves, which may stand still indefinitely. */
export const OWN_PRICES = 'quotes';

/** Returns the repeated day for each observation of a repeated set. */
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
 * Finds the earlier days, such as an archive's, on which a set was repeated. They are not new
 * observations, and the history marks them.
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

/** Returns the days on which every printing of a set has its prices of the previous day. */
function repeatedDaysOf(ofSet: readonly ResolvedObservation[]): RepeatedDays {
  const counts = new Map<Day, number>();
  const moved = new Set<Day>();
  for (const { observation } of ofSet) countRepeats(observation.earlierDays ?? [], counts, moved);
  const days = [...counts].flatMap(([day, count]) => (count >= FEWEST ? [day] : []));
  return new Set(days.filter((day) => !moved.has(day)));
}

/**
 * Counts the days of a printing that repeat the prices of the previous day, and notes the others.
 * Creates no object per day, because a feed has millions of days. Does not judge days out of order.
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

/** Returns the source's last report of a printing, whether accepted or in quarantine. */
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

/**
 * Returns the quarantined days that the newly accepted price confirms, which belong in the history.
 * A price that has returned confirms none of the days on which it was away. The same holds for a
 * set or a source that returned as a whole.
 */
export function confirmedDays(
  quarantined: QuarantinedBefore | undefined,
  before: SourceObservation | undefined,
  { observation }: Pick<ResolvedObservation, 'observation'>,
): DayPrices[] {
  if (!quarantined || quarantined.isRejected || isMassRule(quarantined.rule)) return [];
  const today = dayOf(observation.observedAt);
  const was = { ...before?.prices, ...quarantined.was };
  const past = quarantined.earlierDays?.filter(({ day }) => day < today) ?? [];
  return past.filter((day) => {
    return FIGURES.every((name) => isOnTheWay(day[name], was[name], observation.prices[name]));
  });
}

/** How far off an amount without a past may be, as a logarithm. */
const NEAR = Math.log(1.5);

/**
 * Whether an amount lies between two others, or is closer to the second than half of their
 * distance.
 */
function isOnTheWay(
  amount: Cents | null,
  from: Cents | null | undefined,
  to: Cents | null,
): boolean {
  if (amount === null || to === null || amount === from) return true;
  const rest = Math.abs(Math.log(amount / to));
  if (!from) return rest <= NEAR;
  const isBetween = amount >= Math.min(from, to) && amount <= Math.max(from, to);
  return isBetween || rest <= Math.abs(Math.log(from / to)) / 2;
}
