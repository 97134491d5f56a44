import { type Millis, MS_PER_DAY } from '../domain/day.ts';
import { NO_AMOUNTS } from '../domain/observation.ts';
import { findValidationRule, isApprovable, isLasting } from '../domain/validation-rules.ts';
import { cardNames, printingsById } from '../store/catalogue/catalogue.ts';
import { observationsOf } from '../store/catalogue/observations.ts';
import type { QuarantineRow } from '../store/catalogue/schema.ts';
import type { Store, Transaction } from '../store/connect.ts';
import { forgetApprovals } from '../store/quarantine/approvals.ts';
import { delistedPrintings, quarantinedObservation } from '../store/quarantine/contents.ts';
import { deleteQuarantined, updateQuarantined } from '../store/quarantine/quarantine.ts';
import { type AcceptedAmounts, readAccepted } from './approved-amounts.ts';
import { openRun } from './import.ts';
import { keepUndo, readBefore } from './keep-undo.ts';
import { withLock } from './lock.ts';
import type { CardObservation } from './observation.ts';
import { writeObservations } from './pricing/write.ts';
import type { ImportRun } from './run.ts';

/** What approving did. */
export interface Approval {
  readonly accepted: number;
  /** How many of them changed what is served: of others, something newer is known. */
  readonly pricesChanged: number;
  /** How many can be no price, and stay where they are. */
  readonly refused: number;
  /** The moment by which the approval can be undone. */
  readonly decidedAt: Millis;
}

/** An approval can be undone for a week, because sources report anew within days. */
const UNDO_MS = 7 * MS_PER_DAY;

/** How many rows go into one transaction. */
const ROWS_AT_ONCE = 1000;

/**
 * Writes what the operator approves of the quarantine, without validation, and publishes it.
 * Findings that every import would make again are approved from now on. Pages of rows are read once
 * the import lock is held, and each is written in a transaction of its own.
 *
 * @throws OperatorError when an import is running.
 */
export function approveQuarantined(
  store: Store,
  rows: readonly QuarantineRow[] | AsyncIterable<readonly QuarantineRow[]>,
  clock: () => Millis,
): Promise<Approval> {
  return withLock(store, clock, async (lock) => {
    const run = await openRun(store, lock, clock(), { limits: null });
    const done = { accepted: 0, pricesChanged: 0, refused: 0, decidedAt: run.startedAt };
    await forgetApprovals(store.db, run.startedAt - UNDO_MS);
    for await (const page of Symbol.asyncIterator in rows ? rows : pagesOf(rows)) {
      const approvable = page.filter(({ rule }) =>
        isApprovable(findValidationRule(rule) ?? 'price-jump'),
      );
      done.pricesChanged += await approveSome(run, approvable);
      done.accepted += approvable.length;
      done.refused += page.length - approvable.length;
      await lock.renew();
    }
    await run.publication.finish(clock());
    return done;
  });
}

function* pagesOf(rows: readonly QuarantineRow[]): Generator<readonly QuarantineRow[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) yield rows.slice(at, at + ROWS_AT_ONCE);
}

async function approveSome(run: ImportRun, rows: readonly QuarantineRow[]): Promise<number> {
  const before = await readBefore(run.store, rows);
  return run.store.db.transaction().execute(async (transaction) => {
    const cards = rows.flatMap(({ card_id }) => card_id ?? []);
    const names = await cardNames(transaction, cards);
    const accepted = await readAccepted(run, transaction, rows);
    const observations = rows.flatMap((row) => approvedObservation(row, names, accepted) ?? []);
    for (const row of rows) {
      for (const one of await delistings(run, transaction, row)) observations.push(one);
    }
    const { counts } = await writeObservations(run, transaction, observations);
    await keepUndo(run, transaction, before);
    await noteApproval(run, transaction, rows);
    return counts.pricesChanged;
  });
}

async function noteApproval(
  { store, startedAt }: ImportRun,
  transaction: Transaction,
  rows: readonly QuarantineRow[],
): Promise<void> {
  const lasting = rows.filter(isFoundAgain);
  const decided = { decision: 'approved', decided_at: startedAt } as const;
  const approved = lasting.map((row) => ({ ...row, ...decided }));
  await updateQuarantined(store, transaction, approved);
  const done = rows.filter((row) => !lasting.includes(row)).map(({ id }) => id);
  await deleteQuarantined(transaction, done);
}

/** Whether the next import would find the same: by a lasting rule, or of a day of the past. */
function isFoundAgain(row: QuarantineRow): boolean {
  const known = findValidationRule(row.rule);
  return quarantinedObservation(row)?.days === 0 || (known !== undefined && isLasting(known));
}

function approvedObservation(
  row: QuarantineRow,
  names: ReadonlyMap<number, string>,
  accepted: AcceptedAmounts,
): CardObservation | undefined {
  const { card_id, printing, source, external_id } = row;
  const quarantined = quarantinedObservation(row);
  if (card_id === null || printing === null || quarantined === undefined) return undefined;
  const approved = accepted.approve(row, quarantined);
  const card = { id: card_id, name: names.get(card_id) ?? '' };
  return { source, card, externalId: external_id, observation: { ...approved, printing } };
}

/** Observations without a price, of all printings of a mass delisting. */
async function delistings(
  { store }: ImportRun,
  transaction: Transaction,
  row: QuarantineRow,
): Promise<CardObservation[]> {
  const { source, observed_at } = row;
  const printings = delistedPrintings(row);
  if (printings.length === 0) return [];
  const rows = await printingsById(transaction, printings);
  const cards = rows.map(({ card_id }) => card_id);
  const names = await cardNames(transaction, cards);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const known = await observationsOf(store, transaction, printings);
  return known.flatMap((one) => {
    const row = byId.get(one.printingRowId);
    if (!row || one.source !== source) return [];
    const { marketplace, currency, externalId } = one;
    const observedAt = Math.max(one.observedAt, observed_at ?? 0);
    const card = { id: row.card_id, name: names.get(row.card_id) ?? '' };
    const observation = { printing: row.name, marketplace, currency, observedAt, ...NO_AMOUNTS };
    return [{ source, card, externalId, observation }];
  });
}
