/**
 * Computes the number of edits between two texts, with a quick check for texts that differ too
 * much.
 */

/** Sets of letters as bits. Some letters share a bit, so a set may be too small. */
interface LetterBits {
  readonly letters: number;
  /** The letters that occur more than once. */
  readonly repeated: number;
}

/** Returns the letters of a text. */
export function letterBits(text: string): LetterBits {
  let letters = 0;
  let repeated = 0;
  for (let i = 0; i < text.length; i++) {
    const bit = 1 << (text.charCodeAt(i) & 31);
    repeated |= letters & bit;
    letters |= bit;
  }
  return { letters, repeated };
}

/** Whether more than `limit` bits are set. */
export function hasMoreBits(bits: number, limit: number): boolean {
  let others = bits;
  for (let i = 0; i < limit && others !== 0; i++) others &= others - 1; // clears the lowest bit
  return others !== 0;
}

/** Counts the bits that are set (population count). */
export function countBits(bits: number): number {
  let pairs = bits - ((bits >>> 1) & 0x55555555);
  pairs = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((pairs + (pairs >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Returns the edit distance of two texts. Any number above `limit` means "more". */
export function editDistance(one: string, other: string, limit: number): number {
  if (one === other) return 0;
  const [{ letters }, { letters: others }] = [letterBits(one), letterBits(other)];
  // Most pairs differ in more letters, and need no table.
  if (hasMoreBits(letters & ~others, limit) || hasMoreBits(others & ~letters, limit)) {
    return limit + 1;
  }
  return new EditDistances(one, limit).to(other, limit);
}

/**
 * Computes edit distances from one word to many others (Damerau-Levenshtein, unrestricted). An edit
 * inserts, deletes or replaces a letter, or swaps it with its neighbour. A letter between two
 * swapped ones may also be deleted, as in `archanlg` for `archangel`.
 */
export class EditDistances {
  readonly #word: string;
  readonly #width: number;
  /** In row i, column j: the distance of the word's first i letters from the other's first j. */
  readonly #table: Uint8Array;

  /** Makes the table that all comparisons share; no limit may be above `maxLimit`. */
  constructor(word: string, maxLimit: number) {
    this.#word = word;
    this.#width = word.length + maxLimit + 2;
    this.#table = new Uint8Array((word.length + 1) * this.#width);
    for (let j = 0; j < this.#width; j++) this.#table[j] = j;
    for (let i = 1; i <= word.length; i++) this.#table[i * this.#width] = i;
  }

  /** Returns the distance from a word. Any number above `limit` means "more". */
  to(other: string, limit: number): number {
    const { length } = this.#word;
    if (Math.abs(length - other.length) > limit) return limit + 1;
    for (let i = 1; i <= length; i++) {
      const nearest = this.#fillRow(i, other, limit);
      if (nearest > limit) return nearest;
    }
    return this.#table[length * this.#width + other.length] ?? 0;
  }

  /**
   * Fills in a row and returns its smallest distance. Fills only the cells near the diagonal and
   * one cell on either side: all others exceed the limit.
   */
  #fillRow(i: number, other: string, limit: number): number {
    const row = i * this.#width;
    const first = Math.max(1, i - limit);
    const last = Math.min(other.length, i + limit);
    if (first > 1) this.#table[row + first - 1] = limit + 1;
    this.#table[row + last + 1] = limit + 1;
    let nearest = i;
    for (let j = first; j <= last; j++) {
      const edits = this.#distanceAt(i, other, j, limit);
      this.#table[row + j] = edits;
      if (edits < nearest) nearest = edits;
    }
    return nearest;
  }

  #distanceAt(i: number, other: string, j: number, limit: number): number {
    const above = (i - 1) * this.#width + j;
    const diagonal = this.#table[above - 1] ?? 0;
    if (this.#word.charCodeAt(i - 1) === other.charCodeAt(j - 1)) return diagonal;
    const left = this.#table[above + this.#width - 1] ?? 0;
    const edits = 1 + Math.min(diagonal, this.#table[above] ?? 0, left);
    return Math.min(edits, this.#distanceSwapped(i, other, j, limit));
  }

  /** Returns the distance if the last two letters are swapped, or a number above the limit. */
  #distanceSwapped(i: number, other: string, j: number, limit: number): number {
    let edits = limit + 1;
    for (let up = 1; up <= limit && up < i; up++) {
      if (this.#word.charCodeAt(i - 1 - up) !== other.charCodeAt(j - 1)) continue;
      for (let left = 1; up + left <= limit + 1 && left < j; left++) {
        if (other.charCodeAt(j - 1 - left) !== this.#word.charCodeAt(i - 1)) continue;
        // Cells far from the diagonal still hold an earlier comparison.
        if (Math.abs(i - up - (j - left)) > limit) continue;
        const before = this.#table[(i - 1 - up) * this.#width + j - 1 - left] ?? 0;
        edits = Math.min(edits, before + up + left - 1);
      }
    }
    return edits;
  }
}
