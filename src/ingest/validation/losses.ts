import type { Kysely } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import { printingsOf } from '../../store/catalogue.ts';
import type { Store } from '../../store/connect.ts';
import { countPriced, printingsObservedSince } from '../../store/observations.ts';
import {
  deleteQuarantined,
  insertQuarantined,
  type NewQuarantineRow,
  type QuarantinedDelisting,
  readMassDelistings,
  readScopes,
  updateQuarantined,
} from '../../store/quarantine.ts';
import type { Database, QuarantineRow } from '../../store/schema.ts';
import type { ResolvedObservation } from './candidate.ts';
import { isTooMany } from './limits.ts';
import type { SiftOptions } from './sift.ts';

/** Prices that a source had and has no more: a few are news, many at once are its mistake. */

export interface SettledLosses<C extends ResolvedObservation> {
  /** What has indeed no price any more. */
  readonly passed: readonly C[];
  /** How many keep the last price, because too many of their set are gone at once. */
  readonly heldBack: number;
}

/**
 * Tells which of the candidates that a source has no price for any more may lose it. `lost` is all
 * that is lost of each of the sets that occur in it, before any of it is written.
 */
export async function settleDelistings<C extends ResolvedObservation>(
  store: Store,
  transaction: Kysely<Database>,
  source: string,
  lost: readonly C[],
  { limits, now }: SiftOptions,
): Promise<SettledLosses<C>> {
  const known = await forgetReturned(store, transaction, source);
  const isMany = isTooMany(lost.length, 0, limits);
  if (!isMany && known.length === 0) return { passed: lost, heldBack: 0 };
  const losses = await lossesBySet(transaction, source, lost);
  const tooMany = losses.filter(({ candidates, had }) => {
    return isTooMany(candidates.length, had, limits);
  });
  const rows: QuarantineRow[] = [];
  const added: NewQuarantineRow[] = [];
  for (const loss of tooMany) {
    const row = await heldLoss(transaction, source, loss, now);
    const before = known.find(({ set_id }) => set_id === loss.set);
    if (!before) added.push(row);
    else if (!isRejected(before, row)) rows.push({ ...before, ...row });
  }
  await insertQuarantined(transaction, added);
  await updateQuarantined(store, transaction, rows);
  const settled = losses.filter((loss) => !tooMany.includes(loss)).map(({ set }) => set);
  const done = known.filter(({ set_id }) => set_id !== null && settled.includes(set_id));
  await deleteQuarantined(
    transaction,
    done.map(({ id }) => id),
  );
  const kept = new Set(tooMany.flatMap(({ candidates }) => candidates));
  return { passed: lost.filter((one) => !kept.has(one)), heldBack: kept.size };
}

/** What a source has lost of one set. */
interface Loss<C extends ResolvedObservation> {
  readonly set: number;
  readonly game: GameSlug;
  readonly name: string;
  /** How many printings it had a price for. */
  readonly had: number;
  readonly candidates: readonly C[];
}

async function lossesBySet<C extends ResolvedObservation>(
  transaction: Kysely<Database>,
  source: string,
  lost: readonly C[],
): Promise<Loss<C>[]> {
  const scopes = await readScopes(transaction, [...new Set(lost.map(({ card }) => card))]);
  const bySet = Map.groupBy(lost, ({ card }) => scopes.get(card)?.set);
  const had = await countPriced(
    transaction,
    source,
    [...bySet.keys()].filter((set) => set !== undefined),
  );
  return [...bySet.values()].flatMap((candidates) => {
    const [first] = candidates;
    const scope = first && scopes.get(first.card);
    return scope ? [{ ...scope, had: had.get(scope.set) ?? 0, candidates }] : [];
  });
}

async function heldLoss<C extends ResolvedObservation>(
  transaction: Kysely<Database>,
  source: string,
  { set, game, name, had, candidates }: Loss<C>,
  now: Millis,
): Promise<NewQuarantineRow> {
  const loss: QuarantinedDelisting = { printings: await printingIds(transaction, candidates) };
  const gone = `${source} has no price any more for ${candidates.length} of ${had} printings`;
  return {
    ...{ source, marketplace: null, game, set_id: set, card_id: null, printing_id: null },
    ...{
      printing: null,
      rule: 'mass-delisting',
      external_id: null,
      observation: JSON.stringify(loss),
    },
    detail: `${gone} of ${name}, which keep the last one.`,
    observed_at: candidates[0]?.observation.observedAt ?? now,
    ...{ quarantined_at: now, decided_at: null, decision: null },
  };
}

async function printingIds(
  transaction: Kysely<Database>,
  lost: readonly ResolvedObservation[],
): Promise<number[]> {
  const rows = await printingsOf(transaction, [...new Set(lost.map(({ card }) => card))]);
  const names = new Set(lost.map(({ card, printing }) => `${card} ${printing}`));
  return rows.filter(({ card_id, name }) => names.has(`${card_id} ${name}`)).map(({ id }) => id);
}

/** Whether the operator has said of all of it that it is wrong. */
function isRejected({ decision, observation }: QuarantineRow, loss: NewQuarantineRow): boolean {
  if (decision !== 'rejected') return false;
  const known = new Set(printingsOfLoss(observation));
  return printingsOfLoss(loss.observation).every((printing) => known.has(printing));
}

function printingsOfLoss(quote: string | null): readonly number[] {
  return quote === null ? [] : (JSON.parse(quote) as QuarantinedDelisting).printings;
}

/** Strikes off losses that have come back, and gives those that have not. */
async function forgetReturned(
  store: Store,
  transaction: Kysely<Database>,
  source: string,
): Promise<QuarantineRow[]> {
  const left: QuarantineRow[] = [];
  const changed: QuarantineRow[] = [];
  const returned: number[] = [];
  for (const row of await readMassDelistings(transaction, source)) {
    const lost = printingsOfLoss(row.observation);
    const told = await printingsObservedSince(transaction, source, lost, row.observed_at ?? 0);
    const printings = lost.filter((printing) => !told.has(printing));
    const now = { ...row, quote: JSON.stringify({ printings } satisfies QuarantinedDelisting) };
    if (printings.length === 0) returned.push(row.id);
    else left.push(now);
    if (printings.length > 0 && told.size > 0) changed.push(now);
  }
  await updateQuarantined(store, transaction, changed);
  await deleteQuarantined(transaction, returned);
  return left;
}
