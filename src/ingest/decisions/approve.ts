import { dayOf, type Millis, MS_PER_DAY } from '../../domain/day.ts';
import { type Amounts, NO_AMOUNTS, type Observation } from '../../domain/observation.ts';
import type { DayPrices } from '../../domain/price.ts';
import { findValidationRule, isApprovable, isLasting } from '../../domain/quarantined.ts';
import { cardNames, printingsById } from '../../store/catalogue/catalogue.ts';
import { observationsOf, type StoredObservation } from '../../store/catalogue/observations.ts';
import type { Store, Transaction } from '../../store/connect.ts';
import { forgetApprovals } from '../../store/quarantine/decisions.ts';
import type { QuarantinedObservation, QuarantineEntry } from '../../store/quarantine/entries.ts';
import { deleteQuarantined, updateQuarantined } from '../../store/quarantine/quarantine.ts';
import { openRun } from '../import.ts';
import { withLock } from '../lock.ts';
import type { CardObservation } from '../observation.ts';
import { writeObservations } from '../pricing/write.ts';
import type { ImportRun } from '../run.ts';
import { refreshDisputes } from './refresh-disputes.ts';
import { renameCards, withWholeCards } from './rename.ts';
import { keepUndo, readBefore } from './undo.ts';

/** The outcome of an approval. */
export interface Approval {
  readonly accepted: number;
  /** The entries that changed a served price. For the others, something newer is known. */
  readonly pricesChanged: number;
  /** The entries that cannot be prices, and stay quarantined. */
  readonly refused: number;
  /** The moment that identifies the approval, to undo it. */
  readonly decidedAt: Millis;
}

/** An approval can be undone for a week. By then its source has reported again. */
const UNDO_MS = 7 * MS_PER_DAY;

/** Entries in one transaction. */
const AT_ONCE = 1000;

/**
 * Writes quarantined prices that an operator approves, without validation, and publishes them.
 * Findings that every import would repeat stay approved. Reads pages of entries once it holds the
 * import lock, and writes each page in its own transaction.
 *
 * @throws OperatorError if an import is running.
 */
export function approveQuarantined(
  store: Store,
  entries: readonly QuarantineEntry[] | AsyncIterable<readonly QuarantineEntry[]>,
  clock: () => Millis,
): Promise<Approval> {
  return withLock(store, clock, async (lock) => {
    const run = await openRun(store, lock, clock(), { limits: null });
    const done = { accepted: 0, pricesChanged: 0, refused: 0, decidedAt: run.startedAt };
    await forgetApprovals(store.db, run.startedAt - UNDO_MS);
    for await (const page of Symbol.asyncIterator in entries ? entries : pagesOf(entries)) {
      const allowed = page.filter(({ rule }) =>
        isApprovable(findValidationRule(rule) ?? 'price-jump'),
      );
      const approvable = await withWholeCards(store.db, allowed);
      done.pricesChanged += await approveSome(run, approvable);
      done.accepted += approvable.length;
      done.refused += page.length - allowed.length;
      await lock.renew();
    }
    await run.publication.finish(clock());
    return done;
  });
}

function* pagesOf(entries: readonly QuarantineEntry[]): Generator<readonly QuarantineEntry[]> {
  for (let at = 0; at < entries.length; at += AT_ONCE) yield entries.slice(at, at + AT_ONCE);
}

async function approveSome(run: ImportRun, entries: readonly QuarantineEntry[]): Promise<number> {
  const before = await readBefore(run.store, entries);
  return run.store.db.transaction().execute(async (transaction) => {
    await renameCards(run, transaction, entries);
    const cards = entries.flatMap(({ cardRowId }) => cardRowId ?? []);
    const names = await cardNames(transaction, cards);
    const accepted = await readAccepted(run, transaction, entries);
    const observations = entries.flatMap((one) => approvedObservation(one, names, accepted) ?? []);
    for (const entry of entries) {
      for (const one of await delistings(run, transaction, entry)) observations.push(one);
    }
    const { counts } = await writeObservations(run, transaction, observations);
    await keepUndo(run, transaction, before);
    await noteApproval(run, transaction, entries);
    await refreshDisputes(run, transaction, cards);
    return counts.pricesChanged;
  });
}

async function noteApproval(
  { store, startedAt }: ImportRun,
  transaction: Transaction,
  entries: readonly QuarantineEntry[],
): Promise<void> {
  const lasting = entries.filter(isFoundAgain);
  const decided = { decision: 'approved', decidedAt: startedAt } as const;
  const approved = lasting.map((entry) => ({ ...entry, ...decided }));
  await updateQuarantined(store, transaction, approved);
  const done = entries.filter((entry) => !lasting.includes(entry)).map(({ id }) => id);
  await deleteQuarantined(transaction, done);
}

/** Whether the next import would raise the same finding: under a lasting rule, or on a past day. */
function isFoundAgain({ rule, observation }: QuarantineEntry): boolean {
  const known = findValidationRule(rule);
  return observation?.days === 0 || (known !== undefined && isLasting(known));
}

function approvedObservation(
  entry: QuarantineEntry,
  names: ReadonlyMap<number, string>,
  accepted: AcceptedAmounts,
): CardObservation | undefined {
  const { cardRowId: id, printing, source, externalId, observation } = entry;
  if (id === null || printing === null || observation === null) return undefined;
  const approved = accepted.approve(entry, observation);
  const card = { id, name: names.get(id) ?? '' };
  return { source, card, externalId, observation: { ...approved, printing } };
}

/** Observations without a price, for all printings of a mass delisting. */
async function delistings(
  { store }: ImportRun,
  transaction: Transaction,
  { source, observedAt: gone, delisted }: QuarantineEntry,
): Promise<CardObservation[]> {
  if (delisted.length === 0) return [];
  const printings = await printingsById(transaction, delisted);
  const cards = printings.map(({ cardRowId }) => cardRowId);
  const names = await cardNames(transaction, cards);
  const byRowId = new Map(printings.map((printing) => [printing.rowId, printing]));
  const known = await observationsOf(store, transaction, delisted);
  return known.flatMap((one) => {
    const printing = byRowId.get(one.printingRowId);
    if (!printing || one.source !== source) return [];
    const { marketplace, currency, externalId } = one;
    const observedAt = Math.max(one.observedAt, gone ?? 0);
    const card = { id: printing.cardRowId, name: names.get(printing.cardRowId) ?? '' };
    const observation = {
      printing: printing.name,
      marketplace,
      currency,
      observedAt,
      ...NO_AMOUNTS,
    };
    return [{ source, card, externalId, observation }];
  });
}

type Approved = Omit<Observation, 'printing'>;

/** Reads the reports of the entries' sources about the same printings. */
async function readAccepted(
  { store }: ImportRun,
  transaction: Transaction,
  entries: readonly QuarantineEntry[],
): Promise<AcceptedAmounts> {
  const printings = new Set(entries.flatMap(({ printingRowId }) => printingRowId ?? []));
  return new AcceptedAmounts(await observationsOf(store, transaction, [...printings]));
}

/** Joins amounts that are approved one by one with those that validation accepted. */
class AcceptedAmounts {
  readonly #known: Map<string, Approved>;

  constructor(observations: readonly StoredObservation[]) {
    this.#known = new Map(
      observations.map((one) => [keyOf(one.printingRowId, one.source, one.marketplace), one]),
    );
  }

  /**
   * Returns the observation that results from approving a quarantined one. If only some of its
   * amounts were quarantined, the others are the accepted amounts of the same day.
   */
  approve(entry: QuarantineEntry, quarantined: QuarantinedObservation): Approved {
    const { amounts } = quarantined;
    const reported = reportedIn(quarantined);
    if (amounts === undefined) return reported;
    const printing = entry.printingRowId ?? `${entry.cardRowId} ${entry.printing}`;
    const key = keyOf(printing, entry.source, reported.marketplace);
    const known = this.#known.get(key);
    const [day, knownDay] = [dayOf(reported.observedAt), known && dayOf(known.observedAt)];
    // The newer one stays served, and the whole report of the day goes into the history.
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

/** A source's report, with the earlier days that were also quarantined. */
function reportedIn(quarantined: QuarantinedObservation): Approved {
  const { marketplace, currency, observedAt, prices, conditions, graded } = quarantined;
  const isBefore = ({ day }: DayPrices) => day < dayOf(observedAt);
  const earlierDays = quarantined.earlierDays?.filter(isBefore) ?? [];
  return { marketplace, currency, observedAt, prices, conditions, graded, earlierDays };
}

/** Returns the amounts of `base`, with the named ones taken from `other`. */
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
