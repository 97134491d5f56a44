import type { Millis } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import { NO_PRICES } from '../../src/domain/price.ts';
import type { Quote } from '../../src/domain/quote.ts';
import { type FeedImportOptions, type FeedSummary, importFeed } from '../../src/ingest/feed.ts';
import type { CardReference, Feed, Offer } from '../../src/sources/offer.ts';
import type { SourceFile } from '../../src/sources/source.ts';
import type { Store } from '../../src/store/connect.ts';
import { NOW } from './tcgcsv.ts';

/** When the fixtures were observed. */
export const OBSERVED = Date.parse('2026-01-28T20:05:12Z');

const UNTOLD = {
  ...{ number: null, setCode: null, setName: null, rarity: null, variant: null, ids: {} },
  ...{ printings: null, image: null, releaseDate: null },
};

/** How a source may describe the Charizard of the fixtures. */
export function charizard(told: Partial<CardReference> = {}): CardReference {
  const known = { setName: 'Base Set', number: '4/102', name: 'Charizard' };
  return { ...UNTOLD, key: 'zard', game: 'pokemon', ...known, ...told };
}

export interface ToldPrices {
  readonly printing?: string;
  readonly market?: string;
  readonly currency?: Quote['currency'];
  readonly observedAt?: Millis;
  /** In cents, like all of these. */
  readonly prices?: Partial<Record<keyof Quote['prices'], number | null>>;
  readonly conditions?: Record<string, number>;
  readonly graded?: Record<string, number>;
  readonly past?: readonly { readonly day: number; readonly market: number }[];
}

/** A quote of a market price, or of what is told. */
export function quoteOf(told: ToldPrices | number): Quote {
  const all: ToldPrices = typeof told === 'number' ? { prices: { market: told } } : told;
  const { printing, market = 'tcgplayer', currency = 'USD', observedAt = OBSERVED } = all;
  const past = all.past?.map(({ day, market: cents }) => ({ ...NO_PRICES, day, market: cents }));
  return {
    printing,
    market,
    currency,
    observedAt,
    prices: { ...NO_PRICES, ...(all.prices as Partial<Record<string, Cents>>) },
    conditions: (all.conditions ?? {}) as Quote['conditions'],
    graded: (all.graded ?? {}) as Quote['graded'],
    ...(past && { past: past as unknown as NonNullable<Quote['past']> }),
  };
}

export function offer(card: CardReference, ...told: readonly (ToldPrices | number)[]): Offer {
  return { card, quotes: told.map(quoteOf) };
}

export interface ToldFeed {
  readonly observedAt?: Millis;
  readonly file?: SourceFile;
  /** What each batch brings; an error ends the feed. */
  readonly batches: readonly (readonly Offer[] | Error)[];
}

/** A feed of a source, in the batches that are told. */
export function feedOf(source: string, { observedAt = OBSERVED, file, batches }: ToldFeed): Feed {
  return {
    source,
    observedAt,
    total: batches.length,
    unit: 'cards',
    file: file ?? null,
    async *batches() {
      for (const [index, offers] of batches.entries()) {
        if (offers instanceof Error) throw offers;
        yield { offers, skipped: {}, broken: [], done: index + 1 };
      }
    },
  };
}

/** Imports offers of a source in one batch. */
export function importOffers(
  store: Store,
  source: string,
  offers: readonly Offer[],
  options: Partial<FeedImportOptions> = {},
): Promise<FeedSummary> {
  const feed = feedOf(source, { batches: [offers] });
  return importFeed(store, feed, { clock: () => NOW, ...options });
}
