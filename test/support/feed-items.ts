import type { Millis } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { Observation } from '../../src/domain/observation.ts';
import { NO_PRICES } from '../../src/domain/price.ts';
import {
  type FeedImportOptions,
  type FeedSummary,
  importFeed,
} from '../../src/ingest/drivers/feed.ts';
import type { CardReference, Feed, FeedItem } from '../../src/sources/contract/feed.ts';
import type { SourceFile } from '../../src/sources/contract/files.ts';
import { EMPTY_REFERENCE } from '../../src/sources/kit/observations.ts';
import type { Store } from '../../src/store/connect.ts';
import { NOW } from './tcgcsv.ts';

/** When the fixtures were observed. */
export const OBSERVED = Date.parse('2026-01-28T20:05:12Z');

/** Describes the Charizard of the fixtures as a source might. */
export function charizard(fields: Partial<CardReference> = {}): CardReference {
  const known = { setName: 'Base Set', number: '4/102', name: 'Charizard' };
  return { ...EMPTY_REFERENCE, externalId: 'zard', game: 'pokemon', ...known, ...fields };
}

export interface ObservationFields {
  readonly printing?: string;
  readonly market?: string;
  readonly currency?: Observation['currency'];
  readonly observedAt?: Millis;
  /** In cents, like all amounts here. */
  readonly prices?: Partial<Record<keyof Observation['prices'], number | null>>;
  readonly conditions?: Record<string, number>;
  readonly graded?: Record<string, number>;
  readonly past?: readonly { readonly day: number; readonly market: number }[];
}

/** Creates an observation from a market price in cents or from some fields. */
export function observationOf(fields: ObservationFields | number): Observation {
  const all: ObservationFields =
    typeof fields === 'number' ? { prices: { market: fields } } : fields;
  const { printing, market = 'tcgplayer', currency = 'USD', observedAt = OBSERVED } = all;
  const past = all.past?.map(({ day, market: cents }) => ({ ...NO_PRICES, day, market: cents }));
  return {
    printing,
    marketplace: market,
    currency,
    observedAt,
    prices: { ...NO_PRICES, ...(all.prices as Partial<Record<string, Cents>>) },
    conditions: (all.conditions ?? {}) as Observation['conditions'],
    graded: (all.graded ?? {}) as Observation['graded'],
    ...(past && { earlierDays: past as unknown as NonNullable<Observation['earlierDays']> }),
  };
}

export function feedItem(
  card: CardReference,
  ...observations: readonly (ObservationFields | number)[]
): FeedItem {
  return { card, observations: observations.map(observationOf) };
}

export interface FeedFields {
  readonly observedAt?: Millis;
  readonly file?: SourceFile;
  /** The items of each batch. An error ends the feed. */
  readonly batches: readonly (readonly FeedItem[] | Error)[];
}

/** Creates a feed with these batches. */
export function feedOf(source: string, { observedAt = OBSERVED, file, batches }: FeedFields): Feed {
  return {
    source,
    observedAt,
    total: batches.length,
    unit: 'cards',
    file: file ?? null,
    async *batches() {
      for (const [index, items] of batches.entries()) {
        if (items instanceof Error) throw items;
        yield { items, skipped: {}, broken: [], done: index + 1 };
      }
    },
  };
}

/** Imports items of a source in one batch. */
export function importItems(
  store: Store,
  source: string,
  items: readonly FeedItem[],
  options: Partial<FeedImportOptions> = {},
): Promise<FeedSummary> {
  const feed = feedOf(source, { batches: [items] });
  return importFeed(store, feed, { clock: () => NOW, ...options });
}
