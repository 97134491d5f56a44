import type { Millis } from '../../domain/day.ts';
import { findSource } from '../../domain/sources.ts';
import { addCounts } from '../../lib/counts.ts';
import type { CardReference, Feed, FeedBatch } from '../../sources/contract/feed.ts';
import type { Store } from '../../store/connect.ts';
import { recordImportEnd, recordImportStart, upsertSourceFiles } from '../../store/imports.ts';
import { cardsQuarantinedFor } from '../../store/quarantine.ts';
import { NewExternalIds } from '../identity/external-ids.ts';
import { CardMatcher, type Unmatched } from '../identity/match.ts';
import { takeLock } from '../lock.ts';
import { openQuoteRun, type PriceSettings } from '../open.ts';
import { type PriceRun, settleDelisted, type WrittenObservations } from '../pricing/pipeline.ts';
import type { PlacedObservation } from '../pricing/resolve.ts';
import { SharedExternalIds } from '../validation/index.ts';
import { knownFiles } from './files.ts';
import { type MatchedOffer, writeOffers } from './write-feed.ts';

/** What the import of a feed did. */
export interface FeedSummary {
  readonly source: string;
  readonly observedAt: Millis;
  /** Cards that the source told of. */
  offers: number;
  matched: number;
  /** Cards that none of ours was found for, by reason. */
  readonly unmatched: Record<string, number>;
  /** What it told of printings, and how many of them that changed what is served of. */
  quotes: number;
  pricesChanged: number;
  printingsAdded: number;
  /** How many prices were held back, by reason. */
  readonly heldBack: Record<string, number>;
  historyAdded: number;
  historyCorrected: number;
  readonly skipped: Record<string, number>;
  /** What could not be read, the first hundred of `brokenCount`. */
  readonly broken: { name: string; reason: string }[];
  brokenCount: number;
  seconds: number;
  /** Whether it is the very file of the last import, which was not read again. */
  unchanged: boolean;
}

export interface FeedImportOptions extends PriceSettings {
  readonly clock: () => Millis;
  /** Read a file again that was read before, as after new cards came in. */
  readonly again?: boolean;
  /** Called after each batch with how far the feed is, of its total. */
  readonly onProgress?: (done: number, total: number, name: string) => void;
  /** Told of each card that none of ours was found for. */
  readonly onUnmatched?: (reference: CardReference, unmatched: Unmatched) => void;
}

const BROKEN_NAMED = 100;

/**
 * Imports a feed: each batch in one transaction, one publication at the end. The same file once
 * more changes nothing. Stopped at any moment, or when the feed fails, what was there stays whole;
 * nothing new is seen until an import comes to its end.
 *
 * @throws OperatorError when another import is running, or when the feed cannot be read.
 */
export async function importFeed(
  store: Store,
  feed: Feed,
  options: FeedImportOptions,
): Promise<FeedSummary> {
  const lock = await takeLock(store, options.clock);
  try {
    const startedAt = options.clock();
    const started = performance.now();
    const id = await recordImportStart(store.db, feed.source, startedAt);
    const run = await FeedRun.open(store, feed, { ...options, startedAt });
    if (options.again || !(await isRead(store, feed))) {
      for await (const batch of feed.batches()) {
        await run.take(batch);
        await lock.renew();
      }
      await run.settle();
    } else {
      run.summary.unchanged = true;
    }
    const { summary } = run;
    await run.finish();
    summary.seconds = (performance.now() - started) / 1000;
    const { observedAt } = feed;
    await recordImportEnd(store.db, id, { finishedAt: options.clock(), observedAt, summary });
    return summary;
  } finally {
    await lock.free();
  }
}

/** Whether the last import of the source was of this very file, as of the same moment. */
async function isRead(store: Store, { source, file, observedAt }: Feed): Promise<boolean> {
  if (!file) return false;
  const known = (await knownFiles(store, source))(file.path);
  return known?.digest === file.digest && known.observedAt === observedAt;
}

/** What an import of a feed begins with. */
interface Known {
  readonly run: PriceRun;
  readonly matcher: CardMatcher;
  readonly contradicted: ReadonlySet<number>;
}

/** One import of a feed, on its way. */
class FeedRun {
  readonly summary: FeedSummary;
  readonly #run: PriceRun;
  readonly #feed: Feed;
  readonly #options: FeedImportOptions;
  readonly #matcher: CardMatcher;
  readonly #shared: SharedExternalIds;
  /** Offers of cards whose ids may turn out to be claimed by others. */
  readonly #doubtful: MatchedOffer[] = [];
  /** Cards of which the source told two prices before, and what it offers of them now. */
  readonly #contradicted: ReadonlySet<number>;
  readonly #apart: MatchedOffer[] = [];
  readonly #ids: NewExternalIds;
  #isDamaged = false;

  private constructor(
    feed: Feed,
    options: FeedImportOptions,
    { run, matcher, contradicted }: Known,
  ) {
    this.#run = run;
    this.#feed = feed;
    this.#options = options;
    this.#matcher = matcher;
    this.#contradicted = contradicted;
    this.#shared = new SharedExternalIds((kind, id) => matcher.owner(kind, id));
    this.#ids = new NewExternalIds(feed.source, (kind, id) => matcher.owner(kind, id));
    this.summary = emptySummary(feed);
  }

  static async open(
    store: Store,
    feed: Feed,
    options: FeedImportOptions & { readonly startedAt: Millis },
  ): Promise<FeedRun> {
    const lost: PlacedObservation[] = [];
    const own = { lost, twice: new Map() };
    const run = { ...(await openQuoteRun(store, options.startedAt, options)), ...own };
    const games = findSource(feed.source)?.games ?? [];
    const matcher = await CardMatcher.open(store, games, feed.source);
    const contradicted = await cardsQuarantinedFor(store.db, feed.source, 'conflicting-prices');
    return new FeedRun(feed, options, { run, matcher, contradicted });
  }

  async take({ items, skipped, broken, done }: FeedBatch): Promise<void> {
    const matched: MatchedOffer[] = [];
    for (const offer of items) {
      const found = this.#matcher.find(offer.card);
      if ('reason' in found) {
        addCounts(this.summary.unmatched, { [found.reason]: 1 });
        this.#options.onUnmatched?.(offer.card, found);
        continue;
      }
      this.summary.matched += 1;
      const one = { offer, card: { id: found.card, name: found.name, number: found.number } };
      const verdict = this.#shared.claim(offer.card, one.card);
      const list = this.#contradicted.has(found.card) ? this.#apart : matched;
      if (verdict === 'doubtful') this.#doubtful.push(one);
      else list.push(verdict === 'sound' ? one : { ...one, conflict: verdict });
    }
    this.summary.offers += items.length;
    await this.#write(matched);
    addCounts(this.summary.skipped, skipped);
    for (const { name, reason } of broken) this.#note(name, reason);
    this.#options.onProgress?.(done, this.#feed.total, this.#feed.source);
  }

  /** Decides what only the whole feed could tell. */
  async settle(): Promise<void> {
    const settled = this.#doubtful.map((one) => {
      return { ...one, conflict: this.#shared.settle(one.offer.card, one.card) };
    });
    await this.#write([...this.#apart, ...settled]);
    await this.#ids.learn(this.#run.store);
    this.#count(await settleDelisted(this.#run, this.#feed.source));
  }

  /** Remembers the file, and lets readers see what was written. */
  async finish(): Promise<void> {
    const { store, publication } = this.#run;
    const { file, source, observedAt } = this.#feed;
    if (file && !this.#isDamaged && !this.summary.unchanged) {
      await store.db.transaction().execute((transaction) => {
        const { path, digest, etag } = file;
        const row = { source, path, digest, etag, observed_at: observedAt };
        return upsertSourceFiles(store, transaction, [row]);
      });
    }
    await publication.finish();
  }

  async #write(matched: readonly MatchedOffer[]): Promise<void> {
    if (matched.length === 0) return;
    const taken = await writeOffers(this.#run, this.#feed.source, matched, this.#ids);
    this.#count(taken);
    this.summary.quotes += taken.counts.quotes;
    this.summary.printingsAdded += taken.counts.printingsAdded;
  }

  #count({ counts, heldBack, damaged }: Counted): void {
    this.summary.pricesChanged += counts.pricesChanged;
    this.summary.historyAdded += counts.historyAdded;
    this.summary.historyCorrected += counts.historyCorrected;
    addCounts(this.summary.heldBack, heldBack);
    for (const { message } of damaged) this.#note('history', message);
    this.#isDamaged ||= damaged.length > 0;
  }

  #note(name: string, reason: string): void {
    if (this.summary.brokenCount < BROKEN_NAMED) this.summary.broken.push({ name, reason });
    this.summary.brokenCount += 1;
  }
}

type Counted = Pick<WrittenObservations, 'heldBack' | 'damaged'> & {
  readonly counts: Pick<
    WrittenObservations['counts'],
    'pricesChanged' | 'historyAdded' | 'historyCorrected'
  >;
};

function emptySummary({ source, observedAt }: Feed): FeedSummary {
  return {
    source,
    observedAt,
    offers: 0,
    matched: 0,
    unmatched: {},
    quotes: 0,
    pricesChanged: 0,
    printingsAdded: 0,
    heldBack: {},
    historyAdded: 0,
    historyCorrected: 0,
    skipped: {},
    broken: [],
    brokenCount: 0,
    seconds: 0,
    unchanged: false,
  };
}
