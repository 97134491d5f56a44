import {
  type CollectorNumber,
  hyphenated,
  numberSortKey,
  readCollectorNumbers,
} from '../domain/collector-number.ts';
import { foldText, withoutZeros } from '../domain/text.ts';
import { append } from '../lib/append.ts';
import { SortedList, setOrdinals } from '../lib/sorted-list.ts';
import type { Documents } from './documents.ts';
import type { DocId, IndexedNumber, IndexedSet } from './fields.ts';
import { groupPlaces, ownersOf, pick, type SavedIndex, splitByGroup } from './saved/format.ts';

const DIGIT = /\d/;

/** No printed number is longer. */
const LONGEST_NUMBER = 20;

/** The collector numbers of all cards, by the forms in which collectors type them. */
export class CollectorNumbers {
  /** The numbers of added cards. Numbers of a saved index are found by their order. */
  readonly #byPrint = new Map<string, IndexedNumber>();
  readonly #byForm = new Map<string, IndexedNumber[]>();
  readonly #inOrder = new SortedList<IndexedNumber>(sortKey, setOrdinals);

  /** Returns the number of a card in the set with this folded code. Adds a new number. */
  add(text: string, setCode: string): IndexedNumber {
    const ownCode = beginsWithCode(text, setCode) ? setCode : '';
    const print = printOf(text, ownCode);
    const known = this.#byPrint.get(print);
    if (known) return known;
    const number = this.#inOrder.find(sortKey({ text, ownCode })) ?? this.#make(text, ownCode);
    this.#byPrint.set(print, number);
    return number;
  }

  #make(text: string, ownCode: string): IndexedNumber {
    const { keys, code, total } = readNumber(text, ownCode);
    const number = { text, ownCode, code, total, docs: [], ordinal: 0 };
    this.#inOrder.stage(number);
    for (const key of keys) this.#byForm.set(key, append(this.#byForm.get(key) ?? [], number));
    return number;
  }

  /** Fills an empty dictionary with saved numbers. `docs` holds the documents of each. */
  restore(saved: SavedIndex, docs: readonly DocId[][]): IndexedNumber[] {
    const { numberCodes, numberOwnCodes, numberTotals, numberForms, formTexts } = saved;
    const partOf = (column: Int32Array, id: number) => saved.partTexts[column[id] ?? 0] ?? '';
    const numbers: IndexedNumber[] = [];
    for (const text of saved.numberTexts) {
      const id = numbers.length;
      const ownCode = partOf(numberOwnCodes, id);
      const code = partOf(numberCodes, id);
      const total = partOf(numberTotals, id);
      numbers.push({ text, ownCode, code, total, docs: docs[id] ?? [], ordinal: 0 });
    }
    this.#inOrder.restore(pick(numbers, saved.numberOrder));
    const owners = ownersOf({ ends: saved.numberFormEnds, items: numberForms });
    const grouped = groupPlaces(numberForms, formTexts.length);
    const byForm = splitByGroup(grouped, (place) => numbers[owners[place] ?? 0] as IndexedNumber);
    for (const [form, text] of formTexts.entries()) this.#byForm.set(text, byForm[form] ?? []);
    return numbers;
  }

  /** Sorts the numbers added since the last commit into the order of all. */
  commit(): void {
    this.#inOrder.commit();
  }

  /**
   * Returns the numbers that a folded word, or hyphenated words, may mean. Some may belong to no
   * live document.
   */
  find(typed: string): readonly IndexedNumber[] {
    const asTyped = this.#byForm.get(typed.split('-').map(withoutZeros).join('-')) ?? [];
    const hyphenated = this.#findHyphenated(typed);
    return hyphenated.length === 0 ? asTyped : [...asTyped, ...hyphenated];
  }

  /** Returns the numbers printed with one hyphen more than typed: `OP01-025` for `op01025`. */
  #findHyphenated(typed: string): IndexedNumber[] {
    if (!DIGIT.test(typed) || typed.length > LONGEST_NUMBER) return [];
    const found: IndexedNumber[] = [];
    for (let i = 1; i < typed.length; i++) {
      const form = `${withoutZeros(typed.slice(0, i))}-${withoutZeros(typed.slice(i))}`;
      for (const number of this.#byForm.get(form) ?? []) {
        if (foldText(number.text) === typed) found.push(number);
      }
    }
    return found;
  }
}

/**
 * The collector numbers that a word of a query may mean. There may be hundreds, so most properties
 * are computed on first use.
 */
export class MatchingNumbers {
  /** Some may be listed twice. */
  readonly listed: readonly IndexedNumber[];
  #distinct: ReadonlySet<IndexedNumber> | undefined;
  #docCount: number | undefined;
  /** The last argument of {@link has} and its result. Calls often repeat the same number. */
  #last: IndexedNumber | undefined;
  #hasLast = false;

  constructor(listed: readonly IndexedNumber[]) {
    this.listed = listed;
  }

  /** The numbers, each once. */
  get distinct(): ReadonlySet<IndexedNumber> {
    this.#distinct ??= new Set(this.listed);
    return this.#distinct;
  }

  /** The number of documents with one of the numbers, including documents that are not live. */
  get docCount(): number {
    this.#docCount ??= this.listed.reduce((sum, { docs }) => sum + docs.length, 0);
    return this.#docCount;
  }

  has(number: IndexedNumber): boolean {
    if (this.listed.length === 0) return false;
    if (number !== this.#last) {
      this.#last = number;
      this.#hasLast = this.distinct.has(number);
    }
    return this.#hasLast;
  }
}

/** Returns the key of a number: its text, after the set code that was read from it. */
function printOf(text: string, ownCode: string): string {
  return ownCode === '' ? text : `${ownCode}\n${text}`;
}

/** Whether a number without hyphens begins with its set's code, as `HVY033` does. */
function beginsWithCode(text: string, setCode: string): boolean {
  const mayHold = text.charAt(0).toLowerCase() === setCode.charAt(0) && !text.includes('-');
  return mayHold && foldText(text).startsWith(setCode);
}

/** Matches most numbers. They skip the general rules, which take a fifth of the index build. */
const PLAIN_NUMBER = /^(\d+)(?:\/(\d+))?$/;

/**
 * Parses a printed number into the forms that find it, its code and its total. Leading zeros do not
 * count (`004` is `4`). Letters do (`TG01` is not `01`, `74a` is not `74`), except the set's own
 * code and the language after a hyphen: `OP01-025` has the forms `op1-25` and `25`.
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

/** Text and code break ties, so the order does not depend on which number came first. */
function sortKey({ text, ownCode }: Pick<IndexedNumber, 'text' | 'ownCode'>): string {
  return text === '' ? numberSortKey('') : `${numberSortKey(text)}\n${text}\n${ownCode}`;
}

/** The documents of a set, sorted by the digits of their numbers. */
class SetNumbers {
  /** The number of documents in the set when this was built. */
  readonly docCount: number;
  /** The total after the slash in most of its numbers; empty if they differ. */
  readonly total: string;
  readonly #digits: Int32Array;
  readonly #docs: Int32Array;

  constructor(docs: readonly DocId[], documents: Documents) {
    this.docCount = docs.length;
    this.total = totalOfMost(docs.map((doc) => documents.number(doc).total));
    const numbered = docs.map((doc) => ({
      doc,
      digits: lastDigits(documents.number(doc).text) ?? -1,
    }));
    numbered.sort((a, b) => a.digits - b.digits || a.doc - b.doc);
    this.#digits = Int32Array.from(numbered, ({ digits }) => digits);
    this.#docs = Int32Array.from(numbered, ({ doc }) => doc);
  }

  with(digits: number): DocId[] {
    let [from, to] = [0, this.#digits.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#digits[middle] ?? 0) < digits) from = middle + 1;
      else to = middle;
    }
    const docs: DocId[] = [];
    for (let i = from; this.#digits[i] === digits; i++) docs.push(this.#docs[i] as DocId);
    return docs;
  }
}

function totalOfMost(totals: readonly string[]): string {
  const counts = Map.groupBy(totals, (total) => total);
  const most = [...counts].find(([, same]) => same.length > totals.length / 2);
  return most?.[0] ?? '';
}

/** No number has more digits. */
const MOST_DIGITS = 9;

/** Returns the last digits of a number before its total: 25 of `OP01-025`; null without any. */
export function lastDigits(number: string): number | null {
  const collector = number.split('/', 1)[0] ?? '';
  const digits = collector.match(/\d+(?=\D*$)/)?.[0] ?? '';
  return digits === '' || digits.length > MOST_DIGITS ? null : Number(digits);
}

/** Finds the documents of a set by the digits of their numbers. Sorts a set on first use. */
export class NumbersOfSets {
  readonly #documents: Documents;
  readonly #sets = new WeakMap<IndexedSet, SetNumbers>();

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** Returns the documents of a set, live or not, whose numbers end in these digits. */
  find(set: IndexedSet, digits: number): DocId[] {
    return this.#numbersOf(set).with(digits);
  }

  /** Whether most numbers of a set have this total, folded and without leading zeros. */
  hasTotal(set: IndexedSet, total: string): boolean {
    return this.#numbersOf(set).total === total;
  }

  #numbersOf(set: IndexedSet): SetNumbers {
    const known = this.#sets.get(set);
    if (known?.docCount === set.docs.length) return known;
    const made = new SetNumbers(set.docs, this.#documents);
    this.#sets.set(set, made);
    return made;
  }
}
