import type { CopyName } from '../../domain/copy.ts';
import { type Day, dayOf, type Millis } from '../../domain/day.ts';
import { NO_PRICES } from '../../domain/price.ts';
import { countsAs } from '../../domain/sources.ts';
import type {
  Backfill,
  BackfillChunk,
  BackfillListing,
  BackfillPart,
  BackfillStep,
} from '../../sources/contract/backfill.ts';
import type { KnownFile } from '../../sources/contract/files.ts';
import { upsertSourceFiles } from '../../store/catalogue/imports.ts';
import { newestObservations } from '../../store/catalogue/series.ts';
import type { Store } from '../../store/connect.ts';
import {
  type ImportOptions,
  type ImportProgress,
  knownFiles,
  type OpenDriver,
  runImport,
} from '../import.ts';
import { clearDelistings } from '../pricing/write.ts';
import type { ImportRun } from '../run.ts';
import type { ImportSummary, ImportTally } from '../summary.ts';
import {
  type MarketKey,
  marketKey,
  PointBuffer,
  type SeriesDays,
  type SeriesExtras,
  SeriesIndex,
  type SeriesRun,
  writeSeries,
} from './series.ts';

/** The outcome of a backfill. */
export interface BackfillSummary extends ImportSummary {
  /** Parts that were read, parts unchanged since an earlier import, and parts that do not exist. */
  readonly parts: number;
  readonly partsUnchanged: number;
  readonly partsUnavailable: number;
  /** Days of printings, including days without a price. */
  readonly points: number;
  /** Printings that are not served, because no exchange rate is set for their day. */
  readonly withoutRate: number;
  /** Listings that match none of our cards, mostly sealed products. */
  readonly unmatched: number;
  /** `broken` names the first hundred of these. */
  readonly brokenCount: number;
}

export interface BackfillOptions extends ImportOptions {
  /** Points (days of series, 28 bytes each) collected before a write. */
  readonly pointsAtOnce?: number;
}

/** 140 MB: twelve days of 400,000 printings. */
const POINTS_AT_ONCE = 5_000_000;

/** A transaction of this many takes a fraction of a second. A set is never divided. */
const POINTS_PER_TRANSACTION = 100_000;

/**
 * Imports past days. Collects many days first, then writes them set by set. So a set is judged as a
 * whole, and few blocks of history are written more than once.
 *
 * The newest day of a series becomes its served price, unless a newer price is already served.
 * Therefore the history has no day after the newest served price of its game.
 *
 * @throws OperatorError if another import is running.
 */
export function importBackfill(
  store: Store,
  backfill: Backfill,
  options: BackfillOptions,
): Promise<BackfillSummary> {
  const { source } = backfill;
  const { pointsAtOnce = POINTS_AT_ONCE } = options;
  const open = (run: ImportRun, tally: ImportTally) => {
    return BackfillDriver.open(run, tally, backfill, pointsAtOnce);
  };
  return runImport(store, { source, open }, options);
}

class BackfillDriver implements OpenDriver<BackfillStep, BackfillSummary> {
  readonly #run: SeriesRun;
  readonly #tally: ImportTally;
  readonly #index: SeriesIndex;
  readonly #points: PointBuffer;
  /** The points that the last part added to the buffer. */
  #partSize = 0;
  /** By number of the series. */
  readonly #extras = new Map<number, SeriesExtras>();
  /** Files to remember once all of their points are written. */
  #files: KnownFile[] = [];
  #observedAt: Millis | null = null;
  readonly #parts = { read: 0, unchanged: 0, unavailable: 0 };
  #written = 0;
  #unmatched = 0;

  private constructor(
    run: SeriesRun,
    tally: ImportTally,
    index: SeriesIndex,
    pointsAtOnce: number,
  ) {
    this.#run = run;
    this.#tally = tally;
    this.#index = index;
    this.#points = new PointBuffer(pointsAtOnce);
  }

  static async open(run: ImportRun, tally: ImportTally, backfill: Backfill, pointsAtOnce: number) {
    const newestDays = await readNewestDays(run.store, countsAs(backfill.source));
    const index = await SeriesIndex.open(run.store, backfill.idSpace);
    return new BackfillDriver({ ...run, backfill, newestDays }, tally, index, pointsAtOnce);
  }

  /** The newest moment of the written files; null if there is none. */
  get observedAt(): Millis | null {
    return this.#observedAt;
  }

  async *parts(): AsyncGenerator<BackfillStep> {
    const { store, backfill } = this.#run;
    yield* backfill.parts(await knownFiles(store, backfill.source));
  }

  async write({ outcome, done }: BackfillStep): Promise<ImportProgress> {
    const { name } = outcome;
    if (outcome.kind === 'broken') this.#tally.addBroken({ part: name, game: null }, outcome);
    else this.#tally.failed.addRead(name);
    if (outcome.kind === 'read') await this.#gather(name, outcome.part);
    else if (outcome.kind !== 'broken') this.#parts[outcome.kind] += 1;
    return { done, total: this.#run.backfill.total, name };
  }

  async finish(): Promise<void> {
    await this.#writePoints();
    await clearDelistings(this.#run, countsAs(this.#run.backfill.source));
  }

  async #gather(name: string, { chunks, file }: BackfillPart): Promise<void> {
    // Write first if a part as large as the last may not fit, because a day of a set is never
    // divided.
    if (this.#points.free < this.#partSize) await this.#writePoints();
    const before = this.#tally.brokenCount;
    const sizeBefore = this.#points.size;
    for (const chunk of chunks) await this.#gatherChunk(name, chunk);
    this.#parts.read += 1;
    if (file && this.#tally.brokenCount === before) this.#files.push(file);
    this.#partSize = Math.max(0, this.#points.size - sizeBefore);
  }

  async #gatherChunk(part: string, { listings, skipped, broken }: BackfillChunk): Promise<void> {
    for (const listing of listings) {
      const series = this.#seriesOf(listing);
      if (series === undefined) {
        this.#unmatched += 1;
        continue;
      }
      const copies = Object.entries({ ...listing.conditions, ...listing.graded });
      if (this.#points.free <= copies.length) await this.#writePoints();
      this.#points.add(series, listing.day, listing.prices);
      for (const [name, market] of copies) {
        const copy = this.#index.copyOf(series, name as CopyName);
        this.#points.add(copy, listing.day, { ...NO_PRICES, market });
      }
      this.#keepExtras(series, listing);
    }
    this.#tally.addSkipped(skipped);
    for (const row of broken) this.#tally.addBadRow({ part, game: null }, row);
  }

  #seriesOf(listing: BackfillListing): number | undefined {
    const { backfill } = this.#run;
    const { externalId, printing, currency = 'USD' } = listing;
    const { marketplace = backfill.marketplace } = listing;
    return this.#index.numberOf(externalId, { printing, marketplace, currency });
  }

  /** Keeps the fields that only the newest day has, which is the source's current report. */
  #keepExtras(series: number, { day, conditions, graded, trade }: BackfillListing): void {
    if (!conditions && !graded && !trade) return;
    const known = this.#extras.get(series);
    if (known && known.day > day) return;
    this.#extras.set(series, {
      day,
      ...(conditions && { conditions }),
      ...(graded && { graded }),
      ...(trade && { trade }),
    });
  }

  async #writePoints(): Promise<void> {
    const before = this.#tally.brokenCount;
    for (const batch of this.#batches()) {
      const written = await writeSeries(this.#run, batch);
      this.#tally.addWritten(written);
      this.#tally.addDamaged(written.damaged);
      for (const { days } of batch) this.#written += days.length;
      await this.#run.lock.renew();
    }
    if (this.#tally.brokenCount > before) this.#files = [];
    await this.#rememberFiles();
  }

  /** Yields the collected days in whole sets, because a set is judged as a whole. */
  *#batches(): Generator<SeriesDays[]> {
    let batch = new Map<number, SeriesDays>();
    let set: number | undefined;
    let size = 0;
    for (const [number, days] of this.#points.drain(this.#index.bySet())) {
      const series = this.#index.at(number);
      if (series.set !== set && size >= POINTS_PER_TRANSACTION) {
        yield [...batch.values()];
        batch = new Map();
        size = 0;
      }
      ({ set } = series);
      if (series.copy !== undefined) batch.get(series.of ?? 0)?.copies.set(series.copy, days);
      else batch.set(number, { series, days, extras: this.#extras.get(number), copies: new Map() });
      size += days.length;
    }
    if (size > 0) yield [...batch.values()];
  }

  async #rememberFiles(): Promise<void> {
    const { store, backfill } = this.#run;
    await store.db.transaction().execute((transaction) => {
      return upsertSourceFiles(store, transaction, backfill.source, this.#files);
    });
    const moments = this.#files.map(({ observedAt }) => observedAt);
    if (moments.length > 0) this.#observedAt = Math.max(this.#observedAt ?? 0, ...moments);
    this.#files = [];
  }

  summarise(seconds: number): BackfillSummary {
    const { counts, skipped, quarantined, broken, brokenCount } = this.#tally;
    return {
      source: this.#run.backfill.source,
      parts: this.#parts.read,
      partsUnchanged: this.#parts.unchanged,
      partsUnavailable: this.#parts.unavailable,
      points: this.#written,
      withoutRate: counts.withoutRate,
      printingsAdded: counts.printingsAdded,
      pricesChanged: counts.pricesChanged,
      historyAdded: counts.historyAdded,
      historyCorrected: counts.historyCorrected,
      unmatched: this.#unmatched,
      skipped,
      quarantined,
      broken,
      brokenCount,
      seconds,
    };
  }
}

/** Returns the day of a source's newest price, by game and marketplace. */
async function readNewestDays(store: Store, source: string): Promise<Map<MarketKey, Day>> {
  const all = await newestObservations(store.db, source);
  return new Map(all.map((one) => [marketKey(one), dayOf(one.newest)]));
}
