import type { Documents } from './documents.ts';
import type { DocId, IndexedSet } from './fields.ts';

/** The documents of a set in the order of the digits of their numbers. */
class SetNumbers {
  /** How many documents the set had when this was made. */
  readonly docCount: number;
  /** What stands behind the slash in most of its numbers; empty where they differ. */
  readonly total: string;
  readonly #digits: Int32Array;
  readonly #docs: Int32Array;

  constructor(docs: readonly DocId[], documents: Documents) {
    this.docCount = docs.length;
    this.total = totalOfMost(docs.map((doc) => documents.number(doc).total));
    const numbered = docs.map((doc) => ({ doc, digits: lastDigits(documents.number(doc).text) }));
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
    let end = from;
    while (this.#digits[end] === digits) end++;
    return Array.from(this.#docs.subarray(from, end)) as DocId[];
  }
}

function totalOfMost(totals: readonly string[]): string {
  const counts = Map.groupBy(totals, (total) => total);
  const most = [...counts].find(([, same]) => same.length > totals.length / 2);
  return most?.[0] ?? '';
}

/** No number has more digits. */
const MOST_DIGITS = 9;

/** Returns the last digits of a number before its total: 25 of `OP01-025`; -1 without any. */
function lastDigits(number: string): number {
  const collector = number.split('/', 1)[0] ?? '';
  const digits = collector.match(/\d+(?=\D*$)/)?.[0] ?? '';
  return digits === '' || digits.length > MOST_DIGITS ? -1 : Number(digits);
}

/** Finds the documents of a set by the digits of their numbers; a set is sorted when first asked. */
export class NumbersOfSets {
  readonly #documents: Documents;
  readonly #sets = new WeakMap<IndexedSet, SetNumbers>();

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** Returns the documents of a set, live or not, whose numbers end in the same digits as one. */
  find(set: IndexedSet, number: string): DocId[] {
    const digits = lastDigits(number);
    return digits === -1 ? [] : this.#numbersOf(set).with(digits);
  }

  /** Whether most numbers of a set have this total, folded and without zeros in front. */
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
