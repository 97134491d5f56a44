import { select } from '../lib/select.ts';
import type { Documents } from './documents.ts';
import type { DocId } from './fields.ts';

/** The number by which a document is sorted, smallest first: a whole number below 2^32. */
export type SortKey = (documents: Documents, doc: DocId) => number;

/**
 * An upper bound of the ordinals of public ids. It lets sort key and ordinal share the 53 bits of
 * one number, and plain numbers sort ten times faster than items with a comparator.
 */
const ORDINALS = 2 ** 21;

/**
 * Documents sorted by the first page. Few callers read further, and sorting all cards takes ten
 * times as long as finding these.
 */
const FIRST = 2048;

/**
 * Documents in the order of their sort keys, then of public ids. The keys are read once, so the
 * order stays the same even if prices change.
 */
export class SortedDocs {
  readonly #documents: Documents;
  /** In order up to {@link #sortedCount}; the rest comes later in the order. */
  readonly #docs: Int32Array;
  #sortedCount: number;
  /** The sort keys of the rest. */
  #restKeys: Uint32Array;

  /** Takes over the array. */
  constructor(docs: Int32Array, sortKey: SortKey, documents: Documents) {
    this.#documents = documents;
    this.#docs = docs;
    const keys = new Float64Array(docs.length);
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i] as DocId;
      keys[i] = sortKey(documents, doc) * ORDINALS + documents.idOrdinal(doc);
    }
    this.#sortedCount = docs.length > 2 * FIRST ? FIRST : docs.length;
    if (this.#sortedCount < docs.length) select(keys, FIRST);
    keys.subarray(0, this.#sortedCount).sort();
    this.#restKeys = new Uint32Array(docs.length - this.#sortedCount);
    for (let i = 0; i < this.#restKeys.length; i++) {
      this.#restKeys[i] = Math.floor((keys[this.#sortedCount + i] as number) / ORDINALS);
    }
    this.#takeDocs(keys, 0);
  }

  /** Returns the documents from `from` up to, but not including, `to`. */
  slice(from: number, to: number): DocId[] {
    if (to > this.#sortedCount) this.#sortRest();
    return Array.from(this.#docs.subarray(from, to)) as DocId[];
  }

  /** Yields the documents in order. */
  *[Symbol.iterator](): Iterator<DocId> {
    for (let i = 0; i < this.#docs.length; i++) {
      if (i === this.#sortedCount) this.#sortRest();
      yield this.#docs[i] as DocId;
    }
  }

  /** Calls a function with each document, in no particular order. */
  visit(each: (doc: DocId) => void): void {
    for (const doc of this.#docs) each(doc as DocId);
  }

  /**
   * Sorts the documents that the first page left unsorted. New cards change ordinals, but not the
   * order of ids.
   */
  #sortRest(): void {
    const from = this.#sortedCount;
    const keys = new Float64Array(this.#restKeys.length);
    for (let i = 0; i < keys.length; i++) {
      const ordinal = this.#documents.idOrdinal(this.#docs[from + i] as DocId);
      keys[i] = (this.#restKeys[i] as number) * ORDINALS + ordinal;
    }
    this.#takeDocs(keys.sort(), from);
    this.#sortedCount = this.#docs.length;
    this.#restKeys = new Uint32Array();
  }

  /** Fills in the documents from `from` on, in the order of the keys. */
  #takeDocs(keys: Float64Array, from: number): void {
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as number;
      const ordinal = key - Math.floor(key / ORDINALS) * ORDINALS; // faster than %
      this.#docs[from + i] = this.#documents.atIdOrdinal(ordinal);
    }
  }
}
