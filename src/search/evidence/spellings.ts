import type { InvertedIndex } from '../inverted-index.ts';
import { NO_CORRECTIONS, type QueryTerm } from '../query.ts';
import type { SetWord } from '../set-words.ts';
import type { Correction } from '../spelling.ts';
import type { Term } from '../vocabulary.ts';

/** The corrections of a word. */
interface Corrected {
  readonly names: readonly Correction<Term>[];
  readonly sets: readonly Correction<SetWord>[];
}

/** Corrects the words of one query, each once: that takes longer than anything else. */
export class Spellings {
  readonly #index: InvertedIndex;
  readonly #known = new Map<string, Corrected>();
  readonly #inNames = new Map<string, Corrected['names']>();

  /** `terms` are those of the query, of which some may be corrected already. */
  constructor(index: InvertedIndex, terms: readonly QueryTerm[]) {
    this.#index = index;
    for (const { text, corrections } of terms) {
      if (corrections !== NO_CORRECTIONS) this.#inNames.set(text, [...corrections.values()]);
    }
  }

  /** Returns the terms of names and the words of sets of which a word may be a misspelling. */
  of(text: string): Corrected {
    const known = this.#known.get(text);
    if (known) return known;
    const corrected = {
      names: this.#inNames.get(text) ?? this.#index.spelling.corrections(text),
      sets: this.#index.setWords.spelling.corrections(text),
    };
    this.#known.set(text, corrected);
    return corrected;
  }
}
