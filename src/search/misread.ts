/*
 * The characters that text recognition confuses in photos of cards. Nothing else lists them.
 */

/** The letters that it reads as digits, by these digits. */
const LETTERS: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'l',
  3: 'e',
  5: 's',
  6: 'g',
  8: 'b',
};

/** The digits that it reads as letters. `e` and `g` are languages in numbers: `LOB-E005`. */
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

/** Returns a folded text in which characters that look alike are the same letter. */
export function foldLookalikes(folded: string): string {
  return misreadLetters(folded)
    .replaceAll('i', 'l')
    .replaceAll('rn', 'm')
    .replaceAll('rl', 'n')
    .replaceAll('vv', 'w');
}
