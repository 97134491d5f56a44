import { areSimilar } from '../similar.ts';
import type { Span } from './title.ts';

/** Finds words that are a text but for a few letters: as many words, or one more or less. */
export function findSimilar(
  words: readonly string[],
  wanted: readonly string[],
  isFree: (span: Span) => boolean,
): Span | undefined {
  const count = wanted.length;
  for (const length of [count, count + 1, count - 1]) {
    for (let from = 0; length > 0 && from + length <= words.length; from++) {
      const span = { from, to: from + length };
      if (isFree(span) && areSimilar(words.slice(from, span.to), wanted)) return span;
    }
  }
  return undefined;
}
