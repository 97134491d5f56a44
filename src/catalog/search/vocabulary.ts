import { append } from './append.ts';
import type { Name } from './entries.ts';
import { SortedList } from './sorted.ts';

/** A word with the names that hold it. */
export interface Term {
  readonly text: string;
  names: Name[];
  /** Its place among all words in alphabetical order. */
  rank: number;
}

/** Words with the names that hold them: by spelling, and in order for those that begin alike. */
export class Vocabulary {
  readonly #terms = new Map<string, Term>();
  readonly #sorted = new SortedList<Term>(({ text }) => text);

  /** Adds a name under a word, and returns the word if it is new. */
  add(word: string, name: Name): Term | undefined {
    const term = this.#terms.get(word);
    if (term) {
      if (term.names.at(-1) !== name) term.names = append(term.names, name);
      return undefined;
    }
    const fresh = { text: word, names: [name], rank: 0 };
    this.#terms.set(word, fresh);
    this.#sorted.stage(fresh);
    return fresh;
  }

  /** The same text, as the one string that all names share. */
  shared(word: string): string {
    return this.#terms.get(word)?.text ?? word;
  }

  /** Lets {@link startingWith} find the words added since the last time. */
  settle(): void {
    this.#sorted.settle();
  }

  /** The word as spelt, when a visible name holds it. */
  get(word: string): Term | undefined {
    const term = this.#terms.get(word);
    return term && isVisible(term) ? term : undefined;
  }

  /** The words that begin with `prefix`, itself among them; some may not be visible yet. */
  startingWith(prefix: string): Term[] {
    const { items } = this.#sorted;
    const from = this.#sorted.indexOf(prefix);
    let to = from;
    while (items[to]?.text.startsWith(prefix)) to++;
    return items.slice(from, to);
  }

  /** Whether a visible word begins with `prefix`. */
  hasPrefix(prefix: string): boolean {
    const { items } = this.#sorted;
    for (let i = this.#sorted.indexOf(prefix); i < items.length; i++) {
      const term = items[i];
      if (!term?.text.startsWith(prefix)) return false;
      if (isVisible(term)) return true;
    }
    return false;
  }
}

/** Whether a published card bears the word. */
export function isVisible(term: Term): boolean {
  return term.names.some(hasCards);
}

function hasCards(name: Name): boolean {
  return name.entries.length > 0;
}
