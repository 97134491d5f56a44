import type { Card } from '../domain/card.ts';
import { isJapanese } from '../domain/text.ts';
import { append } from '../lib/append.ts';
import { SortedList, setOrdinals } from '../lib/sorted-list.ts';
import { CollectorNumbers, MatchingNumbers } from './collector-numbers.ts';
import { CompoundFilter } from './compound-filter.ts';
import type { Documents } from './documents.ts';
import { type DocId, type Fields, makeFoldedName, makeName, type Name } from './fields.ts';
import { listsOf, pick, type SavedIndex } from './saved/format.ts';
import { SetWords } from './set-words.ts';
import { Spelling } from './spelling.ts';
import { isLive, type Term, Vocabulary } from './vocabulary.ts';

/** Results are kept for at most this many typed numbers: enough for the numbers of common sets. */
const MAX_KNOWN_NUMBERS = 1000;

const NO_NUMBERS = new MatchingNumbers([]);

/** Maps terms, collector numbers and codes to names and documents. */
export class InvertedIndex {
  /** All names, by their name id. */
  readonly #names: Name[] = [];
  /** The words of names. */
  readonly terms = new Vocabulary(this.#names);
  /** The suffixes of Japanese words. A prefix of a suffix is an infix of the word. */
  readonly suffixes = new Vocabulary(this.#names);
  /** The compounds of the words of names. */
  readonly compounds = new CompoundFilter(this.#names);
  readonly spelling = new Spelling<Term>(isLive);
  readonly numbers = new CollectorNumbers();
  /** Recent results of {@link findNumbers}: finding the live ones of 300 takes up to 0.1 ms. */
  readonly #matchingNumbers = new Map<string, MatchingNumbers>();
  /** The words of sets. */
  readonly setWords = new SetWords();
  readonly #documents: Documents;
  /** The names of added cards. Names of a saved index are found by their order. */
  readonly #namesByText = new Map<string, Name>();
  readonly #namesInOrder = new SortedList<Name>(sortKey, (names, from) => this.#order(names, from));
  /** The ordinals of names by name id. A search reads thousands, and names are scattered. */
  #ordinals = new Int32Array();
  readonly #docsByCode = new Map<string, DocId[]>();
  /** Names without documents: their cards now have other names. */
  readonly #unusedNames = new Set<Name>();
  /** The number of postings of a term that belong to unused names, by the term's text. */
  readonly #unusedPostings = new Map<string, number>();

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** The number of names. Every name id is below it. */
  get nameCount(): number {
    return this.#names.length;
  }

  /** The number of names with documents. */
  get usedNameCount(): number {
    return this.#names.length - this.#unusedNames.size;
  }

  /** The names without documents. */
  get unusedNames(): Iterable<Name> {
    return this.#unusedNames;
  }

  /** Returns the number of postings of a term that belong to names with documents. */
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

  /** The position of a name in the alphabetical order. */
  ordinalOf(nameId: number): number {
    return this.#ordinals[nameId] as number;
  }

  /** The name at a position in the alphabetical order. */
  nameAtOrdinal(ordinal: number): Name {
    return this.#namesInOrder.items[ordinal] as Name;
  }

  /** Returns the name with this text. Adds a new name with its terms. */
  addName(text: string): Name {
    const known = this.#namesByText.get(text);
    if (known) return known;
    const made = makeName(text, this.#names.length, (term) => this.terms.intern(term));
    const saved = this.#namesInOrder.find(sortKey(made));
    if (!saved) this.#insert(made);
    this.#namesByText.set(text, saved ?? made);
    return saved ?? made;
  }

  #insert(name: Name): void {
    this.#names.push(name);
    this.#namesInOrder.stage(name);
    this.compounds.add(name);
    for (const term of name.terms) this.#addTerm(term, name);
  }

  #order(names: readonly Name[], from: number): void {
    setOrdinals(names, from);
    if (this.#ordinals.length < names.length) {
      const longer = new Int32Array(Math.ceil(names.length * 1.25));
      longer.set(this.#ordinals);
      this.#ordinals = longer;
    }
    for (let i = from; i < names.length; i++) this.#ordinals[(names[i] as Name).nameId] = i;
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
    if (live.length === 0) return NO_NUMBERS;
    const found = new MatchingNumbers(live);
    if (this.#matchingNumbers.size === MAX_KNOWN_NUMBERS) this.#matchingNumbers.clear();
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

/** The key of a name in the alphabetical order. */
function sortKey({ terms, text }: Name): string {
  return `${terms.join(' ')}\n${text}`;
}

const NO_SUFFIXES: readonly string[] = [];

/** Returns the suffixes by which infixes of a term are found. Only Japanese terms have any. */
export function suffixesOf(term: string): readonly string[] {
  if (!isJapanese(term)) return NO_SUFFIXES;
  return Array.from({ length: term.length - 1 }, (_, i) => term.slice(i + 1));
}
