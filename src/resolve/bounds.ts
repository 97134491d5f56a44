import { foldWords } from '../domain/text.ts';
import type { ResolveItem } from './types.ts';

/*
 * What is read takes time that other callers wait for, so texts are bounded before they are read. The
 * longest names of cards have 141 characters and 25 words, the longest titles of listings on
 * marketplaces 80 characters, and what machines read from pictures some ten numbers.
 */
const MOST_CHARACTERS = 250;
const MOST_WORDS = 40;
const MOST_NUMBERS = 16;

const FIELDS = ['name', 'set', 'setCode', 'setId', 'number', 'rarity', 'printing'] as const;

/** Says which field of an item, besides its text, has more than is read; undefined when none has. */
export function whyFieldTooLong(item: ResolveItem): string | undefined {
  for (const field of FIELDS) {
    const text = item[field];
    const reason = text === undefined ? undefined : whyTooLong(`${field}: it`, text);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Says why a text has more than is read, in a sentence that begins with `what`. */
export function whyTooLong(what: string, text: string): string | undefined {
  const { length } = text;
  if (length > MOST_CHARACTERS) return refuse(what, length, 'characters', MOST_CHARACTERS);
  const words = foldWords(text);
  if (words.length > MOST_WORDS) return refuse(what, words.length, 'words', MOST_WORDS);
  const numbers = words.filter((word) => /\d/.test(word)).length;
  return numbers > MOST_NUMBERS ? refuse(what, numbers, 'numbers', MOST_NUMBERS) : undefined;
}

/** Returns a text with one space for all that stands between its words, and none around them. */
export function withSingleSpaces(text: string): string {
  return text.replace(/\s\s+|[^\S ]/g, ' ').trim();
}

function refuse(what: string, count: number, things: string, most: number): string {
  return `${what} has ${count} ${things}; at most ${most} are read.`;
}
