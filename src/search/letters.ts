/**
 * Letters as bits of a set. Some share a bit, so such a set only tells what cannot be; it does so
 * without a look at the text, which is somewhere else in memory and takes most of the time.
 */

/** The bit of the first letter of a text. */
export function firstLetter(text: string): number {
  return 1 << (text.charCodeAt(0) & 31);
}

/** The first letters of some texts. */
export function firstLetters(texts: readonly string[]): number {
  let letters = 0;
  for (const text of texts) letters |= firstLetter(text);
  return letters;
}

export interface Letters {
  /** All of them. */
  readonly once: number;
  /** Those that are there more than once. */
  readonly twice: number;
}

/** The letters of a text. */
export function lettersOf(text: string): Letters {
  let once = 0;
  let twice = 0;
  for (let i = 0; i < text.length; i++) {
    const letter = 1 << (text.charCodeAt(i) & 31);
    twice |= once & letter;
    once |= letter;
  }
  return { once, twice };
}

/** How many letters there are in a set. */
export function countLetters(letters: number): number {
  let pairs = letters - ((letters >>> 1) & 0x55555555);
  pairs = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((pairs + (pairs >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
