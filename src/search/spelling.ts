import { countBits, EditDistances, hasMoreBits, letterBits } from '../lib/edit-distance.ts';

/** A number is right or wrong, never nearly right. */
const HAS_DIGIT = /\d/;

/** Terms of these lengths may be one edit away, and two. */
const LENGTH_FOR_ONE_EDIT = 4;
const LENGTH_FOR_TWO_EDITS = 8;

/** A possible correction. */
interface Spelled {
  readonly text: string;
}

/** A term that a word may mean, and its distance from the word as typed. */
export interface Correction<T extends Spelled> {
  readonly term: T;
  readonly edits: number;
}

/**
 * Finds the terms that a misspelt word may mean.
 *
 * For every term of similar length it first compares only the sets of letters, because one edit
 * removes and adds at most one letter. It then compares the few terms in a thousand that remain
 * letter by letter. That takes 0.1 ms and little memory. An index of deletions or n-grams would
 * store every term a dozen times.
 */
export class Spelling<T extends Spelled> {
  readonly #byLength: TermsOfLength<T>[] = [];
  readonly #isLive: (term: T) => boolean;

  /** @param isLive Whether a term may be returned. */
  constructor(isLive: (term: T) => boolean) {
    this.#isLive = isLive;
  }

  /** Adds a term that may be a correction. */
  add(term: T): void {
    const { text } = term;
    if (maxEdits(text.length) === 0 || text.length > LONGEST || HAS_DIGIT.test(text)) return;
    while (this.#byLength.length <= text.length) this.#byLength.push(new TermsOfLength());
    this.#byLength[text.length]?.add(term);
  }

  /** Returns the live terms that `word` may misspell, nearest first. */
  corrections(word: string): Correction<T>[] {
    return this.#findNear(word, 2, maxEdits);
  }

  /** Returns the live terms at most `edits` edits away from `word`, nearest first. */
  within(edits: number, word: string): Correction<T>[] {
    return this.#findNear(word, edits, () => edits);
  }

  #findNear(word: string, most: number, maxEditsOf: (length: number) => number): Correction<T>[] {
    if (HAS_DIGIT.test(word) || word.length > LONGEST) return [];
    const distances = new EditDistances(word, most);
    const found: Correction<T>[] = [];
    for (let length = word.length - most; length <= word.length + most; length++) {
      const limit = maxEditsOf(length);
      if (Math.abs(length - word.length) > limit) continue;
      for (const term of this.#byLength[length]?.withSimilarLetters(word, limit) ?? []) {
        const edits = distances.to(term.text, limit);
        if (edits <= limit && this.#isLive(term)) found.push({ term, edits });
      }
    }
    return found.sort((a, b) => a.edits - b.edits);
  }
}

/** Returns how many edits a misspelling may be away from a term of this length. */
function maxEdits(length: number): number {
  if (length < LENGTH_FOR_ONE_EDIT) return 0;
  return length < LENGTH_FOR_TWO_EDITS ? 1 : 2;
}

/** The terms of one length, with their letters in columns. */
class TermsOfLength<T extends Spelled> {
  readonly #terms: T[] = [];
  /** These columns have spare capacity. */
  #letters = new Int32Array(FEWEST_TERMS);
  #repeated = new Int32Array(FEWEST_TERMS);

  add(term: T): void {
    const { letters, repeated } = letterBits(term.text);
    const i = this.#terms.push(term) - 1;
    if (i === this.#letters.length) {
      this.#letters = doubled(this.#letters);
      this.#repeated = doubled(this.#repeated);
    }
    this.#letters[i] = letters;
    this.#repeated[i] = repeated;
  }

  /** Returns the terms that lack and add at most `limit` letters compared with `word`. */
  withSimilarLetters(word: string, limit: number): T[] {
    const typed = letterBits(word);
    const similar: T[] = [];
    const [column, { length }] = [this.#letters, this.#terms];
    for (let i = 0; i < length; i++) {
      const letters = column[i] as number;
      // Counting all bits takes longer, and this excludes nearly all terms.
      if (hasMoreBits(typed.letters & ~letters, limit)) continue;
      if (hasMoreBits(letters & ~typed.letters, limit)) continue;
      const removed = countBits(typed.letters & ~letters);
      const added = countBits(letters & ~typed.letters);
      const repeated = this.#repeated[i] as number;
      if (removed + countBits(typed.repeated & ~repeated) > limit) continue;
      if (added + countBits(repeated & ~typed.repeated) > limit) continue;
      similar.push(this.#terms[i] as T);
    }
    return similar;
  }
}

/** Longer words are not corrected, and longer terms are not corrections. */
const LONGEST = 64;

const FEWEST_TERMS = 16;

function doubled(column: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * column.length);
  longer.set(column);
  return longer;
}
