import type { GameSlug } from '../../domain/games.ts';
import { printingsOf } from '../../store/catalogue/catalogue.ts';
import { countPriced, printingsObservedSince } from '../../store/catalogue/observations.ts';
import type { Store, Transaction } from '../../store/connect.ts';
import type { NewQuarantineEntry, QuarantineEntry } from '../../store/quarantine/entries.ts';
import {
  deleteQuarantined,
  insertQuarantined,
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
  /**
   * The number of printings that keep their last price, because too many prices of their set
   * disappeared at once.
   */
  readonly kept: number;
}

/**
 * Decides which prices that a source no longer reports may be removed, and quarantines the others
 * by set, inside `transaction`. `lost` contains all losses of each of its sets, none of which is
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
  const added: NewQuarantineEntry[] = [];
  const changed: QuarantineEntry[] = [];
  const cleared: number[] = [];
  for (const delisting of await delistingsBySet(transaction, source, lost)) {
    const ofSet = known.filter(({ setRowId }) => setRowId === delisting.set);
    const finding = massDelisting({ ...delisting, gone: delisting.gone.length }, context);
    if (!finding) {
      cleared.push(...ofSet.map(({ id }) => id));
      continue;
    }
    for (const one of delisting.gone) kept.add(one);
    const entry = await entryFor(store, transaction, delisting, finding, context);
    const [before] = ofSet;
    if (!before) added.push(entry);
    else if (!isDecided(before, entry)) {
      const { quarantinedAt } = before.decision === null ? before : entry;
      changed.push({ ...before, ...entry, quarantinedAt });
    }
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
  /** The number of its priced printings before. */
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

async function entryFor(
  store: Store,
  transaction: Transaction,
  { source, set, game, gone }: Delisting,
  finding: Finding,
  { now }: ValidationContext,
): Promise<NewQuarantineEntry> {
  return {
    source,
    marketplace: null,
    game,
    setRowId: set,
    cardRowId: null,
    printingRowId: null,
    printing: null,
    externalId: null,
    observation: null,
    delisted: await printingIds(store, transaction, gone),
    ...finding,
    observedAt: gone[0]?.observation.observedAt ?? now,
    quarantinedAt: now,
    decidedAt: null,
    decision: null,
  };
}

/** Returns the row ids of the printings in ascending order, so equal files write equal rows. */
async function printingIds(
  store: Store,
  transaction: Transaction,
  lost: readonly ResolvedObservation[],
): Promise<number[]> {
  const known = await printingsOf(store, transaction, [...new Set(lost.map(({ card }) => card))]);
  const names = new Set(lost.map(({ card, printing }) => `${card} ${printing}`));
  const own = known.filter(({ cardRowId, name }) => names.has(`${cardRowId} ${name}`));
  return own.map(({ rowId }) => rowId).sort((a, b) => a - b);
}

/** Whether all of a delisting was already rejected, or has closed. */
function isDecided(known: QuarantineEntry, { delisted }: NewQuarantineEntry): boolean {
  return known.decision !== null && delisted.every((printing) => known.delisted.includes(printing));
}

/** Clears delisted printings that the source prices again; returns the remaining delistings. */
async function clearReturned(
  store: Store,
  transaction: Transaction,
  source: string,
): Promise<QuarantineEntry[]> {
  const left: QuarantineEntry[] = [];
  const changed: QuarantineEntry[] = [];
  const cleared: number[] = [];
  for (const entry of await readMassDelistings(transaction, source)) {
    const since = entry.observedAt ?? 0;
    const returned = await printingsObservedSince(transaction, source, entry.delisted, since);
    const delisted = entry.delisted.filter((printing) => !returned.has(printing));
    const now = { ...entry, delisted };
    if (delisted.length === 0) cleared.push(entry.id);
    else left.push(now);
    if (delisted.length > 0 && returned.size > 0) changed.push(now);
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
  /** The number of the set's priced printings, including the lost ones. */
  readonly had: number;
  /** The number of lost ones. */
  readonly gone: number;
}

/**
 * Catches too many lost prices of a set at once. A few are normal; many mean that the source cut
 * the file short. Too many is more than 30 % (`lossShare`), and at least five. The largest real
 * loss of a set from one day to the next was 22 % (68 of 305, in its week of release). All others
 * lost 6 % or less.
 */
export function massDelisting(
  { source, name, had, gone }: SetDelisting,
  { limits }: ValidationContext,
): Finding | undefined {
  if (!isTooMany(gone, had, limits)) return undefined;
  const prices = `${source} no longer has a price for ${gone} of ${had} printings`;
  return { rule: 'mass-delisting', detail: `${prices} of ${name}, which keep their last price.` };
}
