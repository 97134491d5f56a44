import { foldWords } from '../domain/text.ts';
import { findPhrases, type Phrase, type Span } from './lexicon/index.ts';

/**
 * A typed text: its folded words, and their meanings that do not depend on the catalogue. The
 * search and the resolver both read texts with it.
 */
export class Text {
  readonly words: readonly string[];
  #phrases: readonly Phrase[] | undefined;

  constructor(words: readonly string[]) {
    this.words = words;
  }

  /** The phrases that mean something other than a name. Found on first use. */
  get phrases(): readonly Phrase[] {
    this.#phrases ??= findPhrases(this.words);
    return this.#phrases;
  }

  /** Returns the words of a span, separated by spaces. */
  wordsIn({ from, to }: Span): string {
    return this.words.slice(from, to).join(' ');
  }

  /** Returns every span of words that, written together, equal a folded text. */
  spansOf(folded: string): Span[] {
    const spans: Span[] = [];
    if (folded === '') return spans;
    for (let from = 0; from < this.words.length; from++) {
      const to = this.#endOf(folded, from);
      if (to !== undefined) spans.push({ from, to });
    }
    return spans;
  }

  #endOf(folded: string, from: number): number | undefined {
    let length = 0;
    for (let to = from; to < this.words.length && length < folded.length; to++) {
      const word = this.words[to] ?? '';
      if (!folded.startsWith(word, length)) return undefined;
      length += word.length;
      if (length === folded.length) return to + 1;
    }
    return undefined;
  }
}

/** Reads a text that has no numbers of cards, such as a condition. */
export function readText(text: string): Text {
  return new Text(foldWords(text));
}

/** Whether two spans have a word in common. */
export function overlap(a: Span, b: Span): boolean {
  return a.from < b.to && b.from < a.to;
}
