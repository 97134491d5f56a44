import { editDistance } from './distance.ts';
import { countLetters, lettersOf } from './letters.ts';
import { isVisible, type Term } from './vocabulary.ts';

/** A number is right or wrong, never nearly right. */
const HAS_DIGIT = /\d/;

/** Words this long may be misspelt in one place, and in two. */
const LENGTH_FOR_ONE_EDIT = 4;
const LENGTH_FOR_TWO_EDITS = 8;

/** A word that was perhaps meant, and how many edits away it is. */
export interface Correction {
  readonly term: Term;
  readonly edits: number;
}

/**
 * The words that a misspelt word may stand for.
 *
 * Every word of nearly the same length is looked at, but only as sets of its letters: one edit
 * takes one letter away at most and brings one in. What is left, a few words in a thousand, is
 * compared letter by letter. That takes 0.1 ms and no memory to speak of, where indexes
 * over deletions or word parts hold every word a dozen times.
 */
export class Spelling {
  readonly #shelves: Shelf[] = [];

  /** Adds a word that misspellings may be corrected to. */
  add(term: Term): void {
    const { text } = term;
    if (allowedEdits(text.length) === 0 || HAS_DIGIT.test(text)) return;
    while (this.#shelves.length <= text.length) this.#shelves.push(new Shelf());
    this.#shelves[text.length]?.add(term);
  }

  /** The visible words that `word` may be a misspelling of, nearest first. */
  corrections(word: string): Correction[] {
    return this.#near(word, 2, allowedEdits);
  }

  /** The visible words at most so many edits away from `word`, nearest first. */
  within(edits: number, word: string): Correction[] {
    return this.#near(word, edits, () => edits);
  }

  #near(word: string, most: number, allowed: (length: number) => number): Correction[] {
    if (HAS_DIGIT.test(word)) return [];
    const found: Correction[] = [];
    for (let length = word.length - most; length <= word.length + most; length++) {
      const edits = allowed(length);
      if (Math.abs(length - word.length) > edits) continue;
      for (const term of this.#shelves[length]?.alike(word, edits) ?? []) {
        const distance = editDistance(word, term.text, edits);
        if (distance <= edits && isVisible(term)) found.push({ term, edits: distance });
      }
    }
    return found.sort((a, b) => a.edits - b.edits);
  }
}

/** Words of one length, with the letters that each has once at least, and twice at least. */
class Shelf {
  readonly #terms: Term[] = [];
  readonly #once: number[] = [];
  readonly #twice: number[] = [];

  add(term: Term): void {
    const { once, twice } = lettersOf(term.text);
    this.#terms.push(term);
    this.#once.push(once);
    this.#twice.push(twice);
  }

  /** The words that have all but so many letters of `word`, and no more others. */
  alike(word: string, edits: number): Term[] {
    const typed = lettersOf(word);
    const alike: Term[] = [];
    for (let i = 0; i < this.#once.length; i++) {
      const once = this.#once[i] ?? 0;
      const lost = countLetters(typed.once & ~once);
      const gained = countLetters(once & ~typed.once);
      if (lost > edits || gained > edits) continue;
      const twice = this.#twice[i] ?? 0;
      if (lost + countLetters(typed.twice & ~twice) > edits) continue;
      if (gained + countLetters(twice & ~typed.twice) > edits) continue;
      alike.push(this.#terms[i] as Term);
    }
    return alike;
  }
}

/** How many edits what was typed may be away from a word of this length. */
function allowedEdits(length: number): number {
  if (length < LENGTH_FOR_ONE_EDIT) return 0;
  return length < LENGTH_FOR_TWO_EDITS ? 1 : 2;
}
