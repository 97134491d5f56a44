import { dayOf, type Millis } from '../../domain/day.ts';
import { addCounts } from '../../lib/counts.ts';
import { observationsOf, type StoredObservation } from '../../store/catalogue/observations.ts';
import type { Store, Transaction } from '../../store/connect.ts';
import {
  historyReader,
  type PrintingDay,
  type SourceDays,
  seriesOf,
} from '../../store/history/index.ts';
import {
  type Approval,
  type ApprovalUndo,
  approvalPages,
  deleteApprovals,
  insertApprovals,
} from '../../store/quarantine/decisions.ts';
import type { QuarantineEntry } from '../../store/quarantine/entries.ts';
import { readQuarantined, updateQuarantined } from '../../store/quarantine/quarantine.ts';
import { openRun } from '../import.ts';
import { withLock } from '../lock.ts';
import type { ImportRun } from '../run.ts';
import { refreshDisputes, takeBackRejections } from './refresh-disputes.ts';
import { undoRenames } from './rename.ts';
import { type Reverted, reverse } from './reversal.ts';

/** Undoes decisions on quarantined prices, and keeps the data for that (docs/adr/0030). */

/** The outcome of undoing a decision. */
export interface Undone {
  /** Entries that wait for a decision again. */
  readonly undone: number;
  /** Printings whose served prices changed. */
  readonly pricesChanged: number;
  /** Entries that stay approved, because their source has reported them again. */
  readonly kept: number;
}

/**
 * Undoes the decision made at a moment. An approval is undone in one publication: the earlier
 * reports of the sources return to the served prices and the history, and the entries wait for a
 * decision again. An entry stays approved if its source has reported it since, because that report
 * was judged by the approved price.
 *
 * @throws OperatorError if it was an approval and an import is running.
 */
export async function undoDecision(
  store: Store,
  decidedAt: Millis,
  clock: () => Millis,
): Promise<Undone> {
  const done: Undone = { undone: 0, pricesChanged: 0, kept: 0 };
  const { value: isApproval } = await approvalPages(store.db, decidedAt).next();
  if (isApproval) addCounts(done, await undoApprovals(store, decidedAt, clock));
  addCounts(done, { undone: await takeBackRejections(store, { decidedAt }, clock) });
  return done;
}

function undoApprovals(store: Store, decidedAt: Millis, clock: () => Millis): Promise<Undone> {
  return withLock(store, clock, async (lock) => {
    const run = await openRun(store, lock, clock(), { limits: null });
    const done: Undone = { undone: 0, pricesChanged: 0, kept: 0 };
    for await (const page of approvalPages(store.db, decidedAt)) {
      const undone = await store.db
        .transaction()
        .execute((transaction) => undoSome(run, transaction, page));
      addCounts(done, undone);
      await lock.renew();
    }
    await run.publication.finish(clock());
    return done;
  });
}

async function undoSome(
  run: ImportRun,
  transaction: Transaction,
  approvals: readonly Approval[],
): Promise<Undone> {
  const { store } = run;
  const known = await observationsAbout(store, transaction, approvals);
  const latest = await latestOf(transaction, approvals, known);
  const undone: Approval[] = [];
  let pricesChanged = 0;
  for (const alike of Map.groupBy(latest, alikeKey).values()) {
    const reverted = await revertAlike(run, transaction, alike);
    undone.push(...reverted.approvals);
    pricesChanged += reverted.pricesChanged;
  }
  const entries = undone.map(({ entry }) => entry);
  await undoRenames(run, transaction, entries);
  await updateQuarantined(store, transaction, entries);
  const cards = entries.flatMap(({ cardRowId }) => cardRowId ?? []);
  await refreshDisputes(run, transaction, cards);
  const ids = approvals.map(({ id }) => id);
  await deleteApprovals(transaction, ids);
  return { undone: undone.length, pricesChanged, kept: approvals.length - undone.length };
}

function observationsAbout(
  store: Store,
  transaction: Transaction,
  approvals: readonly Approval[],
): Promise<StoredObservation[]> {
  const printings = new Set(approvals.flatMap(({ entry }) => printingsOf(entry)));
  return observationsOf(store, transaction, [...printings]);
}

/** Returns the approvals whose sources have not reported since. */
async function latestOf(
  transaction: Transaction,
  approvals: readonly Approval[],
  known: readonly StoredObservation[],
): Promise<Approval[]> {
  const cards = approvals.flatMap(({ entry }) => entry.cardRowId ?? []);
  const entries = await readQuarantined(transaction, [...new Set(cards)]);
  const newest = new Map<string, Millis>();
  for (const { printingRowId, source, quarantinedAt } of entries) {
    const key = `${printingRowId} ${source}`;
    newest.set(key, Math.max(quarantinedAt, newest.get(key) ?? 0));
  }
  const byPrinting = Map.groupBy(known, ({ printingRowId }) => printingRowId);
  return approvals.filter(({ entry, after, decidedAt }) => {
    const quarantinedAt = newest.get(`${entry.printingRowId} ${entry.source}`) ?? 0;
    return quarantinedAt <= decidedAt && after.every((one) => isKnown(one, byPrinting));
  });
}

function isKnown(
  after: StoredObservation,
  byPrinting: ReadonlyMap<number, readonly StoredObservation[]>,
): boolean {
  const known = byPrinting
    .get(after.printingRowId)
    ?.find((one) => reportKey(one) === reportKey(after));
  return JSON.stringify(known) === JSON.stringify(after);
}

function reportKey({ printingRowId, source, marketplace }: StoredObservation): string {
  return `${printingRowId} ${source} ${marketplace}`;
}

/** The key of approvals of one source and the same days, which are reversed together. */
function alikeKey({ entry }: Approval): string {
  const { source, from, to } = daysOf(entry);
  return `${source} ${from} ${to}`;
}

async function revertAlike(
  run: ImportRun,
  transaction: Transaction,
  alike: readonly Approval[],
): Promise<{ readonly approvals: readonly Approval[]; readonly pricesChanged: number }> {
  const [first] = alike;
  if (!first) return { approvals: [], pricesChanged: 0 };
  const known = await observationsAbout(run.store, transaction, alike);
  let approvals: readonly Approval[] = [];
  const { pricesChanged } = await reverse(run, transaction, {
    days: daysOf(first.entry),
    wanted: new Map(alike.flatMap(({ entry }) => printingsOf(entry).map((id) => [id, []]))),
    revert({ damaged }) {
      approvals = alike.filter(({ entry }) => !printingsOf(entry).some((id) => damaged.has(id)));
      return revertedBy(approvals, known);
    },
  });
  return { approvals, pricesChanged };
}

/** Restores the earlier reports of the approvals' sources. */
function revertedBy(approvals: readonly Approval[], all: readonly StoredObservation[]): Reverted {
  const printings = new Set(approvals.flatMap(({ entry }) => printingsOf(entry)));
  const known = all.filter(({ printingRowId }) => printings.has(printingRowId));
  const before = new Map(
    approvals.flatMap((one) => one.before).map((one) => [reportKey(one), one]),
  );
  const after = new Set(approvals.flatMap((one) => one.after).map(reportKey));
  return {
    kept: known.filter((one) => !after.has(reportKey(one))),
    putBack: [...before.values()],
    gone: known.filter((one) => after.has(reportKey(one)) && !before.has(reportKey(one))),
    restored: approvals.flatMap(({ days }) => days),
  };
}

type Before = Omit<ApprovalUndo, 'after'>;

/**
 * Reads, before entries of the quarantine are approved, the state that an undo restores. Omits
 * entries of new printings, because an approved printing stays.
 */
export async function readBefore(
  store: Store,
  entries: readonly QuarantineEntry[],
): Promise<Before[]> {
  const known = entries.filter((entry) => printingsOf(entry).length > 0);
  const observations = await observationsByPrinting(store, store.db, known);
  const read = historyReader(store);
  return Promise.all(
    known.map(async (entry) => ({
      entry,
      before: observationsFor(entry, observations),
      days: await recordedDays(store.db, read, entry),
    })),
  );
}

/** Stores how to undo an approval, inside the transaction that wrote it. */
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

/** Returns the row ids of an entry's printings. */
function printingsOf({ observation, delisted, printingRowId }: QuarantineEntry): readonly number[] {
  return observation === null || printingRowId === null ? delisted : [printingRowId];
}

/** Returns an entry's days of its source. */
function daysOf({ source, observation, observedAt }: QuarantineEntry): SourceDays {
  const to = dayOf(observedAt ?? 0);
  const first = observation?.earlierDays?.[0]?.day ?? to;
  return { source, from: first < to ? first : to, to };
}

async function observationsByPrinting(
  store: Store,
  db: Transaction,
  entries: readonly QuarantineEntry[],
): Promise<Map<number, StoredObservation[]>> {
  const printings = new Set(entries.flatMap(printingsOf));
  const observations = await observationsOf(store, db, [...printings]);
  return Map.groupBy(observations, ({ printingRowId }) => printingRowId);
}

function observationsFor(
  entry: QuarantineEntry,
  byPrinting: ReadonlyMap<number, readonly StoredObservation[]>,
): StoredObservation[] {
  const { source, marketplace } = entry;
  const all = printingsOf(entry).flatMap((printing) => byPrinting.get(printing) ?? []);
  return all.filter((one) => {
    return one.source === source && (marketplace === null || one.marketplace === marketplace);
  });
}

/** Reads the history of an entry's source on the entry's days. */
async function recordedDays(
  db: Transaction,
  read: ReturnType<typeof historyReader>,
  entry: QuarantineEntry,
): Promise<PrintingDay[]> {
  const { source, from, to } = daysOf(entry);
  const printings = printingsOf(entry);
  const series = await seriesOf(db, printings);
  const found = await Promise.all(
    [...printings, ...series.map(({ id }) => id)].map(async (printing) => {
      const days = await read(printing, from, to);
      return days.flatMap(({ provenance, ...prices }) => {
        return provenance?.source === source ? [{ printing, prices, provenance }] : [];
      });
    }),
  );
  return found.flat();
}
