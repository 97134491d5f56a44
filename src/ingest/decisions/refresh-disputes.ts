import type { Millis } from '../../domain/day.ts';
import { printingsOf, upsertPrintings } from '../../store/catalogue/catalogue.ts';
import { observationsOf } from '../../store/catalogue/observations.ts';
import type { Store, Transaction } from '../../store/connect.ts';
import {
  cardsMatching,
  type QuarantineFilter,
  rejectMatching,
  undoRejections,
} from '../../store/quarantine/quarantine.ts';
import { openRun } from '../import.ts';
import { LockTaken, withLock } from '../lock.ts';
import { updateDisputes } from '../pricing/disputes.ts';
import { KnownPrintings } from '../pricing/printings.ts';
import type { ImportRun } from '../run.ts';

/** Keeps the quarantined prices that cards show in line with the quarantine. */

/** Cards in one transaction. */
const AT_ONCE = 1000;

/**
 * Rejects the selected entries that wait for a decision. Returns their number. While an import is
 * running, the cards show the prices as disputed until the next import.
 */
export function rejectQuarantined(
  store: Store,
  filter: QuarantineFilter,
  clock: () => Millis,
  at = clock(),
): Promise<number> {
  const selected = { ...filter, isDecided: false };
  return changeDecision(store, selected, clock, () => rejectMatching(store.db, filter, at));
}

/** Reopens selected entries that were rejected or have closed. Returns their number. */
export function takeBackRejections(
  store: Store,
  filter: QuarantineFilter,
  clock: () => Millis,
): Promise<number> {
  const selected = { ...filter, isDecided: undefined, isUndoable: true } as const;
  return changeDecision(store, selected, clock, () => undoRejections(store.db, filter, clock()));
}

async function changeDecision(
  store: Store,
  selected: QuarantineFilter,
  clock: () => Millis,
  change: () => Promise<number>,
): Promise<number> {
  const cards = await cardsMatching(store.db, selected);
  const changed = await change();
  await publishDisputes(store, cards, clock).catch((error) => {
    if (!(error instanceof LockTaken)) throw error;
  });
  return changed;
}

/** Publishes the disputes of cards, given by row id, after their entries have changed. */
async function publishDisputes(
  store: Store,
  cards: readonly number[],
  clock: () => Millis,
): Promise<void> {
  if (cards.length === 0) return;
  await withLock(store, clock, async (lock) => {
    const run = await openRun(store, lock, clock(), { limits: null });
    for (let at = 0; at < cards.length; at += AT_ONCE) {
      const some = cards.slice(at, at + AT_ONCE);
      const writing = store.db.transaction();
      await writing.execute((transaction) => refreshDisputes(run, transaction, some));
      await lock.renew();
    }
    await run.publication.finish(clock());
  });
}

/** Writes the disputes of cards, given by row id, inside `transaction`. */
export async function refreshDisputes(
  { store, nextIds, publication, rates }: ImportRun,
  transaction: Transaction,
  cards: readonly number[],
): Promise<void> {
  const known = await printingsOf(store, transaction, [...new Set(cards)]);
  const ids = known.map(({ rowId }) => rowId);
  const observations = await observationsOf(store, transaction, ids);
  const { revision } = publication;
  const options = { nextIds, revision, rates, foilCards: new Set<number>() };
  const printings = new KnownPrintings(known, observations, options);
  await updateDisputes(transaction, printings);
  const changed = printings.changedPrintings();
  if (changed.length === 0) return;
  await publication.begin(transaction);
  await upsertPrintings(store, transaction, changed);
}
