import { hash } from 'node:crypto';

/** An answer as it is sent. */
export interface CachedResponse {
  readonly payload: string;
  readonly etag: string;
}

/** Characters that are kept: some ten thousand cards, or a thousand pages of a search. */
const CAPACITY = 10_000_000;

/**
 * Answers that follow from the published catalogue and history alone, by URL. They hold until the next
 * publication; when there are too many, the oldest go.
 */
export class ResponseCache {
  readonly #byUrl = new Map<string, CachedResponse>();
  #revision = 0;
  #size = 0;

  /** What was answered to a URL before, of this publication. */
  get(url: string, revision: number): CachedResponse | undefined {
    if (revision !== this.#revision) this.#forget(revision);
    return this.#byUrl.get(url);
  }

  /** Keeps what is answered to a URL, unless the URL holds a key or a publication came between. */
  add(url: string, revision: number, payload: string): CachedResponse {
    const answer = { payload, etag: etagOf(payload) };
    if (revision === this.#revision && !url.includes('api_key')) {
      this.#byUrl.set(url, answer);
      this.#size += url.length + payload.length;
      this.#makeRoom();
    }
    return answer;
  }

  #forget(revision: number): void {
    this.#byUrl.clear();
    this.#size = 0;
    this.#revision = revision;
  }

  #makeRoom(): void {
    for (const [url, { payload }] of this.#byUrl) {
      if (this.#size <= CAPACITY) return;
      this.#byUrl.delete(url);
      this.#size -= url.length + payload.length;
    }
  }
}

/** The validator of a body: equal bodies have equal ones. */
export function etagOf(payload: string): string {
  return `"${hash('sha1', payload, 'base64url')}"`;
}
