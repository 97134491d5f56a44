import type { SearchQuery } from './query.ts';
import type { Understood } from './readings.ts';
import type { Results } from './results.ts';

/** The results of a query, and how it was read. */
export interface CachedResults {
  readonly results: Results;
  readonly understood: Understood | undefined;
  /** The query in another spelling; undefined when that of its best match was typed. */
  readonly corrected: string | undefined;
}

/** At most this many matches are cached in all (16 bytes each at most). */
const MAX_MATCHES = 500_000;

/**
 * An LRU of the results of first pages, from which later pages are taken: so every match is on one
 * page, even when prices, and with them the order, change meanwhile. When the results were evicted,
 * a later page is taken from a new search, in the current order.
 */
export class ResultCache {
  readonly #entries = new Map<string, CachedResults>();
  #matches = 0;

  get(query: SearchQuery): CachedResults | undefined {
    const key = cacheKey(query);
    const cached = this.#entries.get(key);
    if (!cached) return undefined;
    this.#entries.delete(key); // moves it to the newest end
    this.#entries.set(key, cached);
    return cached;
  }

  set(query: SearchQuery, cached: CachedResults): void {
    const key = cacheKey(query);
    this.#evict(key);
    this.#entries.set(key, cached);
    this.#matches += cached.results.total;
    for (const oldest of this.#entries.keys()) {
      if (this.#matches <= MAX_MATCHES) break;
      this.#evict(oldest);
    }
  }

  #evict(key: string): void {
    this.#matches -= this.#entries.get(key)?.results.total ?? 0;
    this.#entries.delete(key);
  }
}

/** Leaves out the limit, which a caller may change from page to page. */
function cacheKey({ q, game, set, rarity, price, sort }: SearchQuery): string {
  return JSON.stringify([q, game, set, rarity, price, sort]);
}
