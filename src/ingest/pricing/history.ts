import type { Kysely } from 'kysely';
import { outranks } from '../../domain/choose.ts';
import { type Day, dayOf, type Millis, startOfDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { dollarPrices } from '../../domain/merge.ts';
import type { SourceObservation } from '../../domain/observation.ts';
import { type DayPrices, hasPrice, type Provenance } from '../../domain/price.ts';
import { type Rates, rateFor } from '../../domain/rates.ts';
import type { Database } from '../../store/catalogue/schema.ts';
import type { Store } from '../../store/connect.ts';
import { DamagedHistory, type PrintingDay, recordHistory } from '../../store/history/index.ts';
import { isSameSeries, type ServedFigures } from './printings.ts';

/** The history of a printing: of each day what is served, or would have been. */

/** The days that one source reports of a printing. */
export interface ReportedDays {
  /** Whose they are. */
  readonly observation: SourceObservation;
  readonly days: readonly DayPrices[];
  /** Those of the days on which the source only repeated all that it had published the day before. */
  readonly repeated?: ReadonlySet<Day> | undefined;
}

/**
 * The days of a source that go into the history, in US cents. Those of a source that ranks at least
 * as high as the one that is served replace what is known of a day. Those of another source of the
 * same marketplace only fill days that are not known.
 */
export function recordedDays(
  printing: number,
  { observation, days, repeated }: ReportedDays,
  served: ServedFigures,
  rates: Rates,
): PrintingDay[] {
  const { currency, marketplace } = observation;
  const replaces =
    !served ||
    isSameSeries(observation, served.observation) ||
    outranks(observation, served.observation);
  const isAlike =
    marketplace === served?.observation.marketplace && currency === served.observation.currency;
  if (!replaces && !isAlike) return [];
  const end = replaces ? Number.POSITIVE_INFINITY : dayOf(served.observation.observedAt);
  const observed = provenanceOf(observation);
  const seenBefore = { ...observed, repeated: true };
  return days.flatMap((prices) => {
    const rate = rateFor(rates, currency, startOfDay(prices.day));
    if (rate === undefined || prices.day >= end || !hasPrice(prices)) return [];
    const inDollars = rate ? { day: prices.day, ...dollarPrices(prices, rate) } : prices;
    const provenance = repeated?.has(prices.day) ? seenBefore : observed;
    return [{ printing, prices: inDollars, provenance, fills: !replaces }];
  });
}

function provenanceOf({ source, marketplace }: SourceObservation): Provenance {
  return { source, marketplace, repeated: false };
}

/** The day of what is served, for a history that does not have it. */
export function servedDay(
  printing: number,
  { observation, rate }: NonNullable<ServedFigures>,
): PrintingDay {
  const prices = { day: dayOf(observation.observedAt), ...dollarPrices(observation.prices, rate) };
  return { printing, prices, provenance: provenanceOf(observation), fills: true };
}

/** What recording days did. */
export interface RecordedDays {
  /** Days that are new, and days that got other prices. */
  readonly historyAdded: number;
  readonly historyCorrected: number;
  /** Damaged histories: they did not get the new days. */
  readonly damaged: readonly DamagedHistory[];
}

/** More damaged printings than this in one batch mean more than a flipped bit here and there. */
const MAX_DAMAGED = 20;

/**
 * Records days in the history. It leaves out those of printings whose history is damaged: a
 * flipped bit must not keep all other prices from coming in.
 *
 * @throws OperatorError when the history is damaged in many places.
 */
export async function recordDays(
  store: Store,
  transaction: Kysely<Database>,
  days: readonly PrintingDay[],
  at: Millis,
): Promise<RecordedDays> {
  const damaged = new Map<number, DamagedHistory>();
  for (;;) {
    try {
      const sound = days.filter(({ printing }) => !damaged.has(printing));
      // All blocks are decoded before the first is written: a throw has changed nothing.
      const { added, corrected } = await recordHistory(store, transaction, sound, at);
      return { historyAdded: added, historyCorrected: corrected, damaged: [...damaged.values()] };
    } catch (error) {
      if (!(error instanceof DamagedHistory)) throw error;
      damaged.set(error.printing, error);
      if (damaged.size > MAX_DAMAGED) {
        const message = `${error.message} So is that of many others: restore a backup.`;
        throw new OperatorError(message, { cause: error });
      }
    }
  }
}
