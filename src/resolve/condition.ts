import type { Condition } from '../domain/price.ts';
import { foldText, foldWords } from '../domain/text.ts';
import { findPhrases, type Phrase } from '../search/index.ts';

/** Longer texts are no conditions and no grades. */
const LONGEST = 60;

/** What stands for a condition in a column of conditions alone; in other texts it means more. */
const IN_COLUMNS: Readonly<Record<string, Condition>> = {
  m: 'near_mint',
  ex: 'lightly_played',
  good: 'moderately_played',
  played: 'heavily_played',
  pl: 'heavily_played',
  d: 'damaged',
};

/** Returns the condition that a text means; null where there is none or it is not known. */
export function readCondition(text: string | undefined): Condition | null {
  const alone = text === undefined ? undefined : IN_COLUMNS[foldText(text.slice(0, LONGEST))];
  return alone ?? longest(text, ({ condition }) => condition !== undefined)?.condition ?? null;
}

const PRINTING = /foil|holo|edition|limited|normal/i;

/** Returns the printing that some programs write behind a condition: `Near Mint Foil`. */
export function printingBeside(condition: string | undefined): string | undefined {
  if (condition === undefined || !PRINTING.test(condition)) return undefined;
  const phrase = longest(condition, ({ as }) => as === 'printing');
  return phrase && foldWords(condition).slice(phrase.from, phrase.to).join(' ');
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
