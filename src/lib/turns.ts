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
