import type { Millis } from '../domain/day.ts';
import { addCounts } from '../lib/counts.ts';
import { observationsOf, type StoredObservation } from '../store/catalogue/observations.ts';
import type { Store, Transaction } from '../store/connect.ts';
import { removeSourceDays } from '../store/history/index.ts';
import { type Approval, approvalPages, deleteApprovals } from '../store/quarantine/approvals.ts';
import { readQuarantined, updateQuarantined } from '../store/quarantine/quarantine.ts';
import { openRun } from './import.ts';
import { daysOf, printingsOf } from './keep-undo.ts';
import { withLock } from './lock.ts';
import { type Reverted, writeReverted } from './pricing/roll-back.ts';
import type { ImportRun } from './run.ts';

/** What undoing an approval did. */
export interface Undone {
  /** How many entries wait for a decision again. */
  readonly undone: number;
  /** How many printings serve another price than before. */
  readonly pricesChanged: number;
  /** How many stay approved, because their source has reported them anew. */
  readonly kept: number;
}

/**
 * Undoes the approval that was made at a moment, in one publication: what the sources had reported
 * before is served and in the history again, and the entries wait for a decision. An entry stays
 * approved once its source has reported it anew, because that went by what was approved.
 *
 * @throws OperatorError when an import is running.
 */
export function undoApprovals(
  store: Store,
  decidedAt: Millis,
  clock: () => Millis,
): Promise<Undone> {
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
  await updateQuarantined(store, transaction, entries);
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

/** Returns the approvals since which their sources have reported nothing anew. */
async function latestOf(
  transaction: Transaction,
  approvals: readonly Approval[],
  known: readonly StoredObservation[],
): Promise<Approval[]> {
  const cards = approvals.flatMap(({ entry }) => entry.card_id ?? []);
  const rows = await readQuarantined(transaction, [...new Set(cards)]);
  const newest = new Map<string, Millis>();
  for (const { printing_id, source, quarantined_at } of rows) {
    const key = `${printing_id} ${source}`;
    newest.set(key, Math.max(quarantined_at, newest.get(key) ?? 0));
  }
  const byPrinting = Map.groupBy(known, ({ printingRowId }) => printingRowId);
  return approvals.filter(({ entry, after, decidedAt }) => {
    const quarantinedAt = newest.get(`${entry.printing_id} ${entry.source}`) ?? 0;
    return quarantinedAt <= decidedAt && after.every((one) => isKnown(one, byPrinting));
  });
}

function isKnown(
  after: StoredObservation,
  byPrinting: ReadonlyMap<number, readonly StoredObservation[]>,
): boolean {
  const known = byPrinting
    .get(after.printingRowId)
    ?.find((one) => seriesOf(one) === seriesOf(after));
  return JSON.stringify(known) === JSON.stringify(after);
}

function seriesOf({ printingRowId, source, marketplace }: StoredObservation): string {
  return `${printingRowId} ${source} ${marketplace}`;
}

/** Approvals of one source and the same days are undone together. */
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
  const days = daysOf(first.entry);
  const wanted = new Map(alike.flatMap(({ entry }) => printingsOf(entry).map((id) => [id, []])));
  const removal = await removeSourceDays(run.store, transaction, wanted, days);
  const damaged = new Set(removal.damaged.map(({ printing }) => printing));
  const approvals = alike.filter(({ entry }) => !printingsOf(entry).some((id) => damaged.has(id)));
  const { pricesChanged } = await writeReverted(run, transaction, {
    ...revertedBy(approvals, await observationsAbout(run.store, transaction, approvals)),
    days,
    removed: new Map([...removal.printings].map(([id, removed]) => [id, removed.days] as const)),
    restored: approvals.flatMap((approval) => approval.days),
  });
  return { approvals, pricesChanged };
}

/** What is known of the printings of approvals, with their sources as they were before. */
function revertedBy(approvals: readonly Approval[], known: readonly StoredObservation[]): Reverted {
  const before = new Map(approvals.flatMap((one) => one.before).map((one) => [seriesOf(one), one]));
  const after = new Set(approvals.flatMap((one) => one.after).map(seriesOf));
  return {
    kept: known.filter((one) => !after.has(seriesOf(one))),
    putBack: [...before.values()],
    gone: known.filter((one) => after.has(seriesOf(one)) && !before.has(seriesOf(one))),
  };
}
