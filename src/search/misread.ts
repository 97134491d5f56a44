import { withoutBrackets } from '../domain/card-name.ts';
import { foldWords } from '../domain/text.ts';
import { editDistance, hasMoreBits } from '../lib/edit-distance.ts';

/* The characters that text recognition confuses in photos of cards. No other module lists them. */

/** Letters that it reads as digits, by digit. */
const LETTERS: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'l',
  3: 'e',
  5: 's',
  6: 'g',
  8: 'b',
};

/** Digits that it reads as letters. `e` and `g` are languages in numbers: `LOB-E005`. */
const DIGITS: Readonly<Record<string, string>> = { o: '0', l: '1', i: '1', s: '5', b: '8' };

/** Returns a folded word with letters for the digits that may be misread: `bolt` for `b0lt`. */
export function misreadLetters(word: string): string {
  return word.replace(/[013568]/g, (digit) => LETTERS[digit] ?? digit);
}

/** Returns a number with digits for letters that may be misread: `149` for `l49`. */
export function misreadDigits(number: string): string {
  return number.replace(/[oilsb](?=\d)|(?<=\d)[oilsb]/gi, (letter) => {
    return DIGITS[letter.toLowerCase()] ?? letter;
  });
}

/** The letters and digits that {@link foldLookalikes} replaces. Most words have none. */
const LOOKALIKES = /[013568i]|rn|rl|vv/;

/** Returns a folded text in which characters that look alike are the same letter. */
function foldLookalikes(folded: string): string {
  if (!LOOKALIKES.test(folded)) return folded;
  return misreadLetters(folded)
    .replaceAll('i', 'l')
    .replaceAll('rn', 'm')
    .replaceAll('rl', 'n')
    .replaceAll('vv', 'w');
}

/** Letters and digits that {@link foldLookalikes} may turn into one another share a shape. */
const SHAPES: ReadonlyMap<number, number> = new Map(
  ['o0', 'l1irnmvw', 'e3', 's5', 'g6', 'b8'].flatMap((alike) => {
    return [...alike].map((sign) => [sign.charCodeAt(0), alike.charCodeAt(0)] as const);
  }),
);

/** Returns the shapes in a folded text as bits. Folding look-alikes changes none of them. */
function shapesOf(folded: string): number {
  let bits = 0;
  for (let i = 0; i < folded.length; i++) {
    const code = folded.charCodeAt(i);
    bits |= 1 << ((SHAPES.get(code) ?? code) & 31);
  }
  return bits;
}

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

/** Whether folded words are the name of a card, without its brackets, but for a few letters. */
export function isSimilarName(words: readonly string[], cardName: string): boolean {
  return areSimilar(words, foldWords(withoutBrackets(cardName)));
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
  const most = Math.min(5, Math.floor(longest * share));
  const [letters, others] = [shapesOf(a), shapesOf(b)];
  if (hasMoreBits(letters & ~others, most) || hasMoreBits(others & ~letters, most)) return false;
  const [one, other] = [foldLookalikes(a), foldLookalikes(b)];
  const limit = Math.min(5, Math.floor(Math.max(one.length, other.length) * share));
  if (editDistance(one, other, limit) <= limit) return true;
  // An omitted letter can create a look-alike of two letters: `serndib` for `serendib`.
  return (one !== a || other !== b) && editDistance(a, b, most) <= most;
}
