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

/** Words of one length, with the letters of each as a bit set. */
interface Shelf {
  readonly terms: Term[];
  readonly letters: number[];
}

/**
 * The words that a misspelt word may stand for.
 *
 * Every word of nearly the same length is looked at, but only as a bit set of its letters: one
 * edit changes at most two letters of the set. What is left, a few words in a hundred, is
 * compared letter by letter. That takes 0.1 ms and no memory to speak of, where indexes
 * over deletions or word parts hold every word a dozen times.
 */
export class Spelling {
  readonly #shelves: Shelf[] = [];

  /** Adds a word that misspellings may be corrected to. */
  add(term: Term): void {
    const { text } = term;
    if (allowedEdits(text.length) === 0 || HAS_DIGIT.test(text)) return;
    while (this.#shelves.length <= text.length) this.#shelves.push({ terms: [], letters: [] });
    const shelf = this.#shelves[text.length];
    shelf?.terms.push(term);
    shelf?.letters.push(lettersOf(text));
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
      const shelf = this.#shelves[length];
      if (shelf && Math.abs(length - word.length) <= edits) collectNear(word, shelf, edits, found);
    }
    return found.sort((a, b) => a.edits - b.edits);
  }
}

function collectNear(word: string, shelf: Shelf, allowed: number, found: Correction[]): void {
  const letters = lettersOf(word);
  for (let i = 0; i < shelf.letters.length; i++) {
    if (countBits(letters ^ (shelf.letters[i] ?? 0)) > 2 * allowed) continue;
    const term = shelf.terms[i];
    if (!term || !isVisible(term)) continue;
    const edits = editDistance(word, term.text, allowed);
    if (edits <= allowed) found.push({ term, edits });
  }
}

/** How many edits what was typed may be away from a word of this length. */
function allowedEdits(length: number): number {
  if (length < LENGTH_FOR_ONE_EDIT) return 0;
  return length < LENGTH_FOR_TWO_EDITS ? 1 : 2;
}

function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) & 31);
  return letters;
}

function countBits(bits: number): number {
  let pairs = bits - ((bits >>> 1) & 0x55555555);
  pairs = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((pairs + (pairs >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The longest words that are compared; one table of distances serves all comparisons. */
const LONGEST = 64;
const WIDTH = LONGEST + 1;
const distances = new Uint8Array(WIDTH * WIDTH);
for (let i = 0; i < WIDTH; i++) {
  distances[i] = i;
  distances[i * WIDTH] = i;
}

/**
 * How many letters must be put in, left out, replaced or swapped with their neighbour to make one
 * word of the other (Damerau-Levenshtein: also where a letter between two swapped ones is left
 * out, as in `archanlg` for `archangel`). Any number over `limit` stands for "more".
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (a.length > LONGEST || b.length > LONGEST) return a === b ? 0 : limit + 1;
  for (let i = 1; i <= a.length; i++) {
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const edits = distanceAt(a, i, b, j, limit);
      distances[i * WIDTH + j] = edits;
      if (edits < best) best = edits;
    }
    if (best > limit) return best;
  }
  return distances[a.length * WIDTH + b.length] ?? 0;
}

/** The distance of the first `i` letters of `a` from the first `j` of `b`. */
function distanceAt(a: string, i: number, b: string, j: number, limit: number): number {
  const above = (i - 1) * WIDTH + j;
  const diagonal = distances[above - 1] ?? 0;
  const letter = a.charCodeAt(i - 1);
  const other = b.charCodeAt(j - 1);
  if (letter === other) return diagonal;
  let edits = 1 + Math.min(diagonal, distances[above] ?? 0, distances[above + WIDTH - 1] ?? 0);
  for (let up = 1; up <= limit && up < i; up++) {
    if (a.charCodeAt(i - 1 - up) !== other) continue;
    for (let left = 1; up + left <= limit + 1 && left < j; left++) {
      if (b.charCodeAt(j - 1 - left) !== letter) continue;
      const before = distances[(i - 1 - up) * WIDTH + j - 1 - left] ?? 0;
      edits = Math.min(edits, before + up + left - 1);
    }
  }
  return edits;
}
