import { foldWords } from '../../domain/text.ts';
import { type Entry, listed } from './entry.ts';
import { compileFits, compileFitsPrinting } from './evidence.ts';
import type { Meaning, Phrase } from './phrase.ts';

/** The phrases that begin with the same words. */
interface Node {
  readonly next: Map<string, Node>;
  /** What the words up to here mean; several where they mean different things. */
  readonly meanings: Meaning[];
}

/**
 * Finds the phrases of tables in a query, in one step a word of a phrase (a trie). Every phrase is
 * also found written together: `nearmint`, `psa10`.
 */
export class PhraseTable {
  readonly #root = emptyNode();

  constructor(entries: readonly Entry[]) {
    for (const entry of entries) this.#add(entry);
  }

  /** Adds to `found` every phrase that begins at one of the words of a query. */
  find(words: readonly string[], from: number, found: Phrase[]): void {
    let node = this.#root.next.get(words[from] ?? '');
    for (let to = from + 1; node !== undefined; to++) {
      for (const meaning of node.meanings) found.push({ ...meaning, from, to });
      node = node.next.get(words[to] ?? '');
    }
  }

  #add(entry: Entry): void {
    const meaning = meaningOf(entry);
    for (const written of listed(entry.words)) {
      const words = foldWords(written);
      this.#addPhrase(words, meaning);
      this.#addPhrase([words.join('')], meaning);
    }
  }

  #addPhrase(words: readonly string[], meaning: Meaning): void {
    const node = words.reduce(childOf, this.#root);
    if (!node.meanings.includes(meaning)) node.meanings.push(meaning);
  }
}

function meaningOf(entry: Entry): Meaning {
  const { as, means, isFilter = false, games, condition, grade } = entry;
  const fits = compileFits(entry);
  const fitsPrinting = compileFitsPrinting(entry);
  return {
    as,
    means,
    isFilter,
    ...(games && { games }),
    ...(fits && { fits }),
    ...(fitsPrinting && { fitsPrinting }),
    ...(condition && { condition }),
    ...(grade && { grade }),
  };
}

function emptyNode(): Node {
  return { next: new Map(), meanings: [] };
}

function childOf(node: Node, word: string): Node {
  const child = node.next.get(word) ?? emptyNode();
  node.next.set(word, child);
  return child;
}
