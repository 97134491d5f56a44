import type { Millis } from '../domain/day.ts';
import type { GameSlug } from '../domain/games.ts';
import type { KnownFiles, Snapshot } from '../sources/source.ts';
import { nextKeys, readSets } from '../store/catalogue.ts';
import type { Store } from '../store/connect.ts';
import {
  lastFinishedImport,
  publish,
  readPublication,
  readSourceFiles,
  recordImportEnd,
  recordImportStart,
  startWriting,
} from '../store/imports.ts';
import { takeLock } from './lock.ts';
import { SetBook } from './match.ts';
import { type GroupCounts, type WriteRun, writeGroup } from './write.ts';

/** What an import did; `broken` groups were skipped whole and can be imported again. */
export interface ImportSummary extends GroupCounts {
  readonly source: string;
  readonly observedAt: Millis;
  readonly games: readonly GameSlug[];
  /** Groups read and written, and groups that were the same as at the last import. */
  sets: number;
  setsUnchanged: number;
  cards: number;
  readonly skipped: Record<string, number>;
  readonly broken: { name: string; reason: string }[];
  seconds: number;
}

export interface ImportOptions {
  readonly clock: () => Millis;
  /** Called after each group. */
  readonly onProgress?: (done: number, total: number, name: string) => void;
}

/**
 * Imports one snapshot of a source: each group in one transaction, one publication at the end.
 * Stopped at any moment, what was there stays whole, and the next run does the rest.
 *
 * @throws OperatorError when another import is running.
 */
export async function importSnapshot(
  store: Store,
  snapshot: Snapshot,
  options: ImportOptions,
): Promise<ImportSummary> {
  const lock = await takeLock(store, options.clock);
  try {
    const startedAt = options.clock();
    const started = performance.now();
    const run = await recordImportStart(store.db, snapshot.source, startedAt);
    const summary = emptySummary(snapshot);
    await writeAll(store, snapshot, summary, startedAt, async (name) => {
      const done = summary.sets + summary.setsUnchanged + summary.broken.length;
      options.onProgress?.(done, snapshot.groupCount, name);
      await lock.renew();
    });
    summary.seconds = (performance.now() - started) / 1000;
    const { observedAt } = snapshot;
    await recordImportEnd(store.db, run, { finishedAt: options.clock(), observedAt, summary });
    return summary;
  } finally {
    await lock.free();
  }
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
  const { broken, games: had } = JSON.parse(last.summary) as ImportSummary;
  return broken.length === 0 && games.every((game) => had.includes(game));
}

async function writeAll(
  store: Store,
  snapshot: Snapshot,
  summary: ImportSummary,
  startedAt: Millis,
  afterGroup: (name: string) => Promise<void>,
): Promise<void> {
  const { published, unfinished } = await readPublication(store.db);
  const run: WriteRun = {
    store,
    source: snapshot.source,
    priceSource: snapshot.priceSource,
    startedAt,
    revision: published + 1,
    next: await nextKeys(store.db),
    sets: new SetBook(await readSets(store.db)),
  };
  let writing = unfinished;
  for await (const outcome of snapshot.groups(await knownFiles(store, snapshot.source))) {
    if (outcome.kind === 'broken') {
      summary.broken.push({ name: outcome.name, reason: outcome.reason });
      await afterGroup(outcome.name);
      continue;
    }
    if (outcome.kind === 'unchanged') {
      summary.setsUnchanged += 1;
      await afterGroup(outcome.name);
      continue;
    }
    const { group } = outcome;
    if (!writing) await startWriting(store.db, run.revision);
    writing = true;
    const counts = await writeGroup(run, group);
    summary.sets += 1;
    summary.cards += group.cards === 'unchanged' ? 0 : group.cards.length;
    add(summary, counts);
    add(summary.skipped, group.skipped);
    await afterGroup(group.set.name);
  }
  if (writing) await publish(store.db, run.revision);
}

async function knownFiles(store: Store, source: string): Promise<KnownFiles> {
  const rows = await readSourceFiles(store.db, source);
  return (path) => {
    const row = rows.get(path);
    return row && { path, digest: row.digest, etag: row.etag, observedAt: row.observed_at };
  };
}

/** Adds counts to those of the same name. */
function add<Counts extends object>(total: Counts, counts: object): void {
  const sums = total as Record<string, number>;
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
}

function emptySummary(snapshot: Snapshot): ImportSummary {
  return {
    source: snapshot.source,
    observedAt: snapshot.observedAt,
    games: snapshot.games,
    sets: 0,
    setsUnchanged: 0,
    cards: 0,
    setsAdded: 0,
    cardsAdded: 0,
    cardsChanged: 0,
    printings: 0,
    printingsAdded: 0,
    prices: 0,
    pricesChanged: 0,
    historyAdded: 0,
    historyCorrected: 0,
    listingsWithoutCard: 0,
    skipped: {},
    broken: [],
    seconds: 0,
  };
}
