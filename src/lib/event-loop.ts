/**
 * Runs long work in slices, one in each turn of the event loop, however many callers there are.
 * Other work, such as other requests, waits for at most one slice.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];

  /** Resolves in a later turn of the event loop: one caller in each turn, in order of the calls. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(this.#giveOne);
    });
  }

  readonly #giveOne = (): void => {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(this.#giveOne);
  };
}

type Load<Key, Value> = (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>;

/** Joins the lookups made in the same event-loop tick into one load of their distinct keys. */
export class Batcher<Key, Value> {
  readonly #load: Load<Key, Value>;
  #pending = new Map<Key, PromiseWithResolvers<Value | undefined>>();

  constructor(load: Load<Key, Value>) {
    this.#load = load;
  }

  /** Loads the value of a key, after this call; undefined if there is none. */
  get(key: Key): Promise<Value | undefined> {
    let deferred = this.#pending.get(key);
    if (!deferred) {
      deferred = Promise.withResolvers();
      if (this.#pending.size === 0) setImmediate(() => this.#flush());
      this.#pending.set(key, deferred);
    }
    return deferred.promise;
  }

  async #flush(): Promise<void> {
    const pending = this.#pending;
    this.#pending = new Map();
    try {
      const values = await this.#load([...pending.keys()]);
      for (const [key, deferred] of pending) deferred.resolve(values.get(key));
    } catch (error) {
      for (const deferred of pending.values()) deferred.reject(error);
    }
  }
}
