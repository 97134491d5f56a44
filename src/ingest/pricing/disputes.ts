import type { Dispute } from '../../domain/confidence.ts';
import { addDays, dayOf, startOfDay } from '../../domain/day.ts';
import { mergeObservations } from '../../domain/merge.ts';
import { findValidationRule, isAboutValue, isMassRule } from '../../domain/quarantined.ts';
import { inDollars, type Rates, rateFor } from '../../domain/rates.ts';
import type { Transaction } from '../../store/connect.ts';
import type { QuarantineEntry } from '../../store/quarantine/entries.ts';
import { readQuarantined } from '../../store/quarantine/quarantine.ts';
import { isSameSeries, type KnownPrintings, type PrintingState } from './printings.ts';

/**
 * Notes for all printings which quarantined reports sources have about them, inside `transaction`.
 * Call it after the quarantine is written.
 */
export async function updateDisputes(
  transaction: Transaction,
  printings: KnownPrintings,
): Promise<void> {
  const cards = new Set(printings.all().map(({ stored }) => stored.cardRowId));
  const entries = await readQuarantined(transaction, [...cards]);
  const byPrinting = Map.groupBy(entries.filter(isOpen), keyOf);
  for (const printing of printings.all()) {
    const { cardRowId, name } = printing.stored;
    const own = byPrinting.get(keyOf({ cardRowId, printing: name })) ?? [];
    printings.setDispute(printing, disputeOf(printing, own, printings.rates));
  }
}

function keyOf({ cardRowId, printing }: Pick<QuarantineEntry, 'cardRowId' | 'printing'>): string {
  return `${cardRowId} ${printing}`;
}

/**
 * Whether an entry is a source's current report of a price, and undecided. A closed entry is still
 * its source's report.
 */
function isOpen({ decision, rule, observation }: QuarantineEntry): boolean {
  const known = findValidationRule(rule);
  const isAboutPrice = known === undefined || isAboutValue(known);
  const isOpen = decision === null || decision === 'closed';
  return isOpen && isAboutPrice && observation !== null && observation.days > 0;
}

/** How many days before the served figures a report may be observed to dispute them. */
const OLDEST_DAYS = 30;

/**
 * Returns the dispute by the served source. Otherwise, if no other marketplace agrees with the
 * served price, returns the longest-waiting dispute: a wrong file from one source must not cast
 * doubt on prices that others confirm.
 */
function disputeOf(
  { stored, observations }: PrintingState,
  entries: readonly QuarantineEntry[],
  rates: Rates,
): Dispute | undefined {
  if (entries.length === 0) return undefined;
  const served = mergeObservations(observations, rates).figures.choice?.observation;
  const isServed = ({ source, marketplace }: QuarantineEntry) => {
    return served && marketplace !== null && isSameSeries(served, { source, marketplace });
  };
  const isConfirmed = (stored.confidence?.sources ?? 0) > 1;
  const others = isConfirmed ? [] : entries.filter(({ rule }) => !isOfMass(rule));
  const oldest = startOfDay(addDays(dayOf(stored.prices.figuresAt ?? 0), -OLDEST_DAYS));
  const isRecent = ({ observedAt }: QuarantineEntry) => (observedAt ?? 0) >= oldest;
  for (const entry of [...entries.filter(isServed), ...others.toSorted((a, b) => a.id - b.id)]) {
    const dispute = isRecent(entry) ? disputeBy(entry, rates) : undefined;
    if (dispute) return dispute;
  }
  return undefined;
}

function isOfMass(rule: string): boolean {
  return isMassRule(findValidationRule(rule));
}

/**
 * Undefined for an entry about something other than the price of the printing, such as a listing.
 */
function disputeBy({ rule, observation }: QuarantineEntry, rates: Rates): Dispute | undefined {
  if (observation === null) return undefined;
  const { prices, amounts, currency, observedAt, earlierDays } = observation;
  const isHeld = amounts === undefined || amounts.includes('market');
  const reported = prices.market ?? prices.mid ?? prices.low;
  const rate = rateFor(rates, currency, observedAt);
  if (!isHeld || reported === null || rate === undefined) return undefined;
  const inCents = inDollars(reported, rate);
  const since = earlierDays?.[0]?.day ?? dayOf(observedAt);
  return inCents === null ? undefined : { reported: inCents, since, rule };
}
