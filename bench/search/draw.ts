import { seeded } from '../guard/random.ts';

/** Draws that are the same for the same seed and name. */
export class Draw {
  readonly #random: () => number;

  constructor(seed: number, name: string) {
    this.#random = seeded(seed, name);
  }

  /** Returns a whole number from 0 up to `count`, without it. */
  below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  /** True in this share of the draws. */
  chance(share: number): boolean {
    return this.#random() < share;
  }

  /** Returns one of the items. Throws when there is none. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error('nothing to draw from');
    return items[this.below(items.length)] as T;
  }

  /** Draws items until `count` of them make something, and returns that. */
  collect<T, Made>(
    items: readonly T[],
    count: number,
    make: (item: T) => Made | undefined,
  ): Made[] {
    const made: Made[] = [];
    for (let tries = 0; made.length < count; tries++) {
      if (tries > count * 1000) throw new Error(`only ${made.length} of ${count} can be made`);
      const one = make(this.pick(items));
      if (one !== undefined) made.push(one);
    }
    return made;
  }
}
