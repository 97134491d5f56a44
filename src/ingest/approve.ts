import type { Kysely } from 'kysely';
import { dayOf, type Millis } from '../domain/day.ts';
import { NO_AMOUNTS, type Observation } from '../domain/observation.ts';
import type { DayPrices } from '../domain/price.ts';
import { findValidationRule, isApprovable, isLasting } from '../domain/validation-rules.ts';
import { cardNames, printingsById } from '../store/catalogue.ts';
import type { Store } from '../store/connect.ts';
import { observationsOf } from '../store/observations.ts';
import {
  deleteQuarantined,
  type QuarantinedDelisting,
  type QuarantinedObservation,
  updateQuarantined,
} from '../store/quarantine.ts';
import type { Database, QuarantineRow } from '../store/schema.ts';
import { openRun } from './import.ts';
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
}

/** How many rows go into one transaction. */
const ROWS_AT_ONCE = 1000;

/**
 * Writes what the operator approves of the quarantine, without validation, and publishes it.
 * Findings that every import would make again are approved from now on.
 *
 * @throws OperatorError when an import is running.
 */
export function approveQuarantined(
  store: Store,
  rows: readonly QuarantineRow[],
  clock: () => Millis,
): Promise<Approval> {
  const approvable = rows.filter(({ rule }) =>
    isApprovable(findValidationRule(rule) ?? 'price-jump'),
  );
  return withLock(store, clock, async (lock) => {
    const run = await openRun(store, lock, clock(), { limits: null });
    let pricesChanged = 0;
    for (let at = 0; at < approvable.length; at += ROWS_AT_ONCE) {
      pricesChanged += await approveSome(run, approvable.slice(at, at + ROWS_AT_ONCE));
      await lock.renew();
    }
    await run.publication.finish();
    const accepted = approvable.length;
    return { accepted, pricesChanged, refused: rows.length - accepted };
  });
}

function approveSome(run: ImportRun, rows: readonly QuarantineRow[]): Promise<number> {
  return run.store.db.transaction().execute(async (transaction) => {
    const cards = rows.flatMap(({ card_id }) => card_id ?? []);
    const names = await cardNames(transaction, cards);
    const observations = rows.flatMap((row) => quarantinedObservation(row, names) ?? []);
    for (const row of rows) observations.push(...(await delistings(run, transaction, row)));
    const { counts } = await writeObservations(run, transaction, observations);
    await noteApproval(run, transaction, rows);
    return counts.pricesChanged;
  });
}

async function noteApproval(
  { store, startedAt }: ImportRun,
  transaction: Kysely<Database>,
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
function isFoundAgain({ rule, observation }: QuarantineRow): boolean {
  const known = findValidationRule(rule);
  const isPast =
    observation !== null && (JSON.parse(observation) as Partial<QuarantinedObservation>).days === 0;
  return isPast || (known !== undefined && isLasting(known));
}

function quarantinedObservation(
  { card_id, printing, observation, source, external_id, rule }: QuarantineRow,
  names: ReadonlyMap<number, string>,
): CardObservation | undefined {
  if (card_id === null || printing === null || observation === null || rule === 'mass-delisting') {
    return undefined;
  }
  const reported = reportedIn(JSON.parse(observation) as QuarantinedObservation);
  const card = { id: card_id, name: names.get(card_id) ?? '' };
  return { source, card, externalId: external_id, observation: { ...reported, printing } };
}

/** What a source reported, with the days on which it reported about the same before. */
function reportedIn(quarantined: QuarantinedObservation): Omit<Observation, 'printing'> {
  const { marketplace, currency, observedAt, prices, conditions, graded } = quarantined;
  const isBefore = ({ day }: DayPrices) => day < dayOf(observedAt);
  const earlierDays = quarantined.earlierDays?.filter(isBefore) ?? [];
  return { marketplace, currency, observedAt, prices, conditions, graded, earlierDays };
}

/** Observations without a price, of all printings of a mass delisting. */
async function delistings(
  { store }: ImportRun,
  transaction: Kysely<Database>,
  { observation: delisting, source, rule, observed_at }: QuarantineRow,
): Promise<CardObservation[]> {
  if (rule !== 'mass-delisting' || delisting === null) return [];
  const { printings } = JSON.parse(delisting) as QuarantinedDelisting;
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
