/** An answer and the `ETag` under which the service knows it. */
export interface CachedAnswer {
  readonly etag: string;
  /** The body, as JSON. */
  readonly text: string;
}

/** Keeps answers by their addresses. It belongs to one API key, because plans get other answers. */
export interface Cache {
  get(url: string): CachedAnswer | undefined | Promise<CachedAnswer | undefined>;
  set(url: string, answer: CachedAnswer): void | Promise<void>;
}

/** Keeps answers in memory, and forgets those that were not used for longest. */
export class MemoryCache implements Cache {
  readonly #maxLength: number;
  readonly #answers = new Map<string, CachedAnswer>();
  #length = 0;

  /** Keeps at most as many characters of bodies. */
  constructor(maxLength = 5_000_000) {
    this.#maxLength = maxLength;
  }

  get(url: string): CachedAnswer | undefined {
    const answer = this.#answers.get(url);
    if (answer) {
      // A Map is in the order of insertion.
      this.#answers.delete(url);
      this.#answers.set(url, answer);
    }
    return answer;
  }

  set(url: string, answer: CachedAnswer): void {
    this.#delete(url);
    if (answer.text.length > this.#maxLength) return;
    this.#answers.set(url, answer);
    this.#length += answer.text.length;
    for (const oldest of this.#answers.keys()) {
      if (this.#length <= this.#maxLength) return;
      this.#delete(oldest);
    }
  }

  #delete(url: string): void {
    this.#length -= this.#answers.get(url)?.text.length ?? 0;
    this.#answers.delete(url);
  }
}
