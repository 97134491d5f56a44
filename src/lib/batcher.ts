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
