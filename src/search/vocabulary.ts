import { type NameSpan, NamesByWord } from './names-by-word.ts';
import type { Name } from './records.ts';
import { ownRank, SortedList } from './sorted.ts';

/** A word with the names that hold it. */
export class Term {
  readonly text: string;
  /** Its place among all words in order; below 0 until it has one. */
  rank = -1;
  readonly #byWord: NamesByWord;

  constructor(text: string, byWord: NamesByWord) {
    this.text = text;
    this.#byWord = byWord;
  }

  /** The names; some may not be visible yet, or any more. */
  get names(): NameSpan {
    return this.#byWord.span(this.rank, this.rank + 1);
  }
}

/** The words that begin with a prefix, in order. */
export interface WordRange {
  readonly terms: readonly Term[];
  /** The names that hold them. */
  readonly names: NameSpan;
}

/** No word has a letter behind this one. */
const LAST_LETTER = '\uffff';

/** Words with the names that hold them: by spelling, and in order for those that begin alike. */
export class Vocabulary {
  readonly #terms = new Map<string, Term>();
  readonly #sorted = new SortedList<Term>(({ text }) => text, ownRank);
  readonly #byWord: NamesByWord;
  #newTerms: Term[] = [];

  /** `names` are all names, by their index. */
  constructor(names: readonly Name[]) {
    this.#byWord = new NamesByWord(names);
  }

  /** Adds a name under a word, and returns the word if it is new. */
  add(word: string, name: Name): Term | undefined {
    const known = this.#terms.get(word);
    const term = known ?? this.#addTerm(word);
    this.#byWord.stage(term, name);
    return known ? undefined : term;
  }

  /** The same text, as the one string that all names share. */
  shared(word: string): string {
    return this.#terms.get(word)?.text ?? word;
  }

  /** Lets what was added since the last time be found. */
  settle(): void {
    this.#sorted.settle();
    this.#byWord.settle(this.#newTerms, this.#sorted.items.length);
    this.#newTerms = [];
  }

  /** The word as spelt, when a visible name holds it. */
  get(word: string): Term | undefined {
    const term = this.#terms.get(word);
    return term && isVisible(term) ? term : undefined;
  }

  /** The words that begin with `prefix`, itself the first of them; some may not be visible yet. */
  startingWith(prefix: string): WordRange {
    const from = this.#sorted.indexOf(prefix);
    const to = this.#sorted.indexOf(prefix + LAST_LETTER);
    return { terms: this.#sorted.items.slice(from, to), names: this.#byWord.span(from, to) };
  }

  #addTerm(word: string): Term {
    const term = new Term(word, this.#byWord);
    this.#terms.set(word, term);
    this.#sorted.stage(term);
    this.#newTerms.push(term);
    return term;
  }
}

/** Whether a published card bears a name with the word. */
export function isVisible(term: Term): boolean {
  return term.names.some(hasCards);
}

/** Whether a published card bears the name. */
export function hasCards(name: Name): boolean {
  return name.slots.length > 0;
}
