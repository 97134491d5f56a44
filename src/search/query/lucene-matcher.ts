import { foldWords } from '../../domain/text.ts';
import type { FieldTest, LuceneFields } from './lucene.ts';
import { compileTree, type Tree } from './tree.ts';

/** A value of a field of a record. */
export type Scalar = string | number;

/**
 * Returns the values of a field, including those of all list members on its path and of all its
 * parts.
 */
export function valuesAt(record: unknown, path: readonly string[]): Scalar[] {
  if (Array.isArray(record)) return record.flatMap((member) => valuesAt(member, path));
  const [name, ...rest] = path;
  if (!isRecord(record)) {
    const isValue = typeof record === 'string' || typeof record === 'number';
    return isValue && name === undefined ? [record] : [];
  }
  if (name === undefined) return Object.values(record).flatMap((part) => valuesAt(part, rest));
  return Object.hasOwn(record, name) ? valuesAt(record[name], rest) : [];
}

/** Whether a value has fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Compiles a condition into a test of records. One of the values of a field must pass. */
export function compileLucene(
  tree: Tree<FieldTest>,
  { keywords }: LuceneFields,
): (record: object) => boolean {
  const fold = keptFolds();
  return compileTree(tree, (test) => {
    const path = test.field.split('.');
    const isPassed = valueTest(test, keywords.has(test.field), fold);
    return (record) => valuesAt(record, path).some(isPassed);
  });
}

type ValueTest = (value: Scalar) => boolean;

/** Returns the folded words of a value. */
type Fold = (value: Scalar) => readonly string[];

/** Letters that replace wildcards before texts are folded, because folding drops signs. */
const ANY_LETTERS = 'ᐁ';
const ANY_LETTER = 'ᐃ';

/** The tests of a query fold the same values, and so do many records. */
const KEPT_FOLDS = 20_000;

/** Returns a function that folds values and caches the words of recent ones. */
function keptFolds(): Fold {
  const kept = new Map<Scalar, readonly string[]>();
  return (value) => {
    const known = kept.get(value);
    if (known) return known;
    const words = foldWords(String(value));
    if (kept.size === KEPT_FOLDS) kept.clear();
    kept.set(value, words);
    return words;
  };
}

function valueTest(
  { value, isExact, range }: FieldTest,
  isKeyword: boolean,
  fold: Fold,
): ValueTest {
  if (range) return inRange(range);
  if (value === '*') return () => true;
  const pattern = value.replace(/\\(.)|([*?])/g, (_, escaped?: string, wildcard?: string) => {
    if (wildcard === undefined) return escaped ?? '';
    return wildcard === '*' ? ANY_LETTERS : ANY_LETTER;
  });
  if (isKeyword) {
    const isWanted = matcher(pattern.toLowerCase());
    return (scalar) => isWanted(String(scalar).toLowerCase());
  }
  const words = foldWords(pattern);
  return isExact ? isOnly(words, fold) : hasSequence(words, fold);
}

/** Whether a value consists of words. */
function isOnly(words: readonly string[], fold: Fold): ValueTest {
  if (words.length === 0) return () => false;
  const isWanted = matcher(words.join(' '));
  return (value) => isWanted(fold(value).join(' '));
}

/** Whether a value has words next to each other. */
function hasSequence(words: readonly string[], fold: Fold): ValueTest {
  if (words.length === 0) return () => false;
  const wanted = words.map(matcher);
  return (value) => {
    const all = fold(value);
    for (let from = 0; from + wanted.length <= all.length; from++) {
      if (wanted.every((isWanted, i) => isWanted(all[from + i] ?? ''))) return true;
    }
    return false;
  };
}

/** Compiles a test of texts by a pattern, which usually has no wildcards. */
function matcher(pattern: string): (text: string) => boolean {
  const isPattern = pattern.includes(ANY_LETTERS) || pattern.includes(ANY_LETTER);
  return isPattern ? (text) => matches(text, pattern) : (text) => text === pattern;
}

/** Whether a text matches a pattern with wildcards. No pattern can make this slow. */
function matches(text: string, pattern: string): boolean {
  let [at, sign] = [0, 0];
  // The position of the last multi-letter wildcard, and of the text after it takes one more letter.
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

/** Compares numbers as numbers, and other values, such as dates, as text. */
function inRange({ low, high, isLowOpen, isHighOpen }: NonNullable<FieldTest['range']>): ValueTest {
  const isAbove = bound(low, isLowOpen, 1);
  const isBelow = bound(high, isHighOpen, -1);
  return (value) => isAbove(value) && isBelow(value);
}

/** Compiles a test for values on one side of an end; `sign` is 1 for values above it. */
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
