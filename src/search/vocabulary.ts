import { SortedList, setOrdinals } from '../lib/sorted-list.ts';
import { hasLiveDocs, type Name } from './fields.ts';
import { type PostingList, Postings } from './postings.ts';
import { type Lists, pick } from './saved/format.ts';

/** A folded word of a name, or a suffix of one, with the names that contain it. */
export class Term {
  readonly text: string;
  /** Its position among all sorted terms; negative until its first commit. */
  ordinal = -1;
  readonly #allPostings: Postings;

  constructor(text: string, allPostings: Postings) {
    this.text = text;
    this.#allPostings = allPostings;
  }

  /** The names that contain it, including names without live documents. */
  get postings(): PostingList {
    return this.#allPostings.range(this.ordinal, this.ordinal + 1);
  }
}

/** Whether a live document contains the term. */
export function isLive(term: Term): boolean {
  return term.postings.some(hasLiveDocs);
}

/** The terms that begin with a prefix, in order. Valid until the next commit. */
export class TermRange {
  /** The names that contain any of them. */
  readonly postings: PostingList;
  readonly #items: readonly Term[];
  readonly #from: number;
  readonly #to: number;

  constructor(items: readonly Term[], from: number, to: number, postings: PostingList) {
    this.#items = items;
    this.#from = from;
    this.#to = to;
    this.postings = postings;
  }

  /** The number of terms. Some may not be live. */
  get count(): number {
    return this.#to - this.#from;
  }

  /** Returns the term that is the prefix itself, if it is one. */
  exact(prefix: string): Term | undefined {
    const first = this.count > 0 ? this.#items[this.#from] : undefined;
    return first?.text === prefix ? first : undefined;
  }

  toArray(): Term[] {
    return this.#items.slice(this.#from, this.#to);
  }
}

/** A term dictionary: finds terms by their text and by a prefix. */
export class Vocabulary {
  readonly #terms = new Map<string, Term>();
  readonly #sorted = new SortedList<Term>(({ text }) => text, setOrdinals);
  readonly #postings: Postings;
  #newTerms: Term[] = [];

  /** `names` holds all names by name id. The array may grow. */
  constructor(names: readonly Name[]) {
    this.#postings = new Postings(names);
  }

  /** Adds a name to the postings of a term; returns the term if it is new. */
  add(text: string, name: Name): Term | undefined {
    const known = this.#terms.get(text);
    const term = known ?? this.#addTerm(text);
    this.#postings.stage(term, name);
    return known ? undefined : term;
  }

  /** Returns the shared string with this text, so equal terms are in memory once. */
  intern(text: string): string {
    return this.#terms.get(text)?.text ?? text;
  }

  /**
   * Fills an empty vocabulary and returns its terms in the order of `texts`. `order` lists the
   * indexes of the sorted terms, and `ofNames` the terms of each name.
   */
  restore(texts: readonly string[], order: Int32Array, ofNames: Lists): Term[] {
    const terms = texts.map((text) => new Term(text, this.#postings));
    for (const term of terms) this.#terms.set(term.text, term);
    this.#sorted.restore(pick(terms, order));
    this.#postings.restore(
      ofNames,
      Int32Array.from(terms, ({ ordinal }) => ordinal),
    );
    return terms;
  }

  /** Returns the position of a term among all sorted terms; undefined if the text is not a term. */
  ordinalOf(text: string): number | undefined {
    return this.#terms.get(text)?.ordinal;
  }

  /** Makes the terms added since the last commit visible. */
  commit(): void {
    this.#sorted.commit();
    this.#postings.commit(this.#newTerms, this.#sorted.items.length);
    this.#newTerms = [];
  }

  /** Returns the term with this text if a live document contains it. */
  get(text: string): Term | undefined {
    const term = this.#terms.get(text);
    return term && isLive(term) ? term : undefined;
  }

  /** Returns the terms that begin with `prefix`, an exact match first. Some may not be live. */
  withPrefix(prefix: string): TermRange {
    const known = this.#terms.get(prefix)?.ordinal ?? -1;
    const [from, to] = this.#sorted.rangeOf(prefix, known === -1 ? undefined : known);
    return new TermRange(this.#sorted.items, from, to, this.#postings.range(from, to));
  }

  #addTerm(text: string): Term {
    const term = new Term(text, this.#postings);
    this.#terms.set(text, term);
    this.#sorted.stage(term);
    this.#newTerms.push(term);
    return term;
  }
}
