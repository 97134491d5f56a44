import type { Millis } from '../../domain/day.ts';
import { findSource } from '../../domain/sources.ts';
import { addCounts } from '../../lib/counts.ts';
import type { CardReference, Feed, FeedBatch, FeedItem } from '../../sources/contract/feed.ts';
import { upsertSourceFiles } from '../../store/catalogue/imports.ts';
import type { Store } from '../../store/connect.ts';
import { fillGaps, learnExternalIds, NewExternalIds } from '../identity/external-ids.ts';
import { writeFacts } from '../identity/facts.ts';
import { CardMatcher, type Unmatched } from '../identity/match.ts';
import { ContentsOfProducts } from '../identity/product-contents.ts';
import { SourceSets } from '../identity/source-sets.ts';
import { TranslatedNames } from '../identity/translated-names.ts';
import {
  type ImportOptions,
  type ImportProgress,
  knownFiles,
  type OpenDriver,
  requirePast,
  runImport,
} from '../import.ts';
import type { CardObservation } from '../observation.ts';
import {
  clearDelistings,
  resolveObservations,
  type WrittenObservations,
  writeObservations,
} from '../pricing/write.ts';
import type { ImportRun } from '../run.ts';
import type { ImportSummary, ImportTally } from '../summary.ts';
import { FeedSurvey, SharedExternalIds } from '../validation/index.ts';
import { type MatchedItem, Staging } from './staging.ts';

/** The outcome of the import of a feed. */
export interface FeedSummary extends ImportSummary {
  readonly observedAt: Millis;
  /** Cards that the source reported. */
  readonly cards: number;
  readonly matched: number;
  /** Cards that match none of ours, by reason. */
  readonly unmatched: Readonly<Record<string, number>>;
  /** Observations of printings. */
  readonly observations: number;
  /** Observations that are not served, because no exchange rate is set for their day. */
  readonly withoutRate: number;
  /** The first hundred printings that later rows price differently, by name. */
  readonly overruled: readonly string[];
  /** `broken` names the first hundred of these. */
  readonly brokenCount: number;
  /** Whether it is the file of the last import, so it was not read again. */
  readonly unchanged: boolean;
}

export interface FeedImportOptions extends ImportOptions {
  /** Whether to read a file again, for example after new cards were added. */
  readonly again?: boolean;
  /** Called with each card that matches none of ours. */
  readonly onUnmatched?: (reference: CardReference, unmatched: Unmatched) => void;
}

/**
 * Imports a feed, a few whole sets in each transaction. Importing the same file again changes
 * nothing. A file that cannot be read to its end also changes nothing.
 *
 * @throws OperatorError if the prices are from the future, if another import is running, or if the
 *   feed cannot be read.
 */
export async function importFeed(
  store: Store,
  feed: Feed,
  options: FeedImportOptions,
): Promise<FeedSummary> {
  const { source, observedAt } = feed;
  requirePast(observedAt, options.clock());
  const open = (run: ImportRun, tally: ImportTally) => {
    return FeedDriver.open(run, tally, feed, options);
  };
  return runImport(store, { source, open }, options);
}

/** Whether the source's last import read this same file, with the same moment. */
async function isRead(store: Store, { source, file, observedAt }: Feed): Promise<boolean> {
  if (!file) return false;
  const known = (await knownFiles(store, source))(file.path);
  return known?.digest === file.digest && known.observedAt === observedAt;
}

/**
 * The name of a feed's file without its day, so each day's file replaces the faults of the previous
 * one.
 */
function partOf({ source, file }: Feed): string {
  return file?.path.replace(/[-_.]?\d{4}-?\d{2}-?\d{2}(\d{6})?/, '') ?? source;
}

/** The state at the start of a feed's import. */
interface Known {
  readonly cards: CardMatcher;
  /** Whether the feed was already imported and need not be read. */
  readonly isRead: boolean;
}

/** An item that waits for the end of the feed, when doubtful claims are decided. */
interface StagedItem extends MatchedItem {
  readonly isDoubtful?: boolean;
}

/** A feed is read, then compared as a whole with known prices, then written set by set. */
type FeedStep =
  | { readonly kind: 'read'; readonly batch: FeedBatch }
  | { readonly kind: 'survey' | 'write'; readonly items: readonly StagedItem[] };

class FeedDriver implements OpenDriver<FeedStep, FeedSummary> {
  readonly #run: ImportRun;
  readonly #tally: ImportTally;
  readonly #feed: Feed;
  readonly #options: FeedImportOptions;
  readonly #known: Known;
  readonly #shared: SharedExternalIds;
  readonly #newIds: NewExternalIds;
  readonly #names: TranslatedNames;
  readonly #contents: ContentsOfProducts;
  readonly #sets = new SourceSets();
  readonly #staging = new Staging<StagedItem>();
  readonly #survey: FeedSurvey;
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
    this.#run = run;
    this.#tally = tally;
    this.#feed = feed;
    this.#options = options;
    this.#known = known;
    const { cards } = known;
    this.#shared = new SharedExternalIds((idSpace, id) => cards.owner(idSpace, id));
    this.#newIds = new NewExternalIds(feed.source, (idSpace, id) => cards.owner(idSpace, id));
    this.#names = new TranslatedNames(cards);
    this.#contents = new ContentsOfProducts(cards);
    this.#survey = new FeedSurvey(feed.source);
  }

  static async open(run: ImportRun, tally: ImportTally, feed: Feed, options: FeedImportOptions) {
    const { store } = run;
    const games = findSource(feed.source)?.games ?? [];
    const cards = await CardMatcher.open(store, games, feed.source);
    const known = { cards, isRead: !options.again && (await isRead(store, feed)) };
    return new FeedDriver(run, tally, feed, options, known);
  }

  get observedAt(): Millis {
    return this.#feed.observedAt;
  }

  async *parts(): AsyncGenerator<FeedStep> {
    if (this.#known.isRead) return;
    try {
      for await (const batch of this.#feed.batches()) yield { kind: 'read', batch };
      const kinds =
        this.#run.limits === null ? (['write'] as const) : (['survey', 'write'] as const);
      for (const kind of kinds) {
        for (const items of this.#staging.batches(kind === 'write')) yield { kind, items };
      }
    } finally {
      this.#staging.close();
    }
  }

  async write(step: FeedStep): Promise<ImportProgress> {
    const { total, source: name } = this.#feed;
    if (step.kind === 'read') this.#stage(step.batch);
    else if (step.kind === 'survey') await this.#compare(step.items);
    else await this.#writeItems(step.items);
    return { done: step.kind === 'read' ? step.batch.done : total, total, name };
  }

  #stage({
    items,
    translations = [],
    contained = [],
    sets = [],
    skipped,
    broken,
  }: FeedBatch): void {
    this.#items += items.length;
    for (const item of items) {
      const matched = this.#match(item);
      if (matched) this.#staging.add(matched);
    }
    for (const translation of translations) this.#names.add(translation);
    for (const one of contained) this.#contents.add(one);
    for (const set of sets) this.#sets.add(set);
    this.#tally.addSkipped(skipped);
    for (const row of broken) this.#tally.addBadRow({ part: partOf(this.#feed), game: null }, row);
  }

  /** The item with its card, or undefined if it has none. */
  #match(item: FeedItem): StagedItem | undefined {
    const found = this.#known.cards.find(item.card);
    if ('reason' in found) {
      addCounts(this.#unmatched, { [found.reason]: 1 });
      this.#options.onUnmatched?.(item.card, found);
      return undefined;
    }
    this.#matched += 1;
    const { card: id, set, name, number } = found;
    const matched = { item, card: { id, set, name, number } };
    const verdict = this.#shared.claim(item.card, matched.card);
    if (verdict === 'doubtful') return { ...matched, isDoubtful: true };
    return verdict === 'sound' ? matched : { ...matched, conflict: verdict };
  }

  async #compare(items: readonly StagedItem[]): Promise<void> {
    const { source } = this.#feed;
    for (const [game, some] of Map.groupBy(items, ({ item }) => item.card.game)) {
      const observations = some.flatMap((one) => observationsOf(source, one));
      this.#survey.add(game, await resolveObservations(this.#run, observations));
    }
  }

  async #writeItems(items: readonly StagedItem[]): Promise<void> {
    const settled = items.map((one) => {
      return one.isDoubtful
        ? { ...one, conflict: this.#shared.decide(one.item.card, one.card) }
        : one;
    });
    const shiftOf = (item: FeedItem, marketplace: string) => {
      return this.#survey.shiftOf(item.card.game, marketplace);
    };
    const written = await writeItems(this.#run, this.#feed.source, settled, this.#newIds, shiftOf);
    this.#tally.addWritten(written);
    this.#tally.addDamaged(written.damaged);
    this.#isDamaged ||= written.damaged.length > 0;
  }

  async finish(): Promise<void> {
    if (this.#known.isRead) return;
    this.#tally.failed.addRead(partOf(this.#feed));
    await this.#newIds.learn(this.#run);
    await this.#names.write(this.#run);
    await this.#contents.write(this.#run);
    await this.#sets.write(this.#run, this.#feed.source);
    for (const [reason, { unknown }] of [
      ['name of a card that is not known', this.#names],
      ['contents of a product that is not known', this.#contents],
    ] as const) {
      if (unknown > 0) this.#tally.addSkipped({ [reason]: unknown });
    }
    await clearDelistings(this.#run, this.#feed.source);
    await this.#rememberFile();
  }

  /** Marks the file as imported once all of it is written. */
  async #rememberFile(): Promise<void> {
    const { file, source, observedAt } = this.#feed;
    if (!file || this.#isDamaged) return;
    const { store } = this.#run;
    await store.db.transaction().execute((transaction) => {
      return upsertSourceFiles(store, transaction, source, [{ ...file, observedAt }]);
    });
  }

  summarise(seconds: number): FeedSummary {
    const { counts, overruled, skipped, quarantined, broken, brokenCount } = this.#tally;
    return {
      source: this.#feed.source,
      observedAt: this.#feed.observedAt,
      cards: this.#items,
      matched: this.#matched,
      unmatched: this.#unmatched,
      observations: counts.observations,
      withoutRate: counts.withoutRate,
      overruled,
      pricesChanged: counts.pricesChanged,
      printingsAdded: counts.printingsAdded,
      quarantined,
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

/** Returns why an item's prices at a marketplace are not accepted; undefined if they are. */
export type ShiftOf = (item: FeedItem, marketplace: string) => string | undefined;

/**
 * Writes items in one transaction. If no conflict puts the card in doubt, also stores the source's
 * external id of the card and its facts, notes ids of other sources in `newIds`, and fills gaps in
 * the catalogue.
 */
export async function writeItems(
  run: ImportRun,
  source: string,
  matched: readonly MatchedItem[],
  newIds: NewExternalIds,
  shiftOf: ShiftOf,
): Promise<WrittenObservations> {
  const sure = matched
    .filter(({ conflict }) => conflict === undefined)
    .map(({ item, card }) => ({ card: card.id, reference: item.card, facts: item.facts }));
  const observations = matched.flatMap((one) => observationsOf(source, one, shiftOf));
  newIds.note(sure);
  return run.store.db.transaction().execute(async (transaction) => {
    await learnExternalIds(run, transaction, source, sure);
    await fillGaps(run, transaction, sure);
    await writeFacts(run, transaction, source, sure);
    return writeObservations(run, transaction, observations);
  });
}

/** Returns the observations of an item as observations of our card. */
export function observationsOf(
  source: string,
  { item, card, conflict }: MatchedItem,
  shiftOf?: ShiftOf,
): CardObservation[] {
  const { externalId, printings: statedPrintings } = item.card;
  return item.observations.map((reported) => {
    const shift = shiftOf?.(item, reported.marketplace);
    // The earlier days of such a feed are equally doubtful, and the next feed contains them again.
    const { earlierDays: _, ...newest } = reported;
    const observation = shift === undefined ? reported : newest;
    return { source, card, externalId, observation, statedPrintings, conflict, shift };
  });
}
