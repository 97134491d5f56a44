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
import type { SourceFile } from '../../src/sources/contract/source-file.ts';
import type { Store } from '../../src/store/connect.ts';
import { NOW } from './tcgcsv.ts';

/** When the fixtures were observed. */
export const OBSERVED = Date.parse('2026-01-28T20:05:12Z');

const UNTOLD = {
  ...{ number: null, setCode: null, setName: null, rarity: null, variant: null, externalIds: {} },
  ...{ printings: null, image: null, releaseDate: null },
};

/** How a source may describe the Charizard of the fixtures. */
export function charizard(told: Partial<CardReference> = {}): CardReference {
  const known = { setName: 'Base Set', number: '4/102', name: 'Charizard' };
  return { ...UNTOLD, externalId: 'zard', game: 'pokemon', ...known, ...told };
}

export interface ObservationFields {
  readonly printing?: string;
  readonly market?: string;
  readonly currency?: Observation['currency'];
  readonly observedAt?: Millis;
  /** In cents, like all of these. */
  readonly prices?: Partial<Record<keyof Observation['prices'], number | null>>;
  readonly conditions?: Record<string, number>;
  readonly graded?: Record<string, number>;
  readonly past?: readonly { readonly day: number; readonly market: number }[];
}

/** A quote of a market price, or of what is told. */
export function observationOf(told: ObservationFields | number): Observation {
  const all: ObservationFields = typeof told === 'number' ? { prices: { market: told } } : told;
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
  ...told: readonly (ObservationFields | number)[]
): FeedItem {
  return { card, observations: told.map(observationOf) };
}

export interface FeedFields {
  readonly observedAt?: Millis;
  readonly file?: SourceFile;
  /** What each batch brings; an error ends the feed. */
  readonly batches: readonly (readonly FeedItem[] | Error)[];
}

/** A feed of a source, in the batches that are told. */
export function feedOf(source: string, { observedAt = OBSERVED, file, batches }: FeedFields): Feed {
  return {
    source,
    observedAt,
    total: batches.length,
    unit: 'cards',
    file: file ?? null,
    async *batches() {
      for (const [index, offers] of batches.entries()) {
        if (offers instanceof Error) throw offers;
        yield { items: offers, skipped: {}, broken: [], done: index + 1 };
      }
    },
  };
}

/** Imports offers of a source in one batch. */
export function importItems(
  store: Store,
  source: string,
  offers: readonly FeedItem[],
  options: Partial<FeedImportOptions> = {},
): Promise<FeedSummary> {
  const feed = feedOf(source, { batches: [offers] });
  return importFeed(store, feed, { clock: () => NOW, ...options });
}
