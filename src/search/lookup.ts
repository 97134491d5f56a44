import type { Card, CardSet } from '../domain/card.ts';
import { foldText, foldWords } from '../domain/text.ts';
import type { Documents } from './documents.ts';
import type { DocId, Name } from './fields.ts';
import type { InvertedIndex } from './inverted-index.ts';
import type { Term } from './vocabulary.ts';

/** Finds live cards by exact fields, without ranking: for callers who know what is a name. */
export class Lookup {
  readonly #documents: Documents;
  readonly #inverted: InvertedIndex;

  constructor(documents: Documents, inverted: InvertedIndex) {
    this.#documents = documents;
    this.#inverted = inverted;
  }

  /** Returns the cards whose name, name without brackets or face folds to the same text. */
  named(text: string): Card[] {
    const folded = foldText(text);
    const isNamed = (name: Name) => {
      return name.folded === folded || name.aliases.some((alias) => alias.folded === folded);
    };
    return this.#cardsOf(this.#namesWithAll(foldWords(text)).filter(isNamed));
  }

  /** Whether any live card has a name, a name without brackets or a face that folds to the text. */
  isName(text: string): boolean {
    return this.named(text).length > 0;
  }

  /** Returns the cards whose names contain all of these folded words; of at most `limit` names. */
  containing(words: readonly string[], limit: number): Card[] {
    return this.#cardsOf(this.#namesWithAll(words).slice(0, limit));
  }

  /** Returns the cards of accepted sets with a number: folded words with hyphens between. */
  numbered(typed: string, accepts: (set: CardSet) => boolean): Card[] {
    const docs = new Set<DocId>();
    for (const number of this.#inverted.numbers.find(typed)) {
      for (const doc of number.docs) {
        if (this.#documents.isLive(doc) && accepts(this.#documents.card(doc).set)) docs.add(doc);
      }
    }
    return [...docs].map((doc) => this.#documents.card(doc));
  }

  /** The names that contain all words, found by the word that the fewest names contain. */
  #namesWithAll(words: readonly string[]): Name[] {
    let rarest: Term | undefined;
    for (const word of new Set(words)) {
      const term = this.#inverted.terms.get(word);
      if (!term) return [];
      if (!rarest || term.postings.count < rarest.postings.count) rarest = term;
    }
    const names = rarest?.postings.toArray() ?? [];
    return words.length < 2 ? [...names] : names.filter((name) => hasAll(name, words));
  }

  #cardsOf(names: readonly Name[]): Card[] {
    return names.flatMap(({ docs }) => docs.map((doc) => this.#documents.card(doc)));
  }
}

function hasAll({ terms }: Name, words: readonly string[]): boolean {
  return words.every((word) => terms.includes(word));
}
