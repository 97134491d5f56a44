import type { Results } from './results.ts';
import type { SearchQuery } from './search.ts';

/** All walks together remember at most this many cards (16 bytes each at most). */
const MOST_CARDS = 500_000;

/**
 * The results of recent first pages, so that walking through the pages meets each match once even
 * when prices, and with them the order, change on the way. The walks that were looked at longest
 * ago are forgotten first; one that was forgotten goes on in the order of the day.
 */
export class ResultCache {
  readonly #walks = new Map<string, Results>();
  #cards = 0;

  get(query: SearchQuery): Results | undefined {
    const key = walkKey(query);
    const walk = this.#walks.get(key);
    if (!walk) return undefined;
    this.#walks.delete(key); // moves it to the newest end
    this.#walks.set(key, walk);
    return walk;
  }

  set(query: SearchQuery, results: Results): void {
    const key = walkKey(query);
    this.#forget(key);
    this.#walks.set(key, results);
    this.#cards += results.total;
    for (const oldest of this.#walks.keys()) {
      if (this.#cards <= MOST_CARDS) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#cards -= this.#walks.get(key)?.total ?? 0;
    this.#walks.delete(key);
  }
}

/** The limit is not part of it: a walk may change its stride. */
function walkKey({ q, game, set, rarity, sort }: SearchQuery): string {
  return JSON.stringify([q, game, set, rarity, sort]);
}
