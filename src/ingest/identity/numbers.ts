import { foldWords, withoutZeros } from '../../domain/text.ts';

/** How printed numbers are compared. Zeros in front do not count, letters do. */

/**
 * What a number is known by: `004/102` is `4`, `OP01-025` is `op1-25`, `SVP 085` in a set with the
 * code `SVP` also `85`, and `099/102 & 100/102` both of its numbers. None where it has no number.
 */
export function numberForms(number: string | null, setCode: string): string[] {
  if (number === null) return [];
  const forms: string[] = [];
  for (const part of number.split(/[&+]/)) {
    const words = foldWords(part.split('/')[0] ?? '');
    if (words.length === 0) continue;
    const whole = joined(words);
    forms.push(whole);
    const rest = whole.startsWith(setCode) ? whole.slice(setCode.length) : '';
    const own = /\d$/.test(setCode) ? /^-(\d.*)/ : /^-?(\d.*)/;
    const bare = setCode === '' ? undefined : own.exec(rest)?.[1];
    if (bare !== undefined) forms.push(bare);
  }
  return forms;
}

/** Words run together, except where digits would become one number. */
function joined(words: readonly string[]): string {
  let text = '';
  for (const word of words) {
    text += /\d$/.test(text) && /^\d/.test(word) ? `-${word}` : word;
  }
  return text.replace(/(?<!\d)0+(?=\d)/g, '');
}

/** How many cards the number says that its set has, in letters too: `102`, `tg30`. */
export function totalOf(number: string | null): string {
  const after = number?.split('/')[1];
  return after === undefined ? '' : withoutZeros(foldWords(after).join(''));
}

/**
 * How two numbers compare when nothing is known of their sets: `near` for the same digits in
 * another form, such as `M10-146` and `146`, `123p` and `123`; also when one is not known.
 */
export function compareNumbers(one: string | null, other: string | null) {
  const [forms, others] = [numberForms(one, ''), numberForms(other, '')];
  if (forms.length === 0 || others.length === 0) return 'near';
  if (forms.some((form) => others.includes(form))) return 'same';
  return lastDigits(forms).some((digits) => lastDigits(others).includes(digits)) ? 'near' : 'other';
}

function lastDigits(forms: readonly string[]): string[] {
  return forms.map((form) => form.match(/\d+/g)?.at(-1) ?? '').filter((digits) => digits !== '');
}
