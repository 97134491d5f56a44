/** A word of a query that may mean a term. */
export interface Hit {
  /** The index of the word. */
  readonly word: number;
  /** How sure it is, from 0 to 1. */
  readonly certainty: number;
}

/** Which words of a query may mean which terms. */
export class Hits {
  readonly #byTerm = new Map<string, Hit[]>();
  readonly #words = new Set<number>();

  add(term: string, hit: Hit): void {
    this.#words.add(hit.word);
    const known = this.#byTerm.get(term);
    if (known) known.push(hit);
    else this.#byTerm.set(term, [hit]);
  }

  /** The words that may mean a term; undefined when there are none. */
  of(term: string): readonly Hit[] | undefined {
    return this.#byTerm.get(term);
  }

  /** Whether a word may mean any term. */
  has(word: number): boolean {
    return this.#words.has(word);
  }
}
