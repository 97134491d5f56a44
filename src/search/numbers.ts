import {
  type CollectorNumber,
  hyphenated,
  readCollectorNumbers,
} from '../domain/collector-number.ts';
import { foldText, withoutZeros } from '../domain/text.ts';
import { append } from '../lib/append.ts';
import type { PrintedNumber } from './records.ts';
import { ownRank, SortedList } from './sorted.ts';

const DIGIT = /\d/;

/** No printed number is longer. */
const LONGEST_NUMBER = 20;

/** The printed numbers of all cards, by the forms in which collectors type them. */
export class Numbers {
  readonly #printed = new Map<string, PrintedNumber>();
  readonly #byKey = new Map<string, PrintedNumber[]>();
  readonly #sorted = new SortedList<PrintedNumber>(sortKey, ownRank);

  /** The number that a card of the set with this code bears, one object for all such cards. */
  add(text: string, setCode: string): PrintedNumber {
    const ownCode = holdsCode(text, setCode) ? setCode : '';
    const identity = ownCode === '' ? text : `${ownCode}\n${text}`;
    const known = this.#printed.get(identity);
    if (known) return known;
    const { keys, code, total } = readNumber(text, ownCode);
    const number = { text, ownCode, code, total, slots: [], rank: 0 };
    this.#printed.set(identity, number);
    this.#sorted.stage(number);
    for (const key of keys) this.#byKey.set(key, append(this.#byKey.get(key) ?? [], number));
    return number;
  }

  /** Puts the numbers added since the last time in order. */
  settle(): void {
    this.#sorted.settle();
  }

  /**
   * The numbers that a folded word, or words with hyphens between, may mean; some may be on no
   * visible card.
   */
  find(typed: string): readonly PrintedNumber[] {
    const written = this.#byKey.get(typed.split('-').map(withoutZeros).join('-')) ?? [];
    const hyphenated = this.#withoutHyphen(typed);
    return hyphenated.length === 0 ? written : [...written, ...hyphenated];
  }

  /** Numbers that are printed with a hyphen somewhere in `typed`: `OP01-025` for `op01025`. */
  #withoutHyphen(typed: string): PrintedNumber[] {
    if (!DIGIT.test(typed) || typed.length > LONGEST_NUMBER) return [];
    const found: PrintedNumber[] = [];
    for (let i = 1; i < typed.length; i++) {
      const key = `${withoutZeros(typed.slice(0, i))}-${withoutZeros(typed.slice(i))}`;
      for (const number of this.#byKey.get(key) ?? []) {
        if (foldText(number.text) === typed) found.push(number);
      }
    }
    return found;
  }
}

/** Printed numbers that a word may mean: hundreds, of which most searches ask for none. */
export class MeantNumbers {
  /** Some may be here twice. */
  readonly listed: readonly PrintedNumber[];
  #distinct: ReadonlySet<PrintedNumber> | undefined;
  #cardCount: number | undefined;
  /** The number that was asked for last: each card is asked for by many words. */
  #last: PrintedNumber | undefined;
  #hasLast = false;

  constructor(listed: readonly PrintedNumber[]) {
    this.listed = listed;
  }

  /** The numbers, each once. */
  get distinct(): ReadonlySet<PrintedNumber> {
    this.#distinct ??= new Set(this.listed);
    return this.#distinct;
  }

  /** How many cards bear one of them, those that are not live among them. */
  get cardCount(): number {
    this.#cardCount ??= this.listed.reduce((sum, { slots }) => sum + slots.length, 0);
    return this.#cardCount;
  }

  has(number: PrintedNumber): boolean {
    if (this.listed.length === 0) return false;
    if (number !== this.#last) {
      this.#last = number;
      this.#hasLast = this.distinct.has(number);
    }
    return this.#hasLast;
  }
}

/** Whether a number without hyphens begins with its set's code, as `HVY033` does. */
function holdsCode(text: string, setCode: string): boolean {
  const mayHold = text.charAt(0).toLowerCase() === setCode.charAt(0) && !text.includes('-');
  return mayHold && foldText(text).startsWith(setCode);
}

/** What most numbers are: spared the long way, which takes a fifth of building the index. */
const PLAIN_NUMBER = /^(\d+)(?:\/(\d+))?$/;

/**
 * Reads a number as printed, with the forms in which it is listed. Zeros in front do not count
 * (`004` is `4`), letters do (`TG01` is not `01`, `74a` is not `74`), except the set's own code
 * and the language behind a hyphen: `OP01-025` is listed as `op1-25` and as `25`.
 */
export function readNumber(text: string, setCode: string) {
  const plain = setCode === '' ? PLAIN_NUMBER.exec(text) : null;
  if (plain) {
    const [, collector = '', whole = ''] = plain;
    return { keys: [withoutZeros(collector)], code: '', total: withoutZeros(whole) };
  }
  const keys = new Set<string>();
  let code = '';
  let total = '';
  for (const number of readCollectorNumbers(text)) {
    const { words } = number;
    const isNumber = words.length > 1 || DIGIT.test(words.join('')) || DIGIT.test(number.total);
    if (words.length === 0 || !isNumber) continue;
    for (const key of numberKeys(number, setCode)) keys.add(key);
    total ||= number.total;
    code ||= codeOf(words);
  }
  return { keys, code, total };
}

/** `op01` of `OP01-025`, `swsh` of `SWSH039`. */
function codeOf([first = '', ...others]: readonly string[]): string {
  return others.length > 0 ? first : (/^[a-z]+(?=\d)/.exec(first)?.[0] ?? '');
}

function numberKeys(number: CollectorNumber, setCode: string): string[] {
  const { words } = number;
  const whole = hyphenated(number);
  const last = words.at(-1) ?? '';
  if (words.length > 1) {
    return [whole, withoutZeros(last), withoutZeros(last.replace(/^\D+(?=\d)/, ''))];
  }
  const ownPart = setCode !== '' && last.startsWith(setCode) ? last.slice(setCode.length) : '';
  return DIGIT.test(ownPart) ? [whole, withoutZeros(ownPart)] : [whole];
}

/**
 * Digits are padded so that `9` comes before `10`; cards without a number come last. The code
 * and the text itself make the order of equals the same whatever came first.
 */
function sortKey({ text, ownCode }: PrintedNumber): string {
  if (text === '') return '\uffff';
  const padded = text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(6, '0'));
  return `${padded}\n${text}\n${ownCode}`;
}
