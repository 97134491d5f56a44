import type { GameSlug } from '../../domain/games.ts';
import { printingsOf } from '../../store/catalogue/catalogue.ts';
import { countPriced, printingsObservedSince } from '../../store/catalogue/observations.ts';
import type { QuarantineRow } from '../../store/catalogue/schema.ts';
import type { Store, Transaction } from '../../store/connect.ts';
import {
  QUARANTINED_DELISTING,
  type QuarantinedDelisting,
} from '../../store/quarantine/contents.ts';
import {
  deleteQuarantined,
  insertQuarantined,
  type NewQuarantineRow,
  readMassDelistings,
  readScopes,
  updateQuarantined,
} from '../../store/quarantine/quarantine.ts';
import type { Finding, ResolvedObservation } from '../observation.ts';
import type { ValidationContext } from './limits.ts';
import { isTooMany } from './limits.ts';

/** The decision on prices that a source no longer reports. */
export interface SettledDelistings {
  /** The printings that really lost their price. */
  readonly delisted: readonly ResolvedObservation[];
  /** How many keep their last price, because too many prices of their set are gone at once. */
  readonly kept: number;
}

/**
 * Decides which prices may go that a source no longer reports, and quarantines the others by set,
 * inside `transaction`. `lost` has everything that is gone from each of its sets. None of it is
 * written yet.
 */
export async function settleDelistings(
  store: Store,
  transaction: Transaction,
  source: string,
  lost: readonly ResolvedObservation[],
  context: ValidationContext,
): Promise<SettledDelistings> {
  const known = await clearReturned(store, transaction, source);
  const mayBeTooMany = isTooMany(lost.length, 0, context.limits);
  if (!mayBeTooMany && known.length === 0) return { delisted: lost, kept: 0 };
  const kept = new Set<ResolvedObservation>();
  const added: NewQuarantineRow[] = [];
  const changed: QuarantineRow[] = [];
  const cleared: number[] = [];
  for (const delisting of await delistingsBySet(transaction, source, lost)) {
    const ofSet = known.filter(({ set_id }) => set_id === delisting.set);
    const finding = massDelisting({ ...delisting, gone: delisting.gone.length }, context);
    if (!finding) {
      cleared.push(...ofSet.map(({ id }) => id));
      continue;
    }
    for (const one of delisting.gone) kept.add(one);
    const row = await quarantineRow(store, transaction, delisting, finding, context);
    const [before] = ofSet;
    if (!before) added.push(row);
    else if (!isRejected(before, row)) changed.push({ ...before, ...row });
  }
  await insertQuarantined(transaction, added);
  await updateQuarantined(store, transaction, changed);
  await deleteQuarantined(transaction, cleared);
  return { delisted: lost.filter((one) => !kept.has(one)), kept: kept.size };
}

/** The prices of one set that a source no longer reports. */
interface Delisting {
  readonly source: string;
  /** Row id of the set. */
  readonly set: number;
  readonly game: GameSlug;
  /** The name of the set. */
  readonly name: string;
  /** How many printings it had a price for. */
  readonly had: number;
  readonly gone: readonly ResolvedObservation[];
}

async function delistingsBySet(
  transaction: Transaction,
  source: string,
  lost: readonly ResolvedObservation[],
): Promise<Delisting[]> {
  const scopes = await readScopes(transaction, [...new Set(lost.map(({ card }) => card))]);
  const bySet = Map.groupBy(lost, ({ card }) => scopes.get(card)?.set);
  const sets = [...bySet.keys()].filter((set) => set !== undefined);
  const had = await countPriced(transaction, source, sets);
  return [...bySet.values()].flatMap((gone) => {
    const [first] = gone;
    const scope = first && scopes.get(first.card);
    return scope ? [{ ...scope, source, had: had.get(scope.set) ?? 0, gone }] : [];
  });
}

async function quarantineRow(
  store: Store,
  transaction: Transaction,
  { source, set, game, gone }: Delisting,
  finding: Finding,
  { now }: ValidationContext,
): Promise<NewQuarantineRow> {
  const delisting: QuarantinedDelisting = {
    printings: await printingIds(store, transaction, gone),
  };
  return {
    source,
    marketplace: null,
    game,
    set_id: set,
    card_id: null,
    printing_id: null,
    printing: null,
    external_id: null,
    observation: QUARANTINED_DELISTING.write(delisting),
    ...finding,
    observed_at: gone[0]?.observation.observedAt ?? now,
    quarantined_at: now,
    decided_at: null,
    decision: null,
  };
}

async function printingIds(
  store: Store,
  transaction: Transaction,
  lost: readonly ResolvedObservation[],
): Promise<number[]> {
  const rows = await printingsOf(store, transaction, [...new Set(lost.map(({ card }) => card))]);
  const names = new Set(lost.map(({ card, printing }) => `${card} ${printing}`));
  return rows.filter(({ card_id, name }) => names.has(`${card_id} ${name}`)).map(({ id }) => id);
}

/** Whether the operator has rejected all of a delisting already. */
function isRejected({ decision, observation }: QuarantineRow, row: NewQuarantineRow): boolean {
  if (decision !== 'rejected') return false;
  const known = new Set(printingsIn(observation));
  return printingsIn(row.observation).every((printing) => known.has(printing));
}

function printingsIn(json: string | null): readonly number[] {
  return json === null ? [] : QUARANTINED_DELISTING.read(json).printings;
}

/** Clears delisted printings that the source prices again; returns the delistings that are left. */
async function clearReturned(
  store: Store,
  transaction: Transaction,
  source: string,
): Promise<QuarantineRow[]> {
  const left: QuarantineRow[] = [];
  const changed: QuarantineRow[] = [];
  const cleared: number[] = [];
  for (const row of await readMassDelistings(transaction, source)) {
    const delisted = printingsIn(row.observation);
    const returned = await printingsObservedSince(
      transaction,
      source,
      delisted,
      row.observed_at ?? 0,
    );
    const printings = delisted.filter((printing) => !returned.has(printing));
    const now = {
      ...row,
      observation: QUARANTINED_DELISTING.write({ printings }),
    };
    if (printings.length === 0) cleared.push(row.id);
    else left.push(now);
    if (printings.length > 0 && returned.size > 0) changed.push(now);
  }
  await updateQuarantined(store, transaction, changed);
  await deleteQuarantined(transaction, cleared);
  return left;
}

/** The prices of one set that a source no longer reports. */
export interface SetDelisting {
  readonly source: string;
  /** The name of the set. */
  readonly name: string;
  /** How many printings of the set it had a price for, including those that are gone. */
  readonly had: number;
  /** How many of them are gone. */
  readonly gone: number;
}

/**
 * Catches too many prices of a set that end at once. A few are news; many mean that the source cut
 * the file short. Too many is more than 30 % (`lossShare`), and at least five. The most that a set
 * really lost from one day to the next was 22 % (68 of 305, in its week of release). All others
 * lost 6 % or less.
 */
export function massDelisting(
  { source, name, had, gone }: SetDelisting,
  { limits }: ValidationContext,
): Finding | undefined {
  if (!isTooMany(gone, had, limits)) return undefined;
  const prices = `${source} no longer has a price for ${gone} of ${had} printings`;
  return { rule: 'mass-delisting', detail: `${prices} of ${name}, which keep the last one.` };
}
