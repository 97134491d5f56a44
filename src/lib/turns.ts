/**
 * Lets long work run in slices, one in each turn of the event loop however many callers have some:
 * what else waits, such as other requests, is kept waiting by one slice at most.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];

  /** Resolves in a later turn of the event loop, for one caller in each turn, in their order. */
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
