import { dayOf, formatDay, latestDay, type Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { combineRates, type Rates } from '../domain/rates.ts';
import { PARTS, type PartMessage } from '../lib/channels.ts';
import type { KnownFiles } from '../sources/contract/files.ts';
import { type NextRowIds, nextRowIds } from '../store/catalogue/catalogue.ts';
import {
  readOwnRates,
  readPublishedRates,
  writeOwnRates,
} from '../store/catalogue/exchange-rates.ts';
import { readSourceFiles, recordImportEnd, recordImportStart } from '../store/catalogue/imports.ts';
import { printingsInOtherCurrencies } from '../store/catalogue/observations.ts';
import type { Store } from '../store/connect.ts';
import { closeOldEntries } from '../store/quarantine/quarantine.ts';
import { type ImportLock, withLock } from './lock.ts';
import { mergeAgain } from './pricing/write.ts';
import { type ImportRun, NextPublication } from './run.ts';
import { type ImportSummary, ImportTally } from './summary.ts';
import { DEFAULT_LIMITS, type ValidationLimits } from './validation/index.ts';

/** The pipeline of all imports. Each kind of source has its own driver. */

/** The operator's settings for imports of prices. */
export interface PriceSettings {
  /** The operator's exchange rates; by default, those of the last import. */
  readonly rates?: Rates;
  /** The limits of validation; null accepts everything. */
  readonly limits?: ValidationLimits | null;
}

export interface ImportOptions extends PriceSettings {
  readonly clock: () => Millis;
  /** Called after each part. */
  readonly onProgress?: (done: number, total: number, name: string) => void;
}

/** The progress of an import, in the unit of its source. */
export interface ImportProgress {
  readonly done: number;
  readonly total: number;
  /** The part that was read last. */
  readonly name: string;
}

/** A kind of import: snapshots, feeds and backfills have one each. */
export interface Driver<Part, Summary extends ImportSummary> {
  /** The imported source, by its name in the registry. */
  readonly source: string;
  /** Looks up the data that writing needs. */
  open(run: ImportRun, tally: ImportTally): Promise<OpenDriver<Part, Summary>>;
}

/** A running driver. */
export interface OpenDriver<Part, Summary extends ImportSummary> {
  /** When the imported prices were observed, if already known. */
  readonly observedAt: Millis | null;
  /** Reads the source part by part. Each part is read once. */
  parts(): AsyncIterable<Part>;
  /** Writes a part in one transaction, or not at all. */
  write(part: Part): Promise<ImportProgress>;
  /** Writes everything that can only be decided once all parts are read. */
  finish(): Promise<void>;
  /** Whether an unread part no longer exists at the source, so its fault no longer matters. */
  isGone?(part: string): boolean;
  /** Returns the summary of the import, which took `seconds`. */
  summarise(seconds: number): Summary;
}

/**
 * Imports everything that a driver reads. One publication at the end makes all of it visible at
 * once. If the import stops early, the published data stay intact and the next import does the
 * rest.
 * @throws OperatorError if another import is running, or if the source cannot be read.
 */
export function runImport<Part, Summary extends ImportSummary>(
  store: Store,
  driver: Driver<Part, Summary>,
  options: ImportOptions,
): Promise<Summary> {
  const { clock } = options;
  return withLock(store, clock, async (lock) => {
    const startedAt = clock();
    const started = performance.now();
    const id = await recordImportStart(store.db, driver.source, startedAt);
    const run = await openRun(store, lock, startedAt, options);
    const tally = new ImportTally();
    tally.counts.pricesChanged += run.repriced;
    const open = await driver.open(run, tally);
    await writeParts(open, run, options);
    await open.finish();
    await closeOldEntries(store.db, startedAt);
    await run.publication.finish(clock());
    await tally.failed.save(store, driver.source, clock(), (part) => open.isGone?.(part) ?? false);
    const summary = open.summarise((performance.now() - started) / 1000);
    const { observedAt } = open;
    await recordImportEnd(store.db, id, { finishedAt: clock(), observedAt, summary });
    return summary;
  });
}

async function writeParts<Part>(
  driver: OpenDriver<Part, ImportSummary>,
  { store, lock, nextIds }: ImportRun,
  { onProgress }: ImportOptions,
): Promise<void> {
  const statistics = new Statistics(store, nextIds);
  for await (const part of driver.parts()) {
    const from = performance.now();
    const { done, total, name } = await driver.write(part);
    if (PARTS.hasSubscribers) PARTS.publish({ part: name, from } satisfies PartMessage);
    onProgress?.(done, total, name);
    await lock.renew();
    await statistics.keepUp();
  }
}

/**
 * Opens the dependencies of an import. If the exchange rates have changed, first merges the prices
 * that used the old rates again.
 */
export async function openRun(
  store: Store,
  lock: ImportLock,
  startedAt: Millis,
  settings: PriceSettings,
): Promise<ImportRun> {
  const { db } = store;
  const before = await readOwnRates(db);
  const { rates: own = before, limits = DEFAULT_LIMITS } = settings;
  const rates = combineRates(own, await readPublishedRates(db));
  const publication = await NextPublication.open(store);
  const nextIds = await nextRowIds(db);
  const run = { store, lock, startedAt, nextIds, publication, rates, repriced: 0, limits };
  if (areSame(own, before)) return run;
  const repriced = await convertAgain(run);
  await writeOwnRates(db, own);
  return { ...run, repriced };
}

/**
 * Merges printings again that have an observation since a moment in a currency other than dollars.
 * Returns the number of changed served prices.
 */
export async function convertAgain(run: ImportRun, since?: Millis): Promise<number> {
  const { db } = run.store;
  let repriced = 0;
  for await (const printings of printingsInOtherCurrencies(db, since)) {
    const merging = db.transaction();
    repriced += await merging.execute((transaction) => mergeAgain(run, transaction, printings));
  }
  return repriced;
}

function areSame(rates: Rates, others: Rates): boolean {
  return JSON.stringify(rates) === JSON.stringify(others);
}

/**
 * Publishes the effect of changed exchange rates when there is nothing to import. Returns the
 * number of changed served prices.
 * @throws OperatorError if an import is running.
 */
export async function applyRates(
  store: Store,
  { clock, rates }: Pick<ImportOptions, 'clock' | 'rates'>,
): Promise<number> {
  if (!rates || areSame(rates, await readOwnRates(store.db))) return 0;
  return withLock(store, clock, async (lock) => {
    const run = await openRun(store, lock, clock(), { rates });
    await run.publication.finish(clock());
    return run.repriced;
  });
}

/** With so few cards, reading a whole table is as fast as using an index. */
const FEW_CARDS = 500;

/** Statistics of a quarter of a table are good enough to plan reads of the whole table. */
const GROWTH = 4;

/** The tables that the parts of an import read and fill. */
const TABLES = [
  ...(['sets', 'set_external_ids', 'cards', 'card_external_ids', 'printings'] as const),
  ...(['observations', 'history_recent', 'quarantine'] as const),
];

/** Keeps the database's statistics current while an import fills tables within seconds. */
export class Statistics {
  readonly #store: Store;
  /** The next free row ids. The import increments them. */
  readonly #nextIds: Readonly<NextRowIds>;
  /** The number of cards at which statistics are gathered again. */
  #dueAt: number;

  constructor(store: Store, nextIds: Readonly<NextRowIds>) {
    this.#store = store;
    this.#nextIds = nextIds;
    this.#dueAt = Math.max(FEW_CARDS, GROWTH * nextIds.card);
  }

  /**
   * Gathers statistics whenever the number of cards has quadrupled. Call it between transactions.
   */
  async keepUp(): Promise<void> {
    if (this.#nextIds.card < this.#dueAt) return;
    this.#dueAt = GROWTH * this.#nextIds.card;
    await this.#store.engine.analyze(this.#store.db, TABLES);
  }
}

/**
 * Refuses to import prices from the future: all would go into quarantine and replace the entries
 * there.
 * @throws OperatorError
 */
export function requirePast(observedAt: Millis, now: Millis): void {
  const day = dayOf(observedAt);
  if (day <= latestDay(now)) return;
  throw new OperatorError(
    `The prices would be of ${formatDay(day)}, which is in the future. Nothing was imported. ` +
      'Give the day on which they were observed: --observed YYYY-MM-DD.',
  );
}

/** Looks up the files of a source that earlier imports have marked. */
export async function knownFiles(store: Store, source: string): Promise<KnownFiles> {
  const files = await readSourceFiles(store.db, source);
  return (path) => files.get(path);
}
