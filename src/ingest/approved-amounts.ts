import { dayOf } from '../domain/day.ts';
import { type Amounts, NO_AMOUNTS, type Observation } from '../domain/observation.ts';
import type { DayPrices } from '../domain/price.ts';
import { observationsOf, type StoredObservation } from '../store/catalogue/observations.ts';
import type { QuarantineRow } from '../store/catalogue/schema.ts';
import type { Transaction } from '../store/connect.ts';
import type { QuarantinedObservation } from '../store/quarantine/contents.ts';
import type { ImportRun } from './run.ts';

/** Joins the amounts that the operator approves with those that validation has accepted. */

type Approved = Omit<Observation, 'printing'>;

/** Reads what is accepted of the same sources and printings as some rows of the quarantine. */
export async function readAccepted(
  { store }: ImportRun,
  transaction: Transaction,
  rows: readonly QuarantineRow[],
): Promise<AcceptedAmounts> {
  const printings = new Set(rows.flatMap(({ printing_id }) => printing_id ?? []));
  return new AcceptedAmounts(await observationsOf(store, transaction, [...printings]));
}

/** What is accepted of some printings, with what is approved of them one by one. */
export class AcceptedAmounts {
  readonly #known: Map<string, Approved>;

  constructor(observations: readonly StoredObservation[]) {
    this.#known = new Map(
      observations.map((one) => [keyOf(one.printingRowId, one.source, one.marketplace), one]),
    );
  }

  /**
   * Returns the observation that is right once a quarantined one is approved. Where only some of
   * its amounts were quarantined, the others are those that were accepted of the same day.
   */
  approve(row: QuarantineRow, quarantined: QuarantinedObservation): Approved {
    const { amounts } = quarantined;
    const reported = reportedIn(quarantined);
    if (amounts === undefined) return reported;
    const printing = row.printing_id ?? `${row.card_id} ${row.printing}`;
    const key = keyOf(printing, row.source, reported.marketplace);
    const known = this.#known.get(key);
    const [day, knownDay] = [dayOf(reported.observedAt), known && dayOf(known.observedAt)];
    // A newer one stays served: all that was reported of the day goes into the history.
    if (known && knownDay !== undefined && knownDay > day) return reported;
    const isSameDay = known && knownDay === day && known.currency === reported.currency;
    const approved = {
      ...reported,
      observedAt: isSameDay ? Math.max(known.observedAt, reported.observedAt) : reported.observedAt,
      ...overlay(isSameDay ? known : NO_AMOUNTS, reported, amounts),
    };
    this.#known.set(key, approved);
    return approved;
  }
}

/** What a source reported, with the days before on which it was quarantined, too. */
function reportedIn(quarantined: QuarantinedObservation): Approved {
  const { marketplace, currency, observedAt, prices, conditions, graded } = quarantined;
  const isBefore = ({ day }: DayPrices) => day < dayOf(observedAt);
  const earlierDays = quarantined.earlierDays?.filter(isBefore) ?? [];
  return { marketplace, currency, observedAt, prices, conditions, graded, earlierDays };
}

/** Returns the amounts of `base` with those of these names taken from `other`. */
function overlay(base: Amounts, other: Amounts, names: readonly string[]): Amounts {
  const pick = <Part extends object>(from: Part, into: Part): Part => {
    const picked = Object.entries(from).filter(([name]) => names.includes(name));
    return { ...into, ...Object.fromEntries(picked) };
  };
  return {
    prices: pick(other.prices, base.prices),
    conditions: pick(other.conditions, base.conditions),
    graded: pick(other.graded, base.graded),
  };
}

function keyOf(printing: number | string, source: string, marketplace: string): string {
  return `${printing} ${source} ${marketplace}`;
}
