import type { Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import { countsAs } from '../../domain/sources.ts';
import { addCounts } from '../../lib/counts.ts';
import type { Snapshot } from '../../sources/contract/snapshot.ts';
import { readSets } from '../../store/catalogue.ts';
import type { Store } from '../../store/connect.ts';
import { lastFinishedImport, recordImportEnd, recordImportStart } from '../../store/imports.ts';
import { KnownSets } from '../identity/admit.ts';
import { takeLock } from '../lock.ts';
import { openQuoteRun, type PriceSettings } from '../open.ts';
import { settleDelisted } from '../pricing/pipeline.ts';
import { knownFiles } from './files.ts';
import { type GroupCounts, type WriteRun, writeGroup } from './write-group.ts';

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
  /** How many prices were held back, by reason. */
  readonly heldBack: Record<string, number>;
  readonly broken: { name: string; reason: string }[];
  seconds: number;
}

export interface ImportOptions extends PriceSettings {
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
    const id = await recordImportStart(store.db, snapshot.source, startedAt);
    const summary = emptySummary(snapshot);
    const run = {
      ...(await openQuoteRun(store, startedAt, options)),
      source: snapshot.source,
      priceSource: snapshot.marketplace,
      sets: new KnownSets(await readSets(store.db)),
    };
    let done = 0;
    await writeAll(run, snapshot, summary, async (name) => {
      done += 1;
      options.onProgress?.(done, snapshot.groupCount, name);
      await lock.renew();
    });
    summary.seconds = (performance.now() - started) / 1000;
    const { observedAt } = snapshot;
    await recordImportEnd(store.db, id, { finishedAt: options.clock(), observedAt, summary });
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
  run: WriteRun,
  snapshot: Snapshot,
  summary: ImportSummary,
  afterGroup: (name: string) => Promise<void>,
): Promise<void> {
  const { store, publication } = run;
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
    const { counts, heldBack, damaged } = await writeGroup(run, group);
    summary.sets += 1;
    summary.cards += group.cards === 'unchanged' ? 0 : group.cards.length;
    addCounts(summary, counts);
    addCounts(summary.skipped, group.skipped);
    addCounts(summary.heldBack, heldBack);
    for (const { message } of damaged) {
      summary.broken.push({ name: group.set.name, reason: message });
    }
    await afterGroup(group.set.name);
  }
  await settleDelisted(run, countsAs(snapshot.source));
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
    heldBack: {},
    broken: [],
    seconds: 0,
  };
}
