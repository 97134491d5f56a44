/** Characters that text recognition confuses, with the letter that replaces them. */
const LOOK_ALIKE: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  i: 'l',
  '!': 'l',
  '|': 'l',
  '5': 's',
  $: 's',
  '8': 'b',
  '6': 'g',
};
const ALIKE = new RegExp(`[${Object.keys(LOOK_ALIKE).join('').replace(/[$|]/g, '\\$&')}]`, 'g');

/** The digits that text recognition confuses with letters. */
const MISREAD_DIGITS: Readonly<Record<string, string>> = { o: '0', l: '1', i: '1', s: '5', b: '8' };

/** Returns a folded text with look-alike characters replaced by the same letter. */
function foldLookalikes(folded: string): string {
  return folded
    .replace(ALIKE, (sign) => LOOK_ALIKE[sign] ?? sign)
    .replaceAll('rn', 'm')
    .replaceAll('rl', 'n')
    .replaceAll('vv', 'w');
}

/** Corrects letters that may be misread digits: `149` for `l49`, `DTD204` for `DTD2O4`. */
export function misreadNumber(text: string): string {
  return text.replace(/[oilsb](?=\d)|(?<=\d)[oilsb]/gi, (letter) => {
    return MISREAD_DIGITS[letter.toLowerCase()] ?? letter;
  });
}

/**
 * Returns how many letters must be inserted, deleted, replaced or swapped with their neighbour to
 * turn one text into the other. Any number above `limit` means more than `limit`.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = nextRow(a, b, i, previous, before);
    if (Math.min(...row) > limit) return limit + 1;
    [before, previous] = [previous, row];
  }
  return previous[b.length] ?? limit + 1;
}

function nextRow(
  a: string,
  b: string,
  i: number,
  previous: readonly number[],
  before: readonly number[],
): number[] {
  const row = [i];
  for (let j = 1; j <= b.length; j++) {
    const cost = a[i - 1] === b[j - 1] ? 0 : 1;
    const [left = 0, above = 0, diagonal = 0] = [row[j - 1], previous[j], previous[j - 1]];
    let edits = Math.min(left + 1, above + 1, diagonal + cost);
    if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
      edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
    }
    row.push(edits);
  }
  return row;
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
