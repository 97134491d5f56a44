import { numberForms, readCollectorNumber, totalOf } from '../domain/collector-number.ts';
import { foldCode } from '../domain/naming/set-names.ts';
import { withoutZeros } from '../domain/text.ts';

/**
 * Returns the forms of a number in a set with this code: those of {@link numberForms}, and forms
 * without the language after the code, which lists omit: `lob5` and `5` for `LOB-EN005` in `LOB`.
 */
function formsOf(number: string, code: string): string[] {
  const forms = numberForms(number, code);
  const { words } = readCollectorNumber(number);
  const [first = '', last = ''] = words;
  if (words.length !== 2 || !LANGUAGE.test(last)) return forms;
  const digits = withoutZeros(last.replace(/^\D+/, ''));
  const front = withoutZeros(first);
  forms.push(/\d$/.test(front) ? `${front}-${digits}` : front + digits);
  if (front === code) forms.push(digits);
  return forms;
}

/** Matches most numbers. They need no forms. */
const PLAIN = /^(\d{1,9})(?:\/\d+)?$/;

/** `EN005`, `E005`. In `END02`, the third letter is part of the number. */
const LANGUAGE = /^[a-z]{1,2}\d/;

/** An ASCII number up to its last digits, and the letters that may follow. */
const LAST_DIGITS = /^[\w -]*?0*(\d+)[A-Za-z_ -]*(?:\/|$)/;

/** Whether two numbers end in different digits: `4/102` and `SWSH039`. A quick test. */
function endOtherwise(one: string, other: string): boolean {
  const [digits, others] = [LAST_DIGITS.exec(one)?.[1], LAST_DIGITS.exec(other)?.[1]];
  return digits !== undefined && others !== undefined && digits !== others;
}

/** Whether an item's number is the number of a card in a set with this code. */
export function isSameNumber(given: string, own: string | null, setCode: string): boolean {
  if (own === null) return false;
  if (given === own) return true;
  const [plain, other] = [PLAIN.exec(given), PLAIN.exec(own)];
  if (plain && other) return Number(plain[1]) === Number(other[1]);
  if (endOtherwise(given, own)) return false;
  const code = foldCode(setCode);
  const forms = formsOf(own, code);
  return formsOf(given, code).some((form) => forms.includes(form));
}

/** Returns the lookup forms of a number: its words with hyphens, then as one word. */
export function lookupForms(given: string): string[] {
  const { words } = readCollectorNumber(given);
  return words.length === 0 ? [] : [...new Set([words.join('-'), words.join('')])];
}

/** `LOB-EN005`, `P-088`; `HVY145` with a code of three characters. */
const CODE_IN_FRONT =
  /^(?:([A-Za-z][A-Za-z0-9]{0,5})-[A-Za-z]{0,4}\d|(?=\d?[A-Za-z])([A-Za-z0-9]{3})\d{3}$)/;

/** Returns the code in front of a number: `LOB` of `LOB-005`; undefined if there is none. */
export function codeInFront(number: string): string | undefined {
  const [, hyphenated, fixed] = CODE_IN_FRONT.exec(number) ?? [];
  return hyphenated ?? fixed;
}

/** Whether two numbers have different totals: `4/102` and `4/130`. */
export function haveOtherTotals(given: string, own: string): boolean {
  const [one, other] = [totalOf(given), totalOf(own)];
  return one !== '' && other !== '' && one !== other;
}

/** Whether two numbers have the same total. */
export function haveSameTotal(given: string, own: string | null): boolean {
  const total = totalOf(given);
  return total !== '' && own !== null && totalOf(own) === total;
}
