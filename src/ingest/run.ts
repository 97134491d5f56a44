import type { Millis } from '../domain/day.ts';
import type { GameSlug } from '../domain/games.ts';
import type { Snapshot } from '../sources/source.ts';
import { nextKeys, readSets } from '../store/catalogue.ts';
import type { Store } from '../store/connect.ts';
import { lastFinishedImport, recordImportEnd, recordImportStart } from '../store/imports.ts';
import { addCounts } from './counts.ts';
import { knownFiles } from './files.ts';
import { takeLock } from './lock.ts';
import { SetBook } from './match.ts';
import { NextPublication } from './publication.ts';
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
    let done = 0;
    await writeAll(store, snapshot, summary, startedAt, async (name) => {
      done += 1;
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
  const publication = await NextPublication.open(store);
  const run: WriteRun = {
    store,
    source: snapshot.source,
    priceSource: snapshot.priceSource,
    startedAt,
    revision: publication.revision,
    next: await nextKeys(store.db),
    sets: new SetBook(await readSets(store.db)),
  };
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
    await publication.begin(store.db);
    const { counts, damaged } = await writeGroup(run, group);
    summary.sets += 1;
    summary.cards += group.cards === 'unchanged' ? 0 : group.cards.length;
    addCounts(summary, counts);
    addCounts(summary.skipped, group.skipped);
    for (const { message } of damaged) {
      summary.broken.push({ name: group.set.name, reason: message });
    }
    await afterGroup(group.set.name);
  }
  await publication.finish();
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
