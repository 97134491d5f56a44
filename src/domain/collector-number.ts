import { foldText, foldWords, withoutZeros } from './text.ts';

/**
 * Reads collector numbers, as printed on cards and written by sources: `4/102`, `OP01-025`,
 * `TG12/TG30`, `SVP 085`. Case and leading zeros do not matter, but letters do: `TG01` is not `1`,
 * and `74a` is not `74`. No other module parses these numbers.
 */
export interface CollectorNumber {
  /** The part before the slash, in folded words with their zeros: `op01` and `025`. */
  readonly words: readonly string[];
  /** The total after the slash: `102`, `tg30`; empty if it is missing. */
  readonly total: string;
}

/** Reads a number. One without letters and digits has no words. */
export function readCollectorNumber(text: string): CollectorNumber {
  return { words: foldWords(collectorPart(text)), total: totalOf(text) };
}

/** Returns the total of a number: `102` of `4/102`; empty if it is missing. */
export function totalOf(text: string): string {
  return text.includes('/') ? withoutZeros(foldText(text.split('/')[1] ?? '')) : '';
}

/** Reads all numbers on a card: two for `099/102 & 100/102`, otherwise one. */
export function readCollectorNumbers(text: string): CollectorNumber[] {
  return text.split(/[&+]/).map(readCollectorNumber);
}

/** Returns the part of a number that identifies a card in its set, as printed: `4` of `4/102`. */
export function collectorPart(text: string): string {
  return text.split('/')[0] ?? '';
}

/**
 * Returns a key that sorts numbers as collectors list them: `9` before `10`, then those that begin
 * with letters, letter by letter. An empty text (no number) sorts last.
 */
export function numberSortKey(text: string): string {
  if (text === '') return '\uffff';
  return text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(6, '0'));
}

/** Returns a number with hyphens between its words, without leading zeros: `op1-25`, `svp-85`. */
export function hyphenated({ words }: Pick<CollectorNumber, 'words'>): string {
  return words.map(withoutZeros).join('-');
}

/**
 * Returns a number as one word, without leading zeros: `svp85`. It keeps a hyphen if the digits of
 * two words would otherwise become one number: `op1-25`.
 */
export function compacted({ words }: Pick<CollectorNumber, 'words'>): string {
  let text = '';
  for (const word of words.map(withoutZeros)) {
    text += /\d$/.test(text) && /^\d/.test(word) ? `-${word}` : word;
  }
  return text;
}

/**
 * Returns the forms of a card's number in a set: each number as one word and, if that begins with
 * the set's code, also without the code: `svp85` and `85` in the set `svp`. `setCode` is folded and
 * without zeros; it is empty if there is no code. Returns none for a card without a number.
 */
export function numberForms(text: string | null, setCode: string): string[] {
  const numbers = text === null ? [] : readCollectorNumbers(text);
  return numbers.flatMap((number) => {
    const whole = compacted(number);
    if (whole === '') return [];
    const own = withoutCode(whole, setCode);
    return own === undefined ? [whole] : [whole, own];
  });
}

/**
 * After a code that ends in a digit, a hyphen must follow: the code of `op1-25` is `op1`; `op12`
 * has none.
 */
function withoutCode(whole: string, setCode: string): string | undefined {
  if (setCode === '' || !whole.startsWith(setCode)) return undefined;
  const own = /\d$/.test(setCode) ? /^-(\d.*)/ : /^-?(\d.*)/;
  return own.exec(whole.slice(setCode.length))?.[1];
}

/**
 * Compares two numbers whose sets are not known. `near` means that they have the same last digits
 * in another form, such as `M10-146` and `146` or `123p` and `123`, or that one number is missing.
 */
export function compareNumbers(
  one: string | null,
  other: string | null,
): 'same' | 'near' | 'other' {
  const [forms, others] = [numberForms(one, ''), numberForms(other, '')];
  if (forms.length === 0 || others.length === 0) return 'near';
  if (forms.some((form) => others.includes(form))) return 'same';
  return lastDigits(forms).some((digits) => lastDigits(others).includes(digits)) ? 'near' : 'other';
}

function lastDigits(forms: readonly string[]): string[] {
  return forms.map((form) => form.match(/\d+/g)?.at(-1) ?? '').filter((digits) => digits !== '');
}

/**
 * Whether a text in a card's name repeats its number, or the last part of it: `72` and `072/132`,
 * `25` and `OP01-025`, `200` and `SVP 200`. Only here do signs matter: `#1` does not repeat `1/30`,
 * because it distinguishes cards with the same number, and `!` repeats an Unown's `!/28`.
 */
export function repeatsNumber(text: string, number: string): boolean {
  const forms = literalForms(number);
  return literalForms(text).some((form) => forms.includes(form));
}

function literalForms(text: string): string[] {
  const collector = collectorPart(text).toLowerCase();
  const last = collector.split(/[\s-]/).at(-1) ?? collector;
  return [collector, last].map(withoutZeros);
}
