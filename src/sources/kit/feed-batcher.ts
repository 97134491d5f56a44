import { OperatorError } from '../../domain/errors.ts';
import { safeText } from '../../domain/text.ts';
import type {
  Contained,
  DescribedSet,
  FeedBatch,
  FeedItem,
  Translation,
} from '../contract/feed.ts';
import type { BrokenPart } from '../contract/files.ts';
import { BadRecord } from '../io/json.ts';

/**
 * The rule for bad rows of all sources (docs/sources.md#bad-rows): a bad row is omitted and
 * reported, and the others are imported. A file with too many bad rows is refused, because its
 * format has probably changed, and rows that still look right may mean something else.
 */

/** The share of bad rows above which a file is refused. */
const MAX_BAD_SHARE = 0.2;

/** The fewest bad rows for which a file is refused: in a file of three rows, one is a third. */
const MIN_BAD_ROWS = 5;

/** Returns why a file is refused for its bad rows; undefined while there are few. */
export function refusalFor(bad: number, rows: number, first?: BrokenPart): string | undefined {
  if (bad < MIN_BAD_ROWS || bad <= rows * MAX_BAD_SHARE) return undefined;
  const share = `${bad} of ${rows} rows are bad, more than ${MAX_BAD_SHARE * 100} %`;
  return first
    ? `${share}; the first is ${safeText(`${first.name}: ${first.reason}`, 200)}`
    : share;
}

/** An adapter's results for one record. */
export interface AdaptedRecord {
  readonly items: readonly FeedItem[];
  readonly translations?: readonly Translation[];
  readonly contained?: readonly Contained[];
  readonly sets?: readonly DescribedSet[];
  /** The reasons for deliberately omitted parts of the record. */
  readonly skipped?: readonly string[];
  /** Faults in parts of the record: a sentence for each. */
  readonly broken?: readonly string[];
}

/** Combines the results for several parts of one record. */
export function combine(parts: readonly AdaptedRecord[]): AdaptedRecord {
  return {
    items: parts.flatMap(({ items }) => items),
    translations: parts.flatMap(({ translations = [] }) => translations),
    skipped: parts.flatMap(({ skipped = [] }) => skipped),
    broken: parts.flatMap(({ broken = [] }) => broken),
  };
}

export interface BatcherOptions {
  /** Records in a batch; 500 by default. */
  readonly recordsPerBatch?: number;
  /**
   * Whether to look for repeated external ids only within a batch, which keeps the memory of a feed
   * of any length constant. Otherwise, looks within the whole feed.
   */
  readonly forgetsIds?: boolean;
  /** Creates the error for a file of another kind, whose first 100 records are all broken. */
  readonly unreadable?: (reason: string) => OperatorError;
}

const RECORDS_PER_BATCH = 500;

/** If this many records are broken and none was read, the file is of another kind. */
const PROBED_RECORDS = 100;

/** Collects the results of adapters into batches. */
export class FeedBatcher {
  readonly #options: BatcherOptions;
  /** The external ids that came with each kind of observations. */
  readonly #seenIds = new Map<string, Set<string>>();
  #records = 0;
  #items: FeedItem[] = [];
  #translations: Translation[] = [];
  #contained: Contained[] = [];
  #sets: DescribedSet[] = [];
  #skipped: Record<string, number> = {};
  #broken: BrokenPart[] = [];
  #hasReadAny = false;
  #recordCount = 0;
  #unreadCount = 0;
  #firstFault: BrokenPart | undefined;

  constructor(options: BatcherOptions = {}) {
    this.#options = options;
  }

  /** Whether a batch is complete: time to call {@link flush}. */
  get isFull(): boolean {
    return this.#records >= (this.#options.recordsPerBatch ?? RECORDS_PER_BATCH);
  }

  /**
   * Adds the items of a record. If `adapt` throws a BadRecord, the record counts as broken.
   *
   * @throws OperatorError if too many records are broken and none was read.
   */
  add(name: string, adapt: () => AdaptedRecord): void {
    this.#records += 1;
    this.#recordCount += 1;
    try {
      const { items, skipped = [], broken = [], ...others } = adapt();
      const { translations = [], contained = [], sets = [] } = others;
      this.#hasReadAny = true;
      for (const item of items) this.#addItem(item);
      this.#translations.push(...translations);
      this.#contained.push(...contained);
      this.#sets.push(...sets);
      for (const reason of skipped) this.#skip(reason);
      for (const reason of broken) this.addBroken(name, reason);
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      this.#unreadCount += 1;
      this.#firstFault ??= { name, reason: error.message };
      if (this.#unreadCount === PROBED_RECORDS) this.requireAnyRecord();
      this.addBroken(name, error.message);
    }
  }

  addBroken(name: string, reason: string): void {
    this.#broken.push({ name, reason });
  }

  /** Returns everything added since the last call; `done` is the amount of the feed read so far. */
  flush(done: number): FeedBatch {
    const batch = {
      items: this.#items,
      translations: this.#translations,
      contained: this.#contained,
      sets: this.#sets,
      skipped: this.#skipped,
      broken: this.#broken,
      done,
    };
    this.#records = 0;
    this.#items = [];
    this.#translations = [];
    this.#contained = [];
    this.#sets = [];
    this.#skipped = {};
    this.#broken = [];
    if (this.#options.forgetsIds) this.#seenIds.clear();
    return batch;
  }

  /** @throws OperatorError if no record could be read. */
  requireAnyRecord(): void {
    if (this.#hasReadAny || !this.#options.unreadable) return;
    const { name, reason } = this.#firstFault ?? {};
    const fault = name ? safeText(`${name}: ${reason}`, 200) : 'it has no records';
    throw this.#options.unreadable(fault);
  }

  /**
   * Ends a feed, whose file or folder is at `location`: returns its last batch.
   *
   * @throws OperatorError if too many of all records are bad.
   */
  end(location: string, done: number): FeedBatch {
    const refusal = refusalFor(this.#unreadCount, this.#recordCount, this.#firstFault);
    if (refusal !== undefined) throw new OperatorError(`${location} is not imported: ${refusal}.`);
    return this.flush(done);
  }

  /**
   * Pages of an API overlap when something is added between two requests. Rows that share an id but
   * give other conditions or printings belong together: the importer joins them.
   */
  #addItem(item: FeedItem): void {
    const kind = kindOf(item);
    const seen = this.#seenIds.get(kind) ?? new Set();
    this.#seenIds.set(kind, seen);
    const { externalId } = item.card;
    if (seen.has(externalId)) {
      this.#skip('listed twice');
    } else {
      seen.add(externalId);
      this.#items.push(item);
    }
  }

  #skip(reason: string): void {
    this.#skipped[reason] = (this.#skipped[reason] ?? 0) + 1;
  }
}

/**
 * The key of the printings, conditions and grades that an item gives for its card, without amounts.
 */
function kindOf({ observations }: FeedItem): string {
  return observations
    .map(({ printing, marketplace, conditions, graded }) => {
      return [printing, marketplace, ...Object.keys(conditions), ...Object.keys(graded)].join(' ');
    })
    .join('\n');
}
