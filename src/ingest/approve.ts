import type { Kysely } from 'kysely';
import type { Millis } from '../domain/day.ts';
import { NO_PRICES } from '../domain/price.ts';
import { findValidationRule, isApprovable, isLasting } from '../domain/validation-rules.ts';
import { cardNames, printingsById } from '../store/catalogue.ts';
import type { Store } from '../store/connect.ts';
import {
  deleteQuarantined,
  type QuarantinedDelisting,
  type QuarantinedObservation,
  updateQuarantined,
} from '../store/quarantine.ts';
import { observationsOf } from '../store/observations.ts';
import type { Database, QuarantineRow } from '../store/schema.ts';
import { takeLock } from './lock.ts';
import { openQuoteRun } from './open.ts';
import { type CardObservation, type PriceRun, writeObservations } from './pricing/pipeline.ts';

/** Lets through what was held back, because the operator says that it is right. */

export interface Acceptance {
  readonly accepted: number;
  /** How many of them changed what is served: of others, something newer is known. */
  readonly pricesChanged: number;
  /** What no price can be, and stays where it is. */
  readonly refused: number;
}

/** How many rows go into one transaction. */
const AT_ONCE = 1000;

/**
 * Takes in what was held back, and publishes what it comes to. What its source will say again is
 * let through from now on.
 *
 * @throws OperatorError when an import is running.
 */
export async function acceptHolds(
  store: Store,
  held: readonly QuarantineRow[],
  clock: () => Millis,
): Promise<Acceptance> {
  const acceptable = held.filter(({ reason }) =>
    isApprovable(findValidationRule(reason) ?? 'jump'),
  );
  const lock = await takeLock(store, clock);
  try {
    const run = await openQuoteRun(store, clock(), { limits: null });
    let pricesChanged = 0;
    for (let at = 0; at < acceptable.length; at += AT_ONCE) {
      pricesChanged += await acceptSome(run, acceptable.slice(at, at + AT_ONCE));
      await lock.renew();
    }
    await run.publication.finish();
    const accepted = acceptable.length;
    return { accepted, pricesChanged, refused: held.length - accepted };
  } finally {
    await lock.free();
  }
}

function acceptSome(run: PriceRun, rows: readonly QuarantineRow[]): Promise<number> {
  return run.store.db.transaction().execute(async (transaction) => {
    const names = await cardNames(
      transaction,
      rows.flatMap(({ card_id }) => card_id ?? []),
    );
    const told = rows.flatMap((row) => toldQuote(row, names) ?? []);
    for (const row of rows) told.push(...(await toldLoss(run, transaction, row)));
    const { counts } = await writeObservations(run, transaction, told);
    const lasting = rows.filter(isRemembered);
    const decided = { decision: 'accepted', decided_at: run.startedAt } as const;
    await updateQuarantined(
      run.store,
      transaction,
      lasting.map((row) => ({ ...row, ...decided })),
    );
    const done = rows.filter((row) => !lasting.includes(row));
    await deleteQuarantined(
      transaction,
      done.map(({ id }) => id),
    );
    return counts.pricesChanged;
  });
}

/** Whether the same would be held back again: for a lasting reason, or a day of a past. */
function isRemembered({ reason, quote }: QuarantineRow): boolean {
  const known = findValidationRule(reason);
  const isPast =
    quote !== null && (JSON.parse(quote) as Partial<QuarantinedObservation>).days === 0;
  return isPast || (known !== undefined && isLasting(known));
}

function toldQuote(
  { card_id, printing, quote, source, source_key, reason }: QuarantineRow,
  names: ReadonlyMap<number, string>,
): CardObservation | undefined {
  if (card_id === null || printing === null || quote === null || reason === 'lost-prices') {
    return undefined;
  }
  const { days: _, ...held } = JSON.parse(quote) as QuarantinedObservation;
  const card = { id: card_id, name: names.get(card_id) ?? '' };
  return { source, card, externalId: source_key, observation: { ...held, printing } };
}

/** What takes away the prices that a source has lost. */
async function toldLoss(
  { store }: PriceRun,
  transaction: Kysely<Database>,
  { quote, source, reason, observed_at }: QuarantineRow,
): Promise<CardObservation[]> {
  if (reason !== 'lost-prices' || quote === null) return [];
  const { printings } = JSON.parse(quote) as QuarantinedDelisting;
  const rows = await printingsById(transaction, printings);
  const names = await cardNames(
    transaction,
    rows.map(({ card_id }) => card_id),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const known = await observationsOf(store, transaction, printings);
  return known.flatMap(
    ({ printingRowId, marketplace, currency, externalId, observedAt, ...own }) => {
      const row = byId.get(printingRowId);
      if (!row || own.source !== source) return [];
      const card = { id: row.card_id, name: names.get(row.card_id) ?? '' };
      const moment = Math.max(observedAt, observed_at ?? 0);
      const nothing = { prices: NO_PRICES, conditions: {}, graded: {} };
      const said = {
        printing: row.name,
        marketplace,
        currency,
        observedAt: moment,
        ...nothing,
      };
      return [{ source, card, externalId, observation: said }];
    },
  );
}
