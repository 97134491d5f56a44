import type { Condition } from '../domain/price.ts';
import { foldWords } from '../domain/text.ts';
import { findPhrases, type Phrase } from '../search/index.ts';

/** Longer texts are no conditions and no grades. */
const LONGEST = 60;

/** Returns the condition that a text means; null where there is none or it is not known. */
export function readCondition(text: string | undefined): Condition | null {
  return longest(text, ({ condition }) => condition !== undefined)?.condition ?? null;
}

/** Returns the grade that a text means, as its company writes it: `PSA 10`; null without one. */
export function readGrade(text: string | undefined): string | null {
  const phrase = longest(text, ({ grade }) => grade?.company != null && grade.number !== null);
  return phrase?.means ?? null;
}

function longest(
  text: string | undefined,
  isWanted: (phrase: Phrase) => boolean,
): Phrase | undefined {
  if (text === undefined) return undefined;
  const phrases = findPhrases(foldWords(text.slice(0, LONGEST))).filter(isWanted);
  return phrases.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0];
}
