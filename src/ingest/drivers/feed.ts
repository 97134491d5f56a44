import type { Millis } from '../../domain/day.ts';
import { findSource } from '../../domain/sources.ts';
import { addCounts } from '../../lib/counts.ts';
import type { CardReference, Feed, FeedBatch, FeedItem } from '../../sources/contract/feed.ts';
import type { Store } from '../../store/connect.ts';
import { cardsQuarantinedFor } from '../../store/quarantine.ts';
import { knownFiles, rememberFiles } from '../files.ts';
import { NewExternalIds } from '../identity/external-ids.ts';
import { CardMatcher, type Unmatched } from '../identity/match.ts';
import { type ImportOptions, type ImportProgress, type OpenDriver, runImport } from '../import.ts';
import { settleDelisted } from '../pricing/write.ts';
import type { ImportRun } from '../run.ts';
import type { ImportSummary, ImportTally } from '../summary.ts';
import { SharedExternalIds } from '../validation/index.ts';
import { type MatchedItem, writeItems } from './write-items.ts';

/** What the import of a feed did. */
export interface FeedSummary extends ImportSummary {
  readonly observedAt: Millis;
  /** Cards that the source reported. */
  readonly cards: number;
  readonly matched: number;
  /** Cards that none of ours was found for, by reason. */
  readonly unmatched: Readonly<Record<string, number>>;
  /** Observations of printings. */
  readonly observations: number;
  /** `broken` names the first hundred of these. */
  readonly brokenCount: number;
  /** Whether it is the very file of the last import, which was not read again. */
  readonly unchanged: boolean;
}

export interface FeedImportOptions extends ImportOptions {
  /** Whether a file is read that was read before, as after new cards came in. */
  readonly again?: boolean;
  /** Called with each card that none of ours was found for. */
  readonly onUnmatched?: (reference: CardReference, unmatched: Unmatched) => void;
}

/**
 * Imports a feed, a batch in each transaction. The same file once more changes nothing.
 *
 * @throws OperatorError when another import is running, or when the feed cannot be read.
 */
export function importFeed(
  store: Store,
  feed: Feed,
  options: FeedImportOptions,
): Promise<FeedSummary> {
  const { source } = feed;
  const open = (run: ImportRun, tally: ImportTally) => {
    return FeedDriver.open(run, tally, feed, options);
  };
  return runImport(store, { source, open }, options);
}

/** Whether the last import of the source was of this very file, as of the same moment. */
async function isRead(store: Store, { source, file, observedAt }: Feed): Promise<boolean> {
  if (!file) return false;
  const known = (await knownFiles(store, source))(file.path);
  return known?.digest === file.digest && known.observedAt === observedAt;
}

/** The name of a feed's file without the day in it, so that each day's file mends the last one's. */
function partOf({ source, file }: Feed): string {
  return file?.path.replace(/[-_.]?\d{4}-?\d{2}-?\d{2}(\d{6})?/, '') ?? source;
}

/** What is known when the import of a feed begins. */
interface Known {
  readonly cards: CardMatcher;
  /** Row ids of cards that the source reported conflicting prices of before. */
  readonly conflicting: ReadonlySet<number>;
  /** Whether the feed was imported before and is not to be read. */
  readonly isRead: boolean;
}

class FeedDriver implements OpenDriver<FeedBatch, FeedSummary> {
  readonly #run: ImportRun;
  readonly #tally: ImportTally;
  readonly #feed: Feed;
  readonly #options: FeedImportOptions;
  readonly #known: Known;
  readonly #shared: SharedExternalIds;
  readonly #newIds: NewExternalIds;
  /** What is written at the end: all of a conflicting card in one batch, and doubtful claims. */
  readonly #conflicting: MatchedItem[] = [];
  readonly #doubtful: MatchedItem[] = [];
  #items = 0;
  #matched = 0;
  readonly #unmatched: Record<string, number> = {};
  #isDamaged = false;

  private constructor(
    run: ImportRun,
    tally: ImportTally,
    feed: Feed,
    options: FeedImportOptions,
    known: Known,
  ) {
    this.#run = { ...run, delisted: [], conflicts: new Map() };
    this.#tally = tally;
    this.#feed = feed;
    this.#options = options;
    this.#known = known;
    const { cards } = known;
    this.#shared = new SharedExternalIds((idSpace, id) => cards.owner(idSpace, id));
    this.#newIds = new NewExternalIds(feed.source, (idSpace, id) => cards.owner(idSpace, id));
  }

  static async open(run: ImportRun, tally: ImportTally, feed: Feed, options: FeedImportOptions) {
    const { store } = run;
    const { source } = feed;
    const games = findSource(source)?.games ?? [];
    const cards = await CardMatcher.open(store, games, source);
    const conflicting = await cardsQuarantinedFor(store.db, source, 'conflicting-prices');
    const known = { cards, conflicting, isRead: !options.again && (await isRead(store, feed)) };
    return new FeedDriver(run, tally, feed, options, known);
  }

  get observedAt(): Millis {
    return this.#feed.observedAt;
  }

  async *parts(): AsyncGenerator<FeedBatch> {
    if (!this.#known.isRead) yield* this.#feed.batches();
  }

  async write({ items, skipped, broken, done }: FeedBatch): Promise<ImportProgress> {
    this.#items += items.length;
    await this.#writeItems(items.flatMap((item) => this.#match(item) ?? []));
    this.#tally.addSkipped(skipped);
    for (const row of broken) this.#tally.addBadRow({ part: partOf(this.#feed), game: null }, row);
    return { done, total: this.#feed.total, name: this.#feed.source };
  }

  /** The item with its card, or undefined if it has none or waits for the end of the feed. */
  #match(item: FeedItem): MatchedItem | undefined {
    const found = this.#known.cards.find(item.card);
    if ('reason' in found) {
      addCounts(this.#unmatched, { [found.reason]: 1 });
      this.#options.onUnmatched?.(item.card, found);
      return undefined;
    }
    this.#matched += 1;
    const matched = { item, card: { id: found.card, name: found.name, number: found.number } };
    const verdict = this.#shared.claim(item.card, matched.card);
    if (verdict === 'doubtful') {
      this.#doubtful.push(matched);
      return undefined;
    }
    const judged = verdict === 'sound' ? matched : { ...matched, conflict: verdict };
    if (!this.#known.conflicting.has(found.card)) return judged;
    this.#conflicting.push(judged);
    return undefined;
  }

  async finish(): Promise<void> {
    if (this.#known.isRead) return;
    this.#tally.failed.addRead(partOf(this.#feed));
    const settled = this.#doubtful.map((one) => {
      return { ...one, conflict: this.#shared.decide(one.item.card, one.card) };
    });
    await this.#writeItems([...this.#conflicting, ...settled]);
    await this.#newIds.learn(this.#run.store);
    const delisted = await settleDelisted(this.#run, this.#feed.source);
    this.#tally.addWritten(delisted);
    this.#isDamaged ||= delisted.damaged.length > 0;
    await this.#rememberFile();
  }

  async #writeItems(matched: readonly MatchedItem[]): Promise<void> {
    if (matched.length === 0) return;
    const written = await writeItems(this.#run, this.#feed.source, matched, this.#newIds);
    this.#tally.addWritten(written);
    this.#isDamaged ||= written.damaged.length > 0;
  }

  /** Remembers the file once all of it is written. */
  async #rememberFile(): Promise<void> {
    const { file, source, observedAt } = this.#feed;
    if (!file || this.#isDamaged) return;
    const { store } = this.#run;
    await store.db.transaction().execute((transaction) => {
      return rememberFiles(store, transaction, source, [{ ...file, observedAt }]);
    });
  }

  summarise(seconds: number): FeedSummary {
    const { counts, skipped, quarantined, broken, brokenCount } = this.#tally;
    return {
      source: this.#feed.source,
      observedAt: this.#feed.observedAt,
      cards: this.#items,
      matched: this.#matched,
      unmatched: this.#unmatched,
      observations: counts.observations,
      pricesChanged: counts.pricesChanged,
      printingsAdded: counts.printingsAdded,
      quarantined: quarantined,
      historyAdded: counts.historyAdded,
      historyCorrected: counts.historyCorrected,
      skipped,
      broken,
      brokenCount,
      seconds,
      unchanged: this.#known.isRead,
    };
  }
}
