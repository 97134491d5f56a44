import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** A body as it is sent, with its entity tag. */
export interface CachedResponse {
  readonly payload: string;
  readonly etag: string;
}

/** Characters of URLs and bodies: some ten thousand cards, or a thousand pages of a search. */
const CAPACITY = 10_000_000;

/**
 * Keeps the bodies of cacheable endpoints by URL until the next publication
 * (docs/adr/0008-answers-are-kept-until-the-next-publication.md).
 */
export class ResponseCache {
  readonly #responses = new LRUCache<string, CachedResponse>({
    maxSize: CAPACITY,
    sizeCalculation: ({ payload }, url) => url.length + payload.length,
  });
  #revision = 0;

  /** The body of a URL if it is of this publication. Another publication empties the cache. */
  get(url: string, revision: number): CachedResponse | undefined {
    if (revision !== this.#revision) {
      this.#responses.clear();
      this.#revision = revision;
    }
    return this.#responses.get(url);
  }

  /**
   * Returns a body with its entity tag, and keeps it, unless the URL holds an API key or another
   * publication has become visible since {@link get}.
   */
  add(url: string, revision: number, payload: string): CachedResponse {
    const response = { payload, etag: etagOf(payload) };
    if (revision === this.#revision && !url.includes('api_key')) this.#responses.set(url, response);
    return response;
  }
}

/** The entity tag of a body: equal bodies have equal tags. */
export function etagOf(payload: string): string {
  return `"${hash('sha1', payload, 'base64url')}"`;
}
