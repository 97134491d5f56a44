import { foldWords } from '../../../domain/text.ts';
import type { FieldTest } from '../../../search/index.ts';
import type { Scalar } from './record.ts';

/** What the tests of a query mean for the values of a field. */

type ValueTest = (value: Scalar) => boolean;

/** Fields whose values are one word each, whatever signs are in it. */
const KEYWORDS: ReadonlySet<string> = new Set([
  'id',
  'number',
  'ptcgoCode',
  'set.id',
  'set.ptcgoCode',
]);

/** Letters that stand for wildcards where texts are folded, because folding drops signs. */
const ANY_LETTERS = 'ᐁ';
const ANY_LETTER = 'ᐃ';

/** Compiles a test of the values of a field: one of them must pass. */
export function compileValueTest(test: FieldTest): (values: readonly Scalar[]) => boolean {
  const isPassed = valueTest(test);
  return (values) => values.some(isPassed);
}

function valueTest({ field, value, isExact, range }: FieldTest): ValueTest {
  if (range) return inRange(range);
  if (value === '*') return () => true;
  const pattern = value.replace(/\\(.)|([*?])/g, (_, escaped?: string, wildcard?: string) => {
    if (wildcard === undefined) return escaped ?? '';
    return wildcard === '*' ? ANY_LETTERS : ANY_LETTER;
  });
  if (KEYWORDS.has(field)) {
    const wanted = pattern.toLowerCase();
    return (scalar) => matches(String(scalar).toLowerCase(), wanted);
  }
  const words = foldWords(pattern);
  return isExact ? isOnly(words) : hasSequence(words);
}

/** Whether a value consists of words. */
function isOnly(words: readonly string[]): ValueTest {
  const wanted = words.join(' ');
  return (value) => wanted !== '' && matches(folded(value).join(' '), wanted);
}

/** Whether a value has words next to each other. */
function hasSequence(words: readonly string[]): ValueTest {
  if (words.length === 0) return () => false;
  return (value) => {
    const all = folded(value);
    for (let from = 0; from + words.length <= all.length; from++) {
      if (words.every((word, i) => matches(all[from + i] ?? '', word))) return true;
    }
    return false;
  };
}

function folded(value: Scalar): readonly string[] {
  return foldWords(String(value));
}

/** Whether a text matches a pattern with wildcards, in a time that no pattern can raise far. */
function matches(text: string, pattern: string): boolean {
  let [at, sign] = [0, 0];
  // Where the last wildcard for many letters is, and where the text goes on if it takes one more.
  let [star, retry] = [-1, 0];
  while (at < text.length) {
    if (pattern[sign] === ANY_LETTERS) {
      [star, retry] = [sign, at];
      sign++;
    } else if (pattern[sign] === ANY_LETTER || pattern[sign] === text[at]) {
      at++;
      sign++;
    } else if (star !== -1) {
      sign = star + 1;
      retry++;
      at = retry;
    } else {
      return false;
    }
  }
  while (pattern[sign] === ANY_LETTERS) sign++;
  return sign === pattern.length;
}

/** Compares numbers as numbers, and anything else, such as dates, as text. */
function inRange({ low, high, isLowOpen, isHighOpen }: NonNullable<FieldTest['range']>): ValueTest {
  const isAbove = bound(low, isLowOpen, 1);
  const isBelow = bound(high, isHighOpen, -1);
  return (value) => isAbove(value) && isBelow(value);
}

/** Compiles a test for values on one side of an end; `sign` is 1 for those above it. */
function bound(end: string, isOpen: boolean, sign: 1 | -1): ValueTest {
  if (end === '*') return () => true;
  const isPassed = (difference: number) =>
    isOpen ? sign * difference > 0 : sign * difference >= 0;
  if (NUMBER.test(end)) {
    const limit = Number(end);
    return (value) => {
      const number = numberOf(value);
      return number !== undefined && isPassed(number - limit);
    };
  }
  const limit = comparable(end);
  return (value) => {
    // `2020/08` includes all of its days.
    const text = DATE.test(limit) ? comparable(value).slice(0, limit.length) : comparable(value);
    return isPassed(text < limit ? -1 : Number(text > limit));
  };
}

const NUMBER = /^-?\d{1,9}(?:\.\d{1,9})?$/;
const DATE = /^\d{4}(?:\/\d\d){1,2}$/;

/** Returns a number, or the year of a date. */
function numberOf(value: Scalar): number | undefined {
  if (typeof value === 'number') return value;
  const [number] = /^\d{4}(?=\/)/.exec(value) ?? NUMBER.exec(value) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** `2020-08-14` is `2020/08/14`. */
function comparable(value: Scalar): string {
  const text = String(value).toLowerCase();
  return /^\d{4}-/.test(text) ? text.replaceAll('-', '/') : text;
}
