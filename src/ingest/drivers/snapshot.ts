import type { Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import { countsAs } from '../../domain/sources.ts';
import { addCounts } from '../../lib/counts.ts';
import { readAhead } from '../../lib/read-ahead.ts';
import type { Group, GroupOutcome, Snapshot } from '../../sources/contract/snapshot.ts';
import { readSets } from '../../store/catalogue/catalogue.ts';
import { lastFinishedImport } from '../../store/catalogue/imports.ts';
import type { Store } from '../../store/connect.ts';
import { knownFiles } from '../files.ts';
import { KnownSets } from '../identity/admit.ts';
import { type ImportOptions, type ImportProgress, type OpenDriver, runImport } from '../import.ts';
import { clearDelistings } from '../pricing/write.ts';
import type { ImportRun } from '../run.ts';
import type { ImportSummary, ImportTally } from '../summary.ts';
import { type GroupCounts, type GroupRun, writeGroup } from './write-group.ts';

/** What the import of a snapshot did; `broken` has groups that were skipped whole, and bad rows. */
export interface SnapshotSummary extends ImportSummary, GroupCounts {
  readonly observedAt: Millis;
  readonly games: readonly GameSlug[];
  /** Groups that were written, and groups that were the same as at the last import. */
  readonly sets: number;
  readonly setsUnchanged: number;
  /** Printings with a price. */
  readonly prices: number;
  /** `broken` names all groups and the first hundred rows of these. */
  readonly brokenCount: number;
}

/**
 * Imports one snapshot of a source, a group in each transaction.
 *
 * @throws OperatorError when another import is running.
 */
export function importSnapshot(
  store: Store,
  snapshot: Snapshot,
  options: ImportOptions,
): Promise<SnapshotSummary> {
  const { source } = snapshot;
  const open = (run: ImportRun, tally: ImportTally) => SnapshotDriver.open(run, tally, snapshot);
  return runImport(store, { source, open }, options);
}

/** Whether the newest import of a source had all of these games as of this very moment. */
export async function isImported(
  store: Store,
  source: string,
  observedAt: Millis,
  games: readonly GameSlug[],
): Promise<boolean> {
  const last = await lastFinishedImport(store.db, source);
  if (!last?.summary || last.observed_at !== observedAt) return false;
  const { broken, games: had } = JSON.parse(last.summary) as SnapshotSummary;
  return broken.length === 0 && games.every((game) => had.includes(game));
}

/** Of a snapshot all broken groups are named: each is to be imported again. */
const ALL = Number.POSITIVE_INFINITY;

class SnapshotDriver implements OpenDriver<GroupOutcome, SnapshotSummary> {
  readonly #run: GroupRun;
  readonly #tally: ImportTally;
  readonly #snapshot: Snapshot;
  #read = 0;
  #written = 0;
  #unchanged = 0;
  readonly #counts: GroupCounts = {
    cards: 0,
    setsAdded: 0,
    cardsAdded: 0,
    cardsChanged: 0,
    printings: 0,
    listingsWithoutCard: 0,
  };

  private constructor(run: GroupRun, tally: ImportTally, snapshot: Snapshot) {
    this.#run = run;
    this.#tally = tally;
    this.#snapshot = snapshot;
  }

  static async open(run: ImportRun, tally: ImportTally, snapshot: Snapshot) {
    const sets = new KnownSets(await readSets(run.store.db));
    const { source, marketplace } = snapshot;
    return new SnapshotDriver({ ...run, source, marketplace, sets }, tally, snapshot);
  }

  get observedAt(): Millis {
    return this.#snapshot.observedAt;
  }

  async *parts(): AsyncGenerator<GroupOutcome> {
    const known = await knownFiles(this.#run.store, this.#snapshot.source);
    yield* readAhead(this.#snapshot.groups(known));
  }

  async write(outcome: GroupOutcome): Promise<ImportProgress> {
    const name = outcome.kind === 'read' ? outcome.group.set.name : outcome.name;
    const { part = name } = outcome;
    if (outcome.kind === 'broken') {
      this.#tally.addBroken({ part, game: outcome.game ?? null }, outcome, ALL);
    } else if (outcome.kind === 'unchanged') {
      this.#unchanged += 1;
      this.#tally.failed.addRead(part);
    } else {
      await this.#writeGroup(part, outcome.group);
    }
    this.#read += 1;
    return { done: this.#read, total: this.#snapshot.groupCount, name };
  }

  async #writeGroup(part: string, group: Group): Promise<void> {
    const { counts, written } = await writeGroup(this.#run, group);
    this.#written += 1;
    addCounts(this.#counts, counts);
    this.#tally.addSkipped(group.skipped);
    this.#tally.addWritten(written, group.set.name, ALL);
    this.#tally.failed.addRead(part);
    for (const row of group.badRows ?? []) {
      this.#tally.addBadRow({ part, game: group.set.game }, row);
    }
  }

  isGone(part: string): boolean {
    return this.#snapshot.covers?.(part) ?? false;
  }

  async finish(): Promise<void> {
    await clearDelistings(this.#run, countsAs(this.#snapshot.source));
  }

  summarise(seconds: number): SnapshotSummary {
    const { counts, skipped, quarantined, broken, brokenCount } = this.#tally;
    const { cards, setsAdded, cardsAdded, cardsChanged, printings, listingsWithoutCard } =
      this.#counts;
    return {
      source: this.#snapshot.source,
      observedAt: this.#snapshot.observedAt,
      games: this.#snapshot.games,
      sets: this.#written,
      setsUnchanged: this.#unchanged,
      cards,
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
      quarantined: quarantined,
      broken,
      brokenCount,
      seconds,
    };
  }
}
