import type { Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import { countsAs } from '../../domain/sources.ts';
import { addCounts } from '../../lib/counts.ts';
import { readAhead } from '../../lib/read-ahead.ts';
import type { Group, GroupOutcome, Snapshot } from '../../sources/contract/snapshot.ts';
import { readSets } from '../../store/catalogue/catalogue.ts';
import { lastFinishedImport } from '../../store/catalogue/imports.ts';
import type { Store } from '../../store/connect.ts';
import type { DamagedHistory } from '../../store/history/index.ts';
import { KnownSets } from '../identity/known-sets.ts';
import {
  type ImportOptions,
  type ImportProgress,
  knownFiles,
  type OpenDriver,
  requirePast,
  runImport,
} from '../import.ts';
import { clearDelistings } from '../pricing/write.ts';
import type { ImportRun } from '../run.ts';
import type { ImportSummary, ImportTally } from '../summary.ts';
import { batchesOf } from './batches.ts';
import { type GroupCounts, type GroupRun, writeGroups } from './groups.ts';

/**
 * The outcome of the import of a snapshot. `broken` contains the skipped groups and the bad rows.
 */
export interface SnapshotSummary extends ImportSummary, GroupCounts {
  readonly observedAt: Millis;
  readonly games: readonly GameSlug[];
  /** Written groups, and groups that were unchanged since the last import. */
  readonly sets: number;
  readonly setsUnchanged: number;
  /** Printings with a price. */
  readonly prices: number;
  /** All broken groups and rows. `broken` names every group and the first hundred rows. */
  readonly brokenCount: number;
}

export interface SnapshotImportOptions extends ImportOptions {
  /** Cards, prices and days in one transaction. A group is never divided. */
  readonly itemsAtOnce?: number;
}

/**
 * Imports one snapshot of a source, with a few groups in each transaction.
 *
 * @throws OperatorError if the prices are from the future, or if another import is running.
 */
export async function importSnapshot(
  store: Store,
  snapshot: Snapshot,
  options: SnapshotImportOptions,
): Promise<SnapshotSummary> {
  const { source, observedAt } = snapshot;
  requirePast(observedAt, options.clock());
  const open = (run: ImportRun, tally: ImportTally) => {
    return SnapshotDriver.open(run, tally, snapshot, options);
  };
  return runImport(store, { source, open }, options);
}

/** Whether a source's newest import covered all of these games as of this moment. */
export async function isImported(
  store: Store,
  source: string,
  observedAt: Millis,
  games: readonly GameSlug[],
): Promise<boolean> {
  const last = await lastFinishedImport(store.db, source);
  if (!last?.summary || last.observedAt !== observedAt) return false;
  const { broken = [], games: had = [] } = last.summary;
  return broken.length === 0 && games.every((game) => had.includes(game));
}

/** A snapshot names all broken groups, because each must be imported again. */
const ALL = Number.POSITIVE_INFINITY;

/** The damaged histories of groups. */
type Damage = ReadonlyMap<Group, readonly DamagedHistory[]>;

const NO_DAMAGE: Damage = new Map();

class SnapshotDriver implements OpenDriver<readonly GroupOutcome[], SnapshotSummary> {
  readonly #run: GroupRun;
  readonly #tally: ImportTally;
  readonly #snapshot: Snapshot;
  readonly #options: SnapshotImportOptions;
  #read = 0;
  #written = 0;
  #unchanged = 0;
  readonly #counts: GroupCounts = {
    cards: 0,
    products: 0,
    setsAdded: 0,
    cardsAdded: 0,
    cardsChanged: 0,
    printings: 0,
    listingsWithoutCard: 0,
  };

  private constructor(
    run: GroupRun,
    tally: ImportTally,
    snapshot: Snapshot,
    options: SnapshotImportOptions,
  ) {
    this.#run = run;
    this.#tally = tally;
    this.#snapshot = snapshot;
    this.#options = options;
  }

  static async open(
    run: ImportRun,
    tally: ImportTally,
    snapshot: Snapshot,
    options: SnapshotImportOptions,
  ) {
    const sets = new KnownSets(await readSets(run.store.db));
    const { source, marketplace } = snapshot;
    return new SnapshotDriver({ ...run, source, marketplace, sets }, tally, snapshot, options);
  }

  get observedAt(): Millis {
    return this.#snapshot.observedAt;
  }

  async *parts(): AsyncGenerator<readonly GroupOutcome[]> {
    const known = await knownFiles(this.#run.store, this.#snapshot.source);
    // The next groups are read while the database writes these.
    const { itemsAtOnce } = this.#options;
    yield* readAhead(batchesOf(this.#snapshot.groups(known), itemsAtOnce));
  }

  async write(outcomes: readonly GroupOutcome[]): Promise<ImportProgress> {
    const groups = outcomes.flatMap((one) => (one.kind === 'read' ? [one.group] : []));
    const damaged = groups.length > 0 ? await this.#writeGroups(groups) : NO_DAMAGE;
    let last = '';
    for (const outcome of outcomes) last = this.#note(outcome, damaged);
    this.#read += outcomes.length;
    return { done: this.#read, total: this.#snapshot.groupCount, name: last };
  }

  async #writeGroups(groups: readonly Group[]): Promise<Damage> {
    const { counts, written, damaged } = await writeGroups(this.#run, groups);
    this.#written += groups.length;
    addCounts(this.#counts, counts);
    this.#tally.addWritten(written);
    return damaged;
  }

  /** Counts the outcome of a group; returns its name. */
  #note(outcome: GroupOutcome, damaged: Damage): string {
    const name = outcome.kind === 'read' ? outcome.group.set.name : outcome.name;
    const { part = name } = outcome;
    if (outcome.kind === 'broken') {
      this.#tally.addBroken({ part, game: outcome.game ?? null }, outcome, ALL);
    } else {
      this.#tally.failed.addRead(part);
    }
    if (outcome.kind === 'unchanged') this.#unchanged += 1;
    if (outcome.kind === 'read') this.#noteFaults(part, outcome.group, damaged);
    return name;
  }

  #noteFaults(part: string, group: Group, damaged: Damage): void {
    const { game, name } = group.set;
    this.#tally.addSkipped(group.skipped);
    this.#tally.addDamaged(damaged.get(group) ?? [], name, ALL);
    for (const row of group.badRows ?? []) this.#tally.addBadRow({ part, game }, row);
  }

  isGone(part: string): boolean {
    return this.#snapshot.covers?.(part) ?? false;
  }

  async finish(): Promise<void> {
    await clearDelistings(this.#run, countsAs(this.#snapshot.source));
  }

  summarise(seconds: number): SnapshotSummary {
    const { counts, skipped, quarantined, broken, brokenCount } = this.#tally;
    const { cards, products, setsAdded, cardsAdded, cardsChanged, printings, listingsWithoutCard } =
      this.#counts;
    return {
      source: this.#snapshot.source,
      observedAt: this.#snapshot.observedAt,
      games: this.#snapshot.games,
      sets: this.#written,
      setsUnchanged: this.#unchanged,
      cards,
      products,
      setsAdded,
      cardsAdded,
      cardsChanged,
      printings,
      printingsAdded: counts.printingsAdded,
      prices: counts.prices,
      pricesChanged: counts.pricesChanged,
      historyAdded: counts.historyAdded,
      historyCorrected: counts.historyCorrected,
      listingsWithoutCard,
      skipped,
      quarantined,
      broken,
      brokenCount,
      seconds,
    };
  }
}
