/** A word of a query that may mean a term. */
export interface Hit {
  /** The index of the word. */
  readonly word: number;
  /** From 0 to 1. */
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

  /** Returns the words that may mean a term; undefined if there are none. */
  of(term: string): readonly Hit[] | undefined {
    return this.#byTerm.get(term);
  }

  /** Whether a word may mean any term. */
  has(word: number): boolean {
    return this.#words.has(word);
  }
}

/** Raises each word's certainty to that of its hits. Returns the highest unweighted certainty. */
export function keepSurest(
  certainties: Float32Array,
  hits: readonly Hit[],
  weight: number,
): number {
  let surest = 0;
  for (const { word, certainty } of hits) {
    const weighted = certainty * weight;
    if (weighted > (certainties[word] as number)) certainties[word] = weighted;
    if (certainty > surest) surest = certainty;
  }
  return surest;
}
