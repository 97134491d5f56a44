import type { Millis } from '../domain/day.ts';
import type { BackfillSummary } from '../ingest/drivers/backfill.ts';
import type { FeedSummary } from '../ingest/drivers/feed.ts';
import type { RatesSummary } from '../ingest/drivers/rates.ts';
import type { SnapshotSummary } from '../ingest/drivers/snapshot.ts';
import type { Backfill } from '../sources/contract/backfill.ts';
import type { Feed } from '../sources/contract/feed.ts';
import type { BrokenPart } from '../sources/contract/files.ts';
import type { PublishedRates } from '../sources/contract/rates.ts';
import type { Snapshot } from '../sources/contract/snapshot.ts';
import type { WebClient, WebRules } from '../sources/io/web.ts';
import type { SourceCheck } from '../store/catalogue/sync.ts';
import type { Store } from '../store/connect.ts';

/** The operations of a sync on a source of any kind. */

/** A source that a sync keeps up to date. */
export interface SyncSource {
  readonly name: string;
  /**
   * Checks whether the source has an update, and imports it.
   *
   * @throws OperatorError if that fails. Earlier data stays in that case.
   */
  sync(context: SyncContext): Promise<SyncResult>;
}

/** The dependencies of a source during a sync. */
export interface SyncContext {
  readonly store: Store;
  readonly clock: () => Millis;
  /** The record of the last check of the source. */
  readonly lastCheck: SourceCheck;
  readonly importers: Importers;
  /**
   * Whether to import data again that was already imported, for example after new cards were added.
   */
  readonly again: boolean;
  /** Opens a client for the source, which makes at most `requestsADay` requests. */
  openClient(rules: Partial<WebRules>, requestsADay?: number): WebClient;
  /** Returns an empty folder, which is removed after the source is synced. */
  folder(): Promise<string>;
}

/** The options of imports. */
export interface Importers {
  snapshot(snapshot: Snapshot): Promise<SnapshotResult>;
  feed(feed: Feed): Promise<FeedResult>;
  backfill(backfill: Backfill): Promise<BackfillResult>;
  rates(published: PublishedRates): Promise<RatesResult>;
}

type CommonResult = 'pricesChanged' | 'quarantined' | 'broken';

/** The part of a snapshot's summary that a sync uses. */
export type SnapshotResult = Pick<
  SnapshotSummary,
  CommonResult | 'observedAt' | 'sets' | 'setsUnchanged' | 'brokenCount'
>;

/** The part of a feed's summary that a sync uses. */
export type FeedResult = Pick<
  FeedSummary,
  CommonResult | 'observedAt' | 'cards' | 'matched' | 'unmatched' | 'brokenCount' | 'unchanged'
>;

/** The part of a backfill's summary that a sync uses. */
export type BackfillResult = Pick<
  BackfillSummary,
  CommonResult | 'points' | 'unmatched' | 'brokenCount'
>;

/** The part of an exchange-rate import's summary that a sync uses. */
export type RatesResult = Pick<
  RatesSummary,
  'observedAt' | 'pricesChanged' | 'rates' | 'ratesChanged'
>;

/** The outcome of a source that did not fail. */
export type SyncResult = {
  /** The source's own name for its present state; null if it was not queried or has none. */
  readonly version: string | null;
} & ({ readonly kind: 'unchanged' } | { readonly kind: 'imported'; readonly counts: SyncCounts });

export interface SyncCounts {
  readonly observedAt: Millis;
  readonly pricesChanged: number;
  /** Prices that went into quarantine. */
  readonly quarantined: number;
  /** Cards of the source that match none of ours. */
  readonly unmatched: number;
  /** Unreadable parts, and the number of all parts. */
  readonly broken: number;
  readonly parts: number;
  /** The first of the broken parts, with the reason. */
  readonly firstBroken: string | null;
}

/** The sum of counts by reason. */
export function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The first of some broken parts, with the reason; null if there are none. */
export function describeBroken([first]: readonly BrokenPart[]): string | null {
  return first ? `${first.name}: ${first.reason}` : null;
}
