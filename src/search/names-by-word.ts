import type { Name } from './records.ts';

/** The names of some words that follow each other; good until names are added. */
export class NameSpan {
  readonly #names: readonly Name[];
  readonly #indexes: Uint32Array;

  constructor(names: readonly Name[], indexes: Uint32Array) {
    this.#names = names;
    this.#indexes = indexes;
  }

  /** How many there are; a name that has two of the words is here twice. */
  get count(): number {
    return this.#indexes.length;
  }

  /** Whether any of them passes; the others are not looked at. */
  some(test: (name: Name) => boolean): boolean {
    return this.#indexes.some((index) => test(this.#names[index] as Name));
  }

  /** They, in an array of its own, which stays good. */
  list(): Name[] {
    const list: Name[] = [];
    for (const index of this.#indexes) list.push(this.#names[index] as Name);
    return list;
  }
}

interface Ranked {
  /** Its place among all words. */
  readonly rank: number;
}

/**
 * The names of all words in the order of the words. Those of words that begin alike are side by
 * side: they are counted by subtraction, and read much faster than word by word.
 */
export class NamesByWord {
  /** All names, by their index. */
  readonly #names: readonly Name[];
  /** The indexes of the names of the first word, of the second and so on; then there is room. */
  #indexes = new Uint32Array();
  /** Where those of each word begin, and at last where those of the last one end. */
  #begins = new Uint32Array(1);
  #stagedWords: Ranked[] = [];
  #stagedIndexes: number[] = [];

  constructor(names: readonly Name[]) {
    this.#names = names;
  }

  /** The names of the words from one rank up to another. */
  span(from: number, to: number): NameSpan {
    const [begin, end] = [this.#begins[from] ?? 0, this.#begins[to] ?? 0];
    return new NameSpan(this.#names, this.#indexes.subarray(begin, end));
  }

  /** Takes a name that the word has from the next {@link settle} on. */
  stage(word: Ranked, name: Name): void {
    this.#stagedWords.push(word);
    this.#stagedIndexes.push(name.index);
  }

  /** Puts the staged names into their places, when all words, the new ones too, have their ranks. */
  settle(newWords: readonly Ranked[], wordCount: number): void {
    if (this.#stagedWords.length === 0) return;
    const added = new Uint32Array(wordCount);
    for (const { rank } of this.#stagedWords) added[rank] = (added[rank] ?? 0) + 1;
    const nameCount = this.#begins.at(-1) ?? 0;
    this.#begins = this.#moveBegins(newWords, added);
    this.#moveNames(added, nameCount);
    for (const [i, { rank }] of this.#stagedWords.entries()) {
      const left = added[rank] ?? 0;
      this.#indexes[(this.#begins[rank + 1] ?? 0) - left] = this.#stagedIndexes[i] ?? 0;
      added[rank] = left - 1;
    }
    this.#stagedWords = [];
    this.#stagedIndexes = [];
  }

  /** Where each word begins once some have got so many names. */
  #moveBegins(newWords: readonly Ranked[], added: Uint32Array): Uint32Array<ArrayBuffer> {
    const isNew = new Uint8Array(added.length);
    for (const { rank } of newWords) isNew[rank] = 1;
    const begins = new Uint32Array(added.length + 1);
    let [wordsBefore, namesBefore] = [0, 0];
    for (let rank = 0; rank < added.length; rank++) {
      wordsBefore += 1 - (isNew[rank] ?? 0);
      namesBefore += added[rank] ?? 0;
      begins[rank + 1] = (this.#begins[wordsBefore] ?? 0) + namesBefore;
    }
    return begins;
  }

  /** Makes room behind the names of each word, from the last word on: all are moved once. */
  #moveNames(added: Uint32Array, nameCount: number): void {
    let shift = this.#stagedIndexes.length;
    let end = nameCount;
    this.#makeRoom(nameCount + shift);
    for (let rank = added.length - 1; shift > 0; rank--) {
      if (added[rank] === 0) continue;
      const next = this.#begins[rank + 1] ?? 0;
      this.#indexes.copyWithin(next, next - shift, end);
      end = next - shift;
      shift -= added[rank] ?? 0;
    }
  }

  #makeRoom(count: number): void {
    if (count <= this.#indexes.length) return;
    const room = Math.ceil(count * 1.25);
    this.#indexes = new Uint32Array(this.#indexes.buffer.transfer(4 * room));
  }
}
