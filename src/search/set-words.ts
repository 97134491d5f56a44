import { readSetName } from '../domain/card-name.ts';
import { foldText } from '../domain/text.ts';
import { append } from '../lib/append.ts';
import { SortedList } from '../lib/sorted-list.ts';
import type { IndexedSet } from './fields.ts';
import { Spelling } from './spelling.ts';

/** A folded word of a set's name, or a code, with the sets that have it. */
export interface SetWord {
  readonly text: string;
  sets: IndexedSet[];
}

/** A dictionary of the words of sets. There are about 4,000, far fewer than words of names. */
export class SetWords {
  /** Corrects misspelt words of sets. */
  readonly spelling = new Spelling<SetWord>(() => true);
  readonly #words = new Map<string, SetWord>();
  readonly #sorted = new SortedList<SetWord>(
    ({ text }) => text,
    () => {},
  );
  readonly #byName = new Map<string, IndexedSet[]>();
  #setCount = 0;

  /** The number of sets. */
  get setCount(): number {
    return this.#setCount;
  }

  /** Lists a set under the words of its name and its codes. */
  add(set: IndexedSet): void {
    this.#setCount++;
    const name = set.terms.join('');
    for (const text of new Set([name, set.leadingCode.join('') + name])) {
      this.#byName.set(text, append(this.#byName.get(text) ?? [], set));
    }
    const words = new Set([...set.terms, ...set.leadingCode, set.code]);
    for (const word of words) this.#addWord(word, set);
  }

  /** Makes the words added since the last commit visible to {@link withPrefix}. */
  commit(): void {
    this.#sorted.commit();
  }

  /** Returns the word with this text. */
  get(text: string): SetWord | undefined {
    return this.#words.get(text);
  }

  /** Returns the sets with a name. Compares names without the code in front. */
  named(name: string): readonly IndexedSet[] {
    return this.called(foldText(readSetName(name).name));
  }

  /** Returns the sets with a folded name, with or without the code in front. */
  called(folded: string): readonly IndexedSet[] {
    return this.#byName.get(folded) ?? [];
  }

  /** Returns the words that begin with a prefix, sorted. */
  withPrefix(prefix: string): readonly SetWord[] {
    return this.#sorted.items.slice(...this.#sorted.rangeOf(prefix));
  }

  #addWord(text: string, set: IndexedSet): void {
    const known = this.#words.get(text);
    if (known) {
      known.sets = append(known.sets, set);
      return;
    }
    const word = { text, sets: [set] };
    this.#words.set(text, word);
    this.#sorted.stage(word);
    this.spelling.add(word);
  }
}
