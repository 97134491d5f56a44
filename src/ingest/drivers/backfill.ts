import { type Day, dayOf, type Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import { countsAs } from '../../domain/sources.ts';
import { addCounts } from '../../lib/counts.ts';
import type {
  Backfill,
  BackfillChunk,
  BackfillListing,
  BackfillOutcome,
  BackfillPart,
} from '../../sources/contract/backfill.ts';
import type { Store } from '../../store/connect.ts';
import { recordImportEnd, recordImportStart, upsertSourceFiles } from '../../store/imports.ts';
import { newestObservations } from '../../store/series.ts';
import { type ImportLock, takeLock } from '../lock.ts';
import { openQuoteRun, type PriceSettings } from '../open.ts';
import { settleDelisted } from '../pricing/pipeline.ts';
import { knownFiles } from './files.ts';
import { PointBuffer } from './points.ts';
import { SeriesBook } from './series.ts';
import {
  type SeriesCounts,
  type SeriesDays,
  type SeriesExtras,
  type SeriesRun,
  writeSeries,
} from './write-series.ts';

/** What an import of the past did. */
export interface BackfillSummary extends SeriesCounts {
  readonly source: string;
  /** Parts that were read, that were the same as at an earlier import, that nobody has. */
  parts: number;
  partsUnchanged: number;
  partsUnavailable: number;
  /** Listings whose card is none of ours: sealed products mostly. */
  unmatched: number;
  readonly skipped: Record<string, number>;
  /** How many prices were held back, by reason. */
  readonly heldBack: Record<string, number>;
  /** What could not be read, the first hundred of `brokenCount`. */
  readonly broken: { name: string; reason: string }[];
  brokenCount: number;
  seconds: number;
}

export interface BackfillOptions extends PriceSettings {
  readonly clock: () => Millis;
  /** How many days of series are gathered before they are written; 28 bytes each. */
  readonly pointsAtOnce?: number;
  /** Called after each part with how far the source is, of its total. */
  readonly onProgress?: (done: number, total: number, name: string) => void;
}

/** 140 MB of them: twelve days of 400,000 printings. */
const POINTS_AT_ONCE = 5_000_000;

/** A transaction of this many takes a fraction of a second. */
const POINTS_PER_TRANSACTION = 100_000;

const BROKEN_NAMED = 100;

/**
 * Imports days of the past. Many days are gathered first and then written series by series, so
 * that few blocks of history are written more than once. Stopped at any moment, what was there
 * stays whole, and the next run does the rest.
 *
 * The newest day of a series becomes what it serves, unless something newer is served already;
 * so nothing in the history is newer than the newest served price of its game.
 *
 * @throws OperatorError when another import is running.
 */
export async function importBackfill(
  store: Store,
  past: Backfill,
  options: BackfillOptions,
): Promise<BackfillSummary> {
  const lock = await takeLock(store, options.clock);
  try {
    const startedAt = options.clock();
    const started = performance.now();
    const id = await recordImportStart(store.db, past.source, startedAt);
    const run = await BackfillRun.open(store, past, { ...options, startedAt, lock });
    for await (const { outcome, done } of past.parts(await knownFiles(store, past.source))) {
      await run.take(outcome);
      options.onProgress?.(done, past.total, outcome.name);
      await lock.renew();
    }
    const { summary, observedAt } = await run.finish();
    summary.seconds = (performance.now() - started) / 1000;
    await recordImportEnd(store.db, id, { finishedAt: options.clock(), observedAt, summary });
    return summary;
  } finally {
    await lock.free();
  }
}

interface PastStart {
  readonly startedAt: Millis;
  readonly lock: ImportLock;
}

/** One import of the past, on its way. */
class BackfillRun {
  readonly #run: SeriesRun;
  readonly #book: SeriesBook;
  readonly #points: PointBuffer;
  /** By slot. */
  readonly #extras = new Map<number, SeriesExtras>();
  readonly #lock: ImportLock;
  readonly #summary: BackfillSummary;
  /** Files whose last day is gathered, to be remembered once it is written. */
  #files: NonNullable<BackfillPart['file']>[] = [];
  #observedAt: Millis | null = null;

  private constructor(run: SeriesRun, book: SeriesBook, points: PointBuffer, lock: ImportLock) {
    this.#run = run;
    this.#book = book;
    this.#points = points;
    this.#lock = lock;
    this.#summary = emptySummary(run.past);
  }

  static async open(
    store: Store,
    past: Backfill,
    { startedAt, lock, pointsAtOnce, ...settings }: BackfillOptions & PastStart,
  ): Promise<BackfillRun> {
    const run: SeriesRun = {
      ...(await openQuoteRun(store, startedAt, settings)),
      past,
      newest: await newestDays(store, countsAs(past.source)),
    };
    const book = await SeriesBook.open(store, past.idSpace);
    return new BackfillRun(run, book, new PointBuffer(pointsAtOnce ?? POINTS_AT_ONCE), lock);
  }

  async take(outcome: BackfillOutcome): Promise<void> {
    if (outcome.kind === 'unchanged') this.#summary.partsUnchanged += 1;
    else if (outcome.kind === 'unavailable') this.#summary.partsUnavailable += 1;
    else if (outcome.kind === 'broken') this.#note(outcome.name, outcome.reason);
    else await this.#gather(outcome.part);
  }

  /** Writes what is left, and lets readers see all of it. */
  async finish(): Promise<{ summary: BackfillSummary; observedAt: Millis | null }> {
    await this.#write();
    await settleDelisted(this.#run, countsAs(this.#run.past.source));
    await this.#run.publication.finish();
    return { summary: this.#summary, observedAt: this.#observedAt };
  }

  async #gather({ chunks, file }: BackfillPart): Promise<void> {
    const before = this.#summary.brokenCount;
    for (const chunk of chunks) await this.#add(chunk);
    this.#summary.parts += 1;
    if (file && this.#summary.brokenCount === before) this.#files.push(file);
  }

  async #add({ listings, skipped, broken }: BackfillChunk): Promise<void> {
    for (const listing of listings) {
      const slot = this.#slot(listing);
      if (slot === undefined) {
        this.#summary.unmatched += 1;
        continue;
      }
      if (this.#points.isFull) await this.#write();
      this.#points.add(slot, listing.day, listing.prices);
      this.#keepExtras(slot, listing);
    }
    addCounts(this.#summary.skipped, skipped);
    for (const { name, reason } of broken) this.#note(name, reason);
  }

  #slot({
    externalId,
    printing,
    marketplace,
    currency = 'USD',
  }: BackfillListing): number | undefined {
    const kind = { printing, marketplace: marketplace ?? this.#run.past.marketplace, currency };
    return this.#book.slot(externalId, kind);
  }

  /** Conditions and grades have no history: those of the newest day are all that is of use. */
  #keepExtras(slot: number, { day, conditions, graded }: BackfillListing): void {
    if (!conditions && !graded) return;
    const known = this.#extras.get(slot);
    if (known && known.day > day) return;
    this.#extras.set(slot, { day, ...(conditions && { conditions }), ...(graded && { graded }) });
  }

  async #write(): Promise<void> {
    const before = this.#summary.brokenCount;
    for (const batch of this.#batches()) {
      const { counts, heldBack, damaged } = await writeSeries(this.#run, batch);
      addCounts(this.#summary, counts);
      addCounts(this.#summary.heldBack, heldBack);
      for (const { message } of damaged) this.#note('history', message);
      await this.#lock.renew();
    }
    if (this.#summary.brokenCount > before) this.#files = [];
    await this.#remember();
  }

  *#batches(): Generator<SeriesDays[]> {
    let batch: SeriesDays[] = [];
    let size = 0;
    for (const [slot, days] of this.#points.drain()) {
      batch.push({ series: this.#book.at(slot), days, extras: this.#extras.get(slot) });
      size += days.length;
      if (size < POINTS_PER_TRANSACTION) continue;
      yield batch;
      batch = [];
      size = 0;
    }
    if (size > 0) yield batch;
  }

  async #remember(): Promise<void> {
    const { store, past } = this.#run;
    const rows = this.#files.map(({ path, digest, etag, observedAt }) => {
      return { source: past.source, path, digest, etag, observed_at: observedAt };
    });
    await store.db.transaction().execute((transaction) => {
      return upsertSourceFiles(store, transaction, rows);
    });
    const moments = this.#files.map(({ observedAt }) => observedAt);
    if (moments.length > 0) this.#observedAt = Math.max(this.#observedAt ?? 0, ...moments);
    this.#files = [];
  }

  #note(name: string, reason: string): void {
    if (this.#summary.brokenCount < BROKEN_NAMED) this.#summary.broken.push({ name, reason });
    this.#summary.brokenCount += 1;
  }
}

/** The day of the newest price of a source, for each game that it has any of. */
async function newestDays(store: Store, source: string): Promise<Map<GameSlug, Day>> {
  const moments = await newestObservations(store.db, source);
  return new Map([...moments].map(([game, moment]) => [game, dayOf(moment)]));
}

function emptySummary({ source }: Backfill): BackfillSummary {
  return {
    source,
    parts: 0,
    partsUnchanged: 0,
    partsUnavailable: 0,
    points: 0,
    printingsAdded: 0,
    pricesChanged: 0,
    historyAdded: 0,
    historyCorrected: 0,
    unmatched: 0,
    skipped: {},
    heldBack: {},
    broken: [],
    brokenCount: 0,
    seconds: 0,
  };
}
