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

/** This many requests within an interval count as frequent. */
const FREQUENT = 5;

/** This many requests share the costs of a start well enough. */
const ENOUGH = 8;

/** A delay that collects fewer is useless: they come from a few clients that wait for answers. */
const WORTHWHILE = 5;

/** Intervals without a delay after that. */
const REST = 5;

/** A waiting start. */
interface Delayed {
  readonly timer: NodeJS.Timeout;
  readonly run: () => void;
}

/**
 * Starts work that requests share. While requests are rare, it starts in the next turn of the event
 * loop, or when `next` runs it. While they are frequent, it starts when enough of them wait, or an
 * interval has passed since the last start. If that collects too few, starts are not delayed for a
 * while.
 */
export class Pace {
  readonly #interval: number;
  readonly #next: (work: () => void) => void;
  /** When the last requests came, oldest first, on the clock of `performance`. */
  readonly #requests: number[] = [];
  #startedAt = 0;
  /** The number of requests since the last start. */
  #waiting = 0;
  #delayed: Delayed | undefined;
  /** The moment until which no start is delayed. */
  #restUntil = 0;

  /** @param interval In milliseconds. With 0, no start is delayed. */
  constructor(interval: number, next: (work: () => void) => void = setImmediate) {
    this.#interval = interval;
    this.#next = next;
  }

  /** Notes a request. */
  note(): void {
    if (this.#interval === 0) return;
    this.#requests.push(performance.now());
    if (this.#requests.length > FREQUENT) this.#requests.shift();
    this.#waiting += 1;
    if (this.#waiting >= ENOUGH && this.#delayed) this.#hurry(this.#delayed);
  }

  /** Starts work as soon as the pace allows. Call it again only when this work has started. */
  start(work: () => void): void {
    if (this.#interval === 0) {
      this.#next(work);
      return;
    }
    const run = () => {
      this.#startedAt = performance.now();
      const isInVain = this.#delayed !== undefined && this.#waiting < WORTHWHILE;
      if (isInVain) this.#restUntil = this.#startedAt + REST * this.#interval;
      this.#waiting = 0;
      this.#delayed = undefined;
      work();
    };
    const wait = this.#wait();
    if (wait > 0) this.#delayed = { timer: setTimeout(run, Math.ceil(wait)), run };
    else this.#next(run);
  }

  #hurry({ timer, run }: Delayed): void {
    clearTimeout(timer);
    this.#delayed = undefined;
    this.#next(run);
  }

  /** Returns the remaining wait of the next start, in milliseconds. */
  #wait(): number {
    const [first = 0] = this.#requests;
    const now = performance.now();
    const isFrequent = this.#requests.length === FREQUENT && now - first < this.#interval;
    if (!isFrequent || this.#waiting >= ENOUGH || now < this.#restUntil) return 0;
    return this.#startedAt + this.#interval - now;
  }
}

type Load<Key, Value> = (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>;

/**
 * Joins the lookups made in the same event-loop tick into one load of their distinct keys. Frequent
 * lookups also share one if they are made within an interval, in milliseconds.
 */
export class Batcher<Key, Value> {
  readonly #load: Load<Key, Value>;
  readonly #pace: Pace;
  #pending = new Map<Key, PromiseWithResolvers<Value | undefined>>();

  constructor(load: Load<Key, Value>, interval = 0) {
    this.#load = load;
    this.#pace = new Pace(interval);
  }

  /** Loads the value of a key, after this call; undefined if there is none. */
  get(key: Key): Promise<Value | undefined> {
    this.#pace.note();
    let deferred = this.#pending.get(key);
    if (!deferred) {
      deferred = Promise.withResolvers();
      if (this.#pending.size === 0) this.#pace.start(() => this.#flush());
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
