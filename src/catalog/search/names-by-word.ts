import type { Name } from './entries.ts';

/** Neighbours in a list of names, from one place up to another. */
export interface NameSpan {
  readonly list: readonly Name[];
  readonly from: number;
  readonly to: number;
}

/** A word that got names. */
interface Grown {
  /** Its place among all words. */
  readonly rank: number;
  /** All its names, of which it had so many before. */
  readonly names: readonly Name[];
  readonly before: number;
}

/**
 * The names of all words in the order of the words: those of words that begin alike are side by
 * side, and read much faster than word by word.
 */
export class NamesByWord {
  #names: readonly Name[] = [];
  /** Where the names of each word begin, and at last where those of the last one end. */
  #begins = new Uint32Array(1);

  /** The names of the words from one rank up to another. */
  span(from: number, to: number): NameSpan {
    return { list: this.#names, from: this.begin(from), to: this.begin(to) };
  }

  /** Where the names of the word of a rank begin. */
  begin(rank: number): number {
    return this.#begins[rank] ?? 0;
  }

  /**
   * Takes in the names that words got; `grown` are those words in order, `wordCount` is how many
   * there are with all others. The others are not looked at, their names are only moved on.
   */
  insert(grown: readonly Grown[], wordCount: number): void {
    const added = grown.reduce((sum, { names, before }) => sum + names.length - before, 0);
    const merge = new Merge(this, wordCount, this.#names.length + added);
    for (const { rank, names, before } of grown) {
      if (before === 0) merge.addWord(rank);
      else merge.copyUpTo(rank + 1);
      merge.addNames(names.slice(before));
    }
    merge.copyUpTo(wordCount);
    this.#names = merge.names;
    this.#begins = merge.begins;
  }
}

/** The names by word as they were, with more words and names between. */
class Merge {
  readonly names: Name[];
  readonly begins: Uint32Array<ArrayBuffer>;
  readonly #before: NamesByWord;
  #filled = 0;
  /** The words that are in, and how many of them there were before. */
  #rank = 0;
  #rankBefore = 0;

  constructor(before: NamesByWord, wordCount: number, nameCount: number) {
    this.#before = before;
    this.names = new Array(nameCount);
    this.begins = new Uint32Array(wordCount + 1);
  }

  /** Copies the words that there were, up to a rank of now. */
  copyUpTo(end: number): void {
    const { names, begins } = this;
    const added = this.#rank - this.#rankBefore;
    const { list, from, to } = this.#before.span(this.#rankBefore, end - added);
    const shift = this.#filled - from;
    for (let i = from; i < to; i++) names[i + shift] = list[i] as Name;
    for (let rank = this.#rank + 1; rank <= end; rank++) {
      begins[rank] = this.#before.begin(rank - added) + shift;
    }
    this.#filled = to + shift;
    this.#rank = end;
    this.#rankBefore = end - added;
  }

  addWord(rank: number): void {
    this.copyUpTo(rank);
    this.#rank++;
  }

  /** Adds names to the last word. */
  addNames(names: readonly Name[]): void {
    for (const name of names) this.names[this.#filled++] = name;
    this.begins[this.#rank] = this.#filled;
  }
}

/** A whole list as a span. */
export function spanOf(list: readonly Name[]): NameSpan {
  return { list, from: 0, to: list.length };
}

/** The names of a span. */
export function listOf({ list, from, to }: NameSpan): readonly Name[] {
  return list.slice(from, to);
}

/** How many names a span holds. */
export function countNames({ from, to }: NameSpan): number {
  return to - from;
}
