import { LRUCache } from 'lru-cache';
import type { Card } from '../domain/card.ts';
import { isJapanese } from '../domain/text.ts';
import { append } from '../lib/append.ts';
import { SortedList, setOrdinals } from '../lib/sorted-list.ts';
import { CollectorNumbers, MatchingNumbers } from './collector-numbers.ts';
import { CompoundFilter } from './compound-filter.ts';
import type { Documents } from './documents.ts';
import {
  type DocId,
  type Fields,
  hasLiveDocs,
  makeFoldedName,
  makeName,
  type Name,
} from './fields.ts';
import { type PostingList, Postings } from './postings.ts';
import { type Lists, listsOf, pick, type SavedIndex } from './saved/format.ts';
import { SetWords } from './set-words.ts';
import { Spelling } from './spelling.ts';

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

  /** Whether a live document contains it. Makes no list, because most words ask for this. */
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

  /** Returns the shared string with this text, so that equal terms are in memory once. */
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

/** Results are kept for at most this many typed numbers: enough for the numbers of usual sets. */
const MAX_KNOWN_NUMBERS = 1000;

/** Maps terms, collector numbers and codes to names and documents. */
export class InvertedIndex {
  /** All names, by their name id. */
  readonly #names: Name[] = [];
  /** The words of names. */
  readonly terms = new Vocabulary(this.#names);
  /** The suffixes of Japanese words. A prefix of a suffix is an infix of the word. */
  readonly suffixes = new Vocabulary(this.#names);
  /** The compounds of the words of names. */
  readonly compounds = new CompoundFilter();
  readonly spelling = new Spelling<Term>(isLive);
  readonly numbers = new CollectorNumbers();
  /** Recent results of {@link findNumbers}: finding the live ones of 300 takes up to 0.1 ms. */
  readonly #matchingNumbers = new LRUCache<string, MatchingNumbers>({ max: MAX_KNOWN_NUMBERS });
  /** The words of sets. */
  readonly setWords = new SetWords();
  readonly #documents: Documents;
  readonly #namesByText = new Map<string, Name>();
  readonly #namesInOrder = new SortedList<Name>(
    ({ terms, text }) => `${terms.join(' ')}\n${text}`,
    setOrdinals,
  );
  readonly #docsByCode = new Map<string, DocId[]>();
  /** Names without documents: their cards now have other names. */
  readonly #unusedNames = new Set<Name>();
  /** How many postings of a term belong to unused names, by the term's text. */
  readonly #unusedPostings = new Map<string, number>();

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** How many names there are; every name id is below it. */
  get nameCount(): number {
    return this.#names.length;
  }

  /** How many names have documents. */
  get usedNameCount(): number {
    return this.#names.length - this.#unusedNames.size;
  }

  /** The names without documents. */
  get unusedNames(): Iterable<Name> {
    return this.#unusedNames;
  }

  /** Returns how many postings of a term belong to names with documents. */
  countPostings(term: Term): number {
    return term.postings.count - (this.#unusedPostings.get(term.text) ?? 0);
  }

  /** Marks a name as unused after it lost its last document. */
  retireName(name: Name): void {
    this.#unusedNames.add(name);
    this.#countUnused(name, 1);
  }

  /** Marks a name as used before it gets a document. */
  reviveName(name: Name): void {
    if (this.#unusedNames.delete(name)) this.#countUnused(name, -1);
  }

  /** The name with a name id. */
  nameAt(nameId: number): Name {
    return this.#names[nameId] as Name;
  }

  /** Returns the name with this text. Adds a new name with its terms. */
  addName(text: string): Name {
    const known = this.#namesByText.get(text);
    if (known) return known;
    const name = makeName(text, this.#names.length, (term) => this.terms.intern(term));
    this.#namesByText.set(text, name);
    this.#names.push(name);
    this.#namesInOrder.stage(name);
    this.compounds.add(name);
    for (const term of name.terms) this.#addTerm(term, name);
    return name;
  }

  /** Fills an empty index with saved names; `docs` are the documents of each. */
  restoreNames(saved: SavedIndex, docs: readonly DocId[][]): readonly Name[] {
    const { termTexts, suffixTexts, nameTerms, nameShorts, shortTexts, shortTermCounts } = saved;
    const terms = { ends: saved.nameTermEnds, items: nameTerms };
    const suffixes = { ends: saved.nameSuffixEnds, items: saved.nameSuffixes };
    for (const term of this.terms.restore(termTexts, saved.termOrder, terms)) {
      this.spelling.add(term);
    }
    this.suffixes.restore(suffixTexts, saved.suffixOrder, suffixes);
    const termsOf = listsOf(terms, (id) => termTexts[id] ?? '');
    const shortNamesOf = listsOf({ ends: saved.nameShortEnds, items: nameShorts }, (id) => {
      return { folded: shortTexts[id] ?? '', termCount: shortTermCounts[id] ?? 0 };
    });
    for (const text of saved.nameTexts) {
      const nameId = this.#names.length;
      const name = makeFoldedName({
        text,
        nameId,
        terms: termsOf(nameId),
        shortNames: shortNamesOf(nameId),
        docs: docs[nameId] ?? [],
      });
      this.#namesByText.set(text, name);
      this.#names.push(name);
      this.compounds.add(name);
    }
    this.#namesInOrder.restore(pick(this.#names, saved.nameOrder));
    return this.#names;
  }

  /** Lists a document under its number and its codes. */
  addDocument(doc: DocId): void {
    const number = this.#documents.number(doc);
    number.docs = append(number.docs, doc);
    this.addToSet(doc);
  }

  /** Lists a document under its set and its codes. */
  addToSet(doc: DocId): void {
    const number = this.#documents.number(doc);
    const set = this.#documents.set(doc);
    const { code } = set;
    set.docs = append(set.docs, doc);
    this.#addCode(code, doc);
    if (number.code !== '' && number.code !== code) this.#addCode(number.code, doc);
  }

  /** Replaces a document by a newer version with the same terms. Its set may be renamed. */
  replaceDocument(doc: DocId, card: Card, fields: Fields): void {
    const older = this.#documents.set(doc);
    this.#documents.replace(doc, card, fields);
    const { set } = fields;
    if (set !== older) set.docs = append(set.docs, doc);
  }

  /** Sorts the entries added since the last commit into the dictionaries. */
  commit(): void {
    this.terms.commit();
    this.suffixes.commit();
    this.#namesInOrder.commit();
    this.numbers.commit();
    this.#matchingNumbers.clear();
    this.setWords.commit();
  }

  /** Returns the documents with a folded code: the set's, or the code in front of the number. */
  docsWithCode(code: string): readonly DocId[] {
    return this.#docsByCode.get(code) ?? [];
  }

  /** Whether a live document has this code. */
  isLiveCode(code: string): boolean {
    return this.#isAnyLive(this.docsWithCode(code));
  }

  /** Returns the live documents' numbers that a folded word, or hyphenated words, may mean. */
  findNumbers(typed: string): MatchingNumbers {
    const known = this.#matchingNumbers.get(typed);
    if (known) return known;
    const live = this.numbers.find(typed).filter(({ docs }) => this.#isAnyLive(docs));
    const found = new MatchingNumbers(live);
    this.#matchingNumbers.set(typed, found);
    return found;
  }

  /** Whether any of these documents is live and has one of these numbers. */
  isAnyNumbered(docs: readonly DocId[], numbers: MatchingNumbers): boolean {
    return docs.some((doc) => {
      return this.#documents.isLive(doc) && numbers.has(this.#documents.number(doc));
    });
  }

  #isAnyLive(docs: readonly DocId[]): boolean {
    return docs.some((doc) => this.#documents.isLive(doc));
  }

  #countUnused({ terms }: Name, by: number): void {
    for (const term of terms) {
      this.#unusedPostings.set(term, (this.#unusedPostings.get(term) ?? 0) + by);
    }
  }

  #addTerm(text: string, name: Name): void {
    const added = this.terms.add(text, name);
    if (added) this.spelling.add(added);
    for (const suffix of suffixesOf(text)) this.suffixes.add(suffix, name);
  }

  #addCode(code: string, doc: DocId): void {
    const docs = this.#docsByCode.get(code) ?? [];
    const longer = append(docs, doc);
    if (longer !== docs) this.#docsByCode.set(code, longer);
  }
}

const NO_SUFFIXES: readonly string[] = [];

/** Returns the suffixes by which infixes of a term are found. Only Japanese terms have any. */
export function suffixesOf(term: string): readonly string[] {
  if (!isJapanese(term)) return NO_SUFFIXES;
  return Array.from({ length: term.length - 1 }, (_, i) => term.slice(i + 1));
}
