import type { Name } from './fields.ts';

/** The names that a search has visited, as a bitmap over name ids. */
export class VisitedNames {
  #bits = new Uint32Array();

  /** Returns the bitmap without any of `nameCount` names. */
  cleared(nameCount: number): VisitedNames {
    const length = (nameCount >>> 5) + 1;
    if (this.#bits.length < length) this.#bits = new Uint32Array(2 * length);
    else this.#bits.fill(0);
    return this;
  }

  has({ nameId }: Name): boolean {
    return ((this.#bits[nameId >>> 5] as number) & (1 << (nameId & 31))) !== 0;
  }

  /** Marks a name; returns whether it was not marked yet. */
  add(nameId: number): boolean {
    const i = nameId >>> 5;
    const before = this.#bits[i] as number;
    this.#bits[i] = before | (1 << (nameId & 31));
    return this.#bits[i] !== before;
  }
}

/**
 * Searches follow one another and share a bitmap, because creating one takes longer than clearing
 * it.
 */
export const VISITED = new VisitedNames();
