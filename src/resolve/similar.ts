import { editDistance, foldLookalikes } from '../search/index.ts';

/**
 * Whether two names, in folded words, differ only by a few edits or look-alike letters. Compares
 * word by word, or the whole names if their word counts differ.
 */
export function areSimilar(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) {
    // A missing number is not a misspelling: `Baby` is not `Baby 5`.
    return digitsOf(some) === digitsOf(others) && isNear(some.join(''), others.join(''), 0.2);
  }
  return some.every((word, i) => isNear(word, others[i] ?? '', 0.34));
}

function digitsOf(words: readonly string[]): string {
  return words.filter((word) => /^\d+$/.test(word)).join(' ');
}

/** Whether two texts differ by at most this share of the letters, and at most five. */
function isNear(a: string, b: string, share: number): boolean {
  if (a === b) return true;
  // Look-alikes of two letters can shorten a text by about this much.
  const longest = Math.max(a.length, b.length);
  if (Math.abs(a.length - b.length) > Math.floor(longest * share) + 2) return false;
  const [one, other] = [foldLookalikes(a), foldLookalikes(b)];
  const limit = Math.min(5, Math.floor(Math.max(one.length, other.length) * share));
  return editDistance(one, other, limit) <= limit;
}
