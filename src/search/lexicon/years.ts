import type { Facts, Meaning } from './phrase.ts';

/** The first of the games that the service knows came out in this year. */
const FIRST_YEAR = 1993;

/**
 * Reads a word as a year, up to the next one, whose sets are sold already; undefined when it is
 * none. A card agrees that came out in it, or has it in its name or its set's.
 */
export function readYear(word: string, thisYear: number): Meaning | undefined {
  if (word.length !== 4) return undefined;
  const year = Number(word);
  if (!(year >= FIRST_YEAR && year <= thisYear + 1)) return undefined;
  const fits = ({ releaseYear, nameTerms, setTerms }: Facts) =>
    releaseYear === year || setTerms.includes(word) || nameTerms.includes(word);
  return { as: 'year', means: word, isFilter: false, fits };
}
