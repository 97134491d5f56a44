import { append } from './append.ts';
import type { Name } from './entries.ts';
import { type NameSpan, NamesByWord } from './names-by-word.ts';
import { SortedList } from './sorted.ts';

/** A word with the names that hold it. */
export interface Term {
  readonly text: string;
  names: Name[];
  /** Its place among all words in alphabetical order. */
  rank: number;
}

/** The words that begin with a prefix, in order. */
export interface WordRange {
  readonly terms: readonly Term[];
  /** The names that hold them, once for each of them; those that hold the prefix itself first. */
  readonly names: NameSpan;
  /** Where the names begin that hold a longer word. */
  readonly longer: number;
}

/** No word has a letter behind this one. */
const LAST_LETTER = '\uffff';

/** Words with the names that hold them: by spelling, and in order for those that begin alike. */
export class Vocabulary {
  readonly #terms = new Map<string, Term>();
  readonly #sorted = new SortedList<Term>(({ text }) => text);
  readonly #byWord = new NamesByWord();
  /** The words that got names since the last time, with how many they had before. */
  readonly #grown = new Map<Term, number>();

  /** Adds a name under a word, and returns the word if it is new. */
  add(word: string, name: Name): Term | undefined {
    const term = this.#terms.get(word);
    if (!term) return this.#addTerm(word, name);
    if (term.names.at(-1) === name) return undefined;
    if (!this.#grown.has(term)) this.#grown.set(term, term.names.length);
    term.names = append(term.names, name);
    return undefined;
  }

  /** The same text, as the one string that all names share. */
  shared(word: string): string {
    return this.#terms.get(word)?.text ?? word;
  }

  /** Lets {@link startingWith} find what was added since the last time. */
  settle(): void {
    if (this.#grown.size === 0) return;
    this.#sorted.settle();
    const grown = Array.from(this.#grown, ([{ rank, names }, before]) => ({ rank, names, before }));
    grown.sort((a, b) => a.rank - b.rank);
    this.#byWord.insert(grown, this.#sorted.items.length);
    this.#grown.clear();
  }

  /** The word as spelt, when a visible name holds it. */
  get(word: string): Term | undefined {
    const term = this.#terms.get(word);
    return term && isVisible(term) ? term : undefined;
  }

  /** The words that begin with `prefix`, itself the first of them; some may not be visible yet. */
  startingWith(prefix: string): WordRange {
    const { items } = this.#sorted;
    const from = this.#sorted.indexOf(prefix);
    const to = this.#sorted.indexOf(prefix + LAST_LETTER);
    const isWord = items[from]?.text === prefix;
    return {
      terms: items.slice(from, to),
      names: this.#byWord.span(from, to),
      longer: this.#byWord.begin(isWord ? from + 1 : from),
    };
  }

  #addTerm(word: string, name: Name): Term {
    const term = { text: word, names: [name], rank: 0 };
    this.#terms.set(word, term);
    this.#sorted.stage(term);
    this.#grown.set(term, 0);
    return term;
  }
}

/** Whether a published card bears the word. */
export function isVisible(term: Term): boolean {
  return term.names.some(hasCards);
}

/** Whether a published card bears the name. */
export function hasCards(name: Name): boolean {
  return name.entries.length > 0;
}
