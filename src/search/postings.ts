import type { Name } from './fields.ts';
import { groupPlaces, type Lists, ownersOf } from './saved/format.ts';
import { VISITED } from './visited-names.ts';

/**
 * The names that contain a term, or any of several adjacent terms. Valid until the next commit.
 * Unlike Lucene's, postings point to names, so all cards of a name are matched together.
 */
export class PostingList {
  readonly #names: readonly Name[];
  readonly #nameIds: Uint32Array;
  readonly #begin: number;
  readonly #end: number;

  /** The postings from `begin` up to, but not including, `end` of an array of name ids. */
  constructor(names: readonly Name[], nameIds: Uint32Array, begin: number, end: number) {
    this.#names = names;
    this.#nameIds = nameIds;
    this.#begin = begin;
    this.#end = end;
  }

  /** The number of postings. A name that contains two of the terms counts twice. */
  get count(): number {
    return this.#end - this.#begin;
  }

  /** The ids of the names, by posting. */
  get nameIds(): Uint32Array {
    return this.#nameIds.subarray(this.#begin, this.#end);
  }

  /** Whether any name passes the test. Stops at the first that does. */
  some(test: (name: Name) => boolean): boolean {
    for (let i = this.#begin; i < this.#end; i++) if (test(this.#nameAt(i))) return true;
    return false;
  }

  /** Returns the names that pass the test. */
  filter(test: (name: Name) => boolean): Name[] {
    const passing: Name[] = [];
    for (let i = this.#begin; i < this.#end; i++) {
      const name = this.#nameAt(i);
      if (test(name)) passing.push(name);
    }
    return passing;
  }

  /** Returns each name once. */
  toNames(): Name[] {
    const visited = VISITED.cleared(this.#names.length);
    const names: Name[] = [];
    for (let i = this.#begin; i < this.#end; i++) {
      const nameId = this.#nameIds[i] as number;
      if (visited.add(nameId)) names.push(this.#names[nameId] as Name);
    }
    return names;
  }

  #nameAt(i: number): Name {
    return this.#names[this.#nameIds[i] as number] as Name;
  }
}

interface Ordered {
  /** The position of a term among all sorted terms. */
  readonly ordinal: number;
}

/**
 * The postings of all terms in one array, in the order of the terms. Terms with a common prefix
 * have adjacent postings, so a subtraction counts them and one pass reads them.
 */
export class Postings {
  /** All names, by their name id. */
  readonly #names: readonly Name[];
  /** The name ids of the first term, of the second and so on, then spare capacity. */
  #nameIds = new Uint32Array();
  /** The start of each term's name ids. The last item is the end of the last term. */
  #begins = new Uint32Array(1);
  #stagedTerms: Ordered[] = [];
  #stagedNameIds: number[] = [];

  constructor(names: readonly Name[]) {
    this.#names = names;
  }

  /** The postings of the terms with ordinals from `from` up to, but not including, `to`. */
  range(from: number, to: number): PostingList {
    const begin = this.#begins[from] ?? 0;
    return new PostingList(this.#names, this.#nameIds, begin, this.#begins[to] ?? 0);
  }

  /** Adds a name to a term's postings at the next {@link commit}. */
  stage(term: Ordered, name: Name): void {
    this.#stagedTerms.push(term);
    this.#stagedNameIds.push(name.nameId);
  }

  /**
   * Fills empty postings. For each name, by name id, `terms` lists its terms as indexes into
   * `ordinals`, which contains the ordinals of all terms.
   */
  restore(terms: Lists, ordinals: Int32Array): void {
    const owners = ownersOf(terms);
    const groups = terms.items.map((term) => ordinals[term] ?? 0);
    const { begins, places } = groupPlaces(groups, ordinals.length);
    this.#begins = begins;
    this.#nameIds = places.map((place) => owners[place] ?? 0);
  }

  /** Inserts the staged postings. All terms, including new ones, must already have ordinals. */
  commit(newTerms: readonly Ordered[], termCount: number): void {
    if (this.#stagedTerms.length === 0) return;
    const added = new Uint32Array(termCount);
    for (const { ordinal } of this.#stagedTerms) added[ordinal] = (added[ordinal] ?? 0) + 1;
    const oldCount = this.#begins.at(-1) ?? 0;
    this.#begins = this.#moveBegins(newTerms, added);
    this.#movePostings(added, oldCount);
    for (const [i, { ordinal }] of this.#stagedTerms.entries()) {
      const left = added[ordinal] ?? 0;
      this.#nameIds[(this.#begins[ordinal + 1] ?? 0) - left] = this.#stagedNameIds[i] ?? 0;
      added[ordinal] = left - 1;
    }
    this.#stagedTerms = [];
    this.#stagedNameIds = [];
  }

  /** Returns the start of each term's postings after each term has `added` more. */
  #moveBegins(newTerms: readonly Ordered[], added: Uint32Array): Uint32Array<ArrayBuffer> {
    const isNew = new Uint8Array(added.length);
    for (const { ordinal } of newTerms) isNew[ordinal] = 1;
    const begins = new Uint32Array(added.length + 1);
    let [oldTerms, addedBefore] = [0, 0];
    for (let ordinal = 0; ordinal < added.length; ordinal++) {
      oldTerms += 1 - (isNew[ordinal] ?? 0);
      addedBefore += added[ordinal] ?? 0;
      begins[ordinal + 1] = (this.#begins[oldTerms] ?? 0) + addedBefore;
    }
    return begins;
  }

  /** Makes room after each term's postings. Starts at the last term, so each moves only once. */
  #movePostings(added: Uint32Array, oldCount: number): void {
    let shift = this.#stagedNameIds.length;
    let end = oldCount;
    this.#reserve(oldCount + shift);
    for (let ordinal = added.length - 1; shift > 0; ordinal--) {
      if (added[ordinal] === 0) continue;
      const next = this.#begins[ordinal + 1] ?? 0;
      this.#nameIds.copyWithin(next, next - shift, end);
      end = next - shift;
      shift -= added[ordinal] ?? 0;
    }
  }

  #reserve(count: number): void {
    if (count <= this.#nameIds.length) return;
    const capacity = Math.ceil(count * 1.25);
    this.#nameIds = new Uint32Array(this.#nameIds.buffer.transfer(4 * capacity));
  }
}
