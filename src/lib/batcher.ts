type Load<Key, Value> = (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>;

/** Gathers what is asked for in one turn of the event loop, each key once, into one load. */
export class Batcher<Key, Value> {
  readonly #load: Load<Key, Value>;
  #waiting = new Map<Key, PromiseWithResolvers<Value | undefined>>();

  constructor(load: Load<Key, Value>) {
    this.#load = load;
  }

  /** The value of `key`, loaded after this call; undefined when there is none. */
  get(key: Key): Promise<Value | undefined> {
    let answer = this.#waiting.get(key);
    if (!answer) {
      answer = Promise.withResolvers();
      if (this.#waiting.size === 0) setImmediate(() => this.#flush());
      this.#waiting.set(key, answer);
    }
    return answer.promise;
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    try {
      const values = await this.#load([...waiting.keys()]);
      for (const [key, answer] of waiting) answer.resolve(values.get(key));
    } catch (error) {
      for (const answer of waiting.values()) answer.reject(error);
    }
  }
}
