import { SortedList, setOrdinals } from '../lib/sorted-list.ts';
import type { Name } from './fields.ts';
import { hasLiveDocs } from './names.ts';
import { type PostingList, Postings } from './postings.ts';
import { type Lists, pick } from './saved/lists.ts';

/** A folded word of a name, or a suffix of one, with the names that contain it. */
export class Term {
  readonly text: string;
  /** Its place among all terms in order; negative until its first commit. */
  ordinal = -1;
  readonly #allPostings: Postings;

  constructor(text: string, allPostings: Postings) {
    this.text = text;
    this.#allPostings = allPostings;
  }

  /** The names that contain it, those without live documents among them. */
  get postings(): PostingList {
    return this.#allPostings.range(this.ordinal, this.ordinal + 1);
  }

  /** Whether a live document contains it; found without making a list, as most words ask for it. */
  get isLive(): boolean {
    return this.#allPostings.some(this.ordinal, this.ordinal + 1, hasLiveDocs);
  }
}

/** The terms that begin with a prefix, in order. */
export interface TermRange {
  readonly terms: readonly Term[];
  /** The names that contain any of them. */
  readonly postings: PostingList;
}

/** A term dictionary: finds terms by their text and by a prefix. */
export class Vocabulary {
  readonly #terms = new Map<string, Term>();
  readonly #sorted = new SortedList<Term>(({ text }) => text, setOrdinals);
  readonly #postings: Postings;
  #newTerms: Term[] = [];

  /** `names` are all names, by their name id; the array may grow. */
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

  /** Returns the one string with this text that all names share. */
  intern(text: string): string {
    return this.#terms.get(text)?.text ?? text;
  }

  /**
   * Fills an empty vocabulary, and returns its terms as they are numbered: `texts` has the text of
   * each, `order` the terms in order, and `ofNames` the terms of each name.
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

  /** The place of a term among all terms in order; undefined for a text that is no term. */
  ordinalOf(text: string): number | undefined {
    return this.#terms.get(text)?.ordinal;
  }

  /** Makes what was added since the last commit visible. */
  commit(): void {
    this.#sorted.commit();
    this.#postings.commit(this.#newTerms, this.#sorted.items.length);
    this.#newTerms = [];
  }

  /** The term with this text, if a live document contains it. */
  get(text: string): Term | undefined {
    const term = this.#terms.get(text);
    return term && isLive(term) ? term : undefined;
  }

  /** The terms that begin with `prefix`, itself the first of them; some may not be live. */
  withPrefix(prefix: string): TermRange {
    const [from, to] = this.#sorted.rangeOf(prefix);
    return { terms: this.#sorted.items.slice(from, to), postings: this.#postings.range(from, to) };
  }

  #addTerm(text: string): Term {
    const term = new Term(text, this.#postings);
    this.#terms.set(text, term);
    this.#sorted.stage(term);
    this.#newTerms.push(term);
    return term;
  }
}

/** Whether a live document contains the term. */
export function isLive(term: Term): boolean {
  return term.isLive;
}
