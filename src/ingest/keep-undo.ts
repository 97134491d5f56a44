import { dayOf } from '../domain/day.ts';
import { observationsOf, type StoredObservation } from '../store/catalogue/observations.ts';
import type { QuarantineRow } from '../store/catalogue/schema.ts';
import type { Store, Transaction } from '../store/connect.ts';
import { historyReader, type PrintingDay, type SourceDays } from '../store/history/index.ts';
import { type ApprovalUndo, insertApprovals } from '../store/quarantine/approvals.ts';
import { delistedPrintings, quarantinedObservation } from '../store/quarantine/contents.ts';
import type { ImportRun } from './run.ts';

/** Keeps what it takes to undo approvals: see `undo-approvals.ts`. */

type Before = Omit<ApprovalUndo, 'after'>;

/**
 * Reads the state to which entries of the quarantine could go back, before they are approved. One
 * whose printing is not known yet is left out: an approved printing stays known.
 */
export async function readBefore(
  store: Store,
  entries: readonly QuarantineRow[],
): Promise<Before[]> {
  const known = entries.filter((entry) => printingsOf(entry).length > 0);
  const observations = await observationsByPrinting(store, store.db, known);
  const read = historyReader(store);
  return Promise.all(
    known.map(async (entry) => ({
      entry,
      before: observationsFor(entry, observations),
      days: await recordedDays(read, entry),
    })),
  );
}

/** Keeps how to undo an approval, inside of the transaction that has written it. */
export async function keepUndo(
  { store, startedAt }: ImportRun,
  transaction: Transaction,
  states: readonly Before[],
): Promise<void> {
  const entries = states.map(({ entry }) => entry);
  const observations = await observationsByPrinting(store, transaction, entries);
  const undos = states.map((state) => {
    return { ...state, after: observationsFor(state.entry, observations) };
  });
  await insertApprovals(transaction, undos, startedAt);
}

/** Returns the row ids of the printings that an entry is about. */
export function printingsOf(entry: QuarantineRow): readonly number[] {
  const { rule, observation, printing_id } = entry;
  if (observation === null) return [];
  if (rule === 'mass-delisting') return delistedPrintings(entry);
  return printing_id === null ? [] : [printing_id];
}

/** Returns the days of its source that an entry is about. */
export function daysOf(entry: QuarantineRow): SourceDays {
  const { source, observed_at } = entry;
  const to = dayOf(observed_at ?? 0);
  const first = quarantinedObservation(entry)?.earlierDays?.[0]?.day ?? to;
  return { source, from: first < to ? first : to, to };
}

async function observationsByPrinting(
  store: Store,
  db: Transaction,
  entries: readonly QuarantineRow[],
): Promise<Map<number, StoredObservation[]>> {
  const printings = new Set(entries.flatMap(printingsOf));
  const observations = await observationsOf(store, db, [...printings]);
  return Map.groupBy(observations, ({ printingRowId }) => printingRowId);
}

function observationsFor(
  entry: QuarantineRow,
  byPrinting: ReadonlyMap<number, readonly StoredObservation[]>,
): StoredObservation[] {
  const { source, marketplace } = entry;
  const all = printingsOf(entry).flatMap((printing) => byPrinting.get(printing) ?? []);
  return all.filter((one) => {
    return one.source === source && (marketplace === null || one.marketplace === marketplace);
  });
}

/** Reads what the history has of an entry's source on the days that the entry is about. */
async function recordedDays(
  read: ReturnType<typeof historyReader>,
  entry: QuarantineRow,
): Promise<PrintingDay[]> {
  const { source, from, to } = daysOf(entry);
  const found = await Promise.all(
    printingsOf(entry).map(async (printing) => {
      const days = await read(printing, from, to);
      return days.flatMap(({ provenance, ...prices }) => {
        return provenance?.source === source ? [{ printing, prices, provenance }] : [];
      });
    }),
  );
  return found.flat();
}
