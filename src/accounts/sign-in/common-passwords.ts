import { readFileSync } from 'node:fs';
import { AccountError } from '../../domain/errors.ts';
import { packageFile } from '../../lib/package-file.ts';

/**
 * Refuses the passwords that are guessed first: common ones, and those that consist of little but
 * common ones, repetitions, sequences, the e-mail address and the name of the service.
 */

/** A word a line, in lower case; lines that begin with `#` say where they are from. */
const LIST = packageFile('data/common-passwords.txt');

/** What everybody would try here. */
const OWN_WORDS = ['cardprice', 'card price', 'tradingcard', 'trading card'];

/** The shortest part that counts as a word, in characters. */
const LEAST_WORD = 4;
/** What a word adds to the parts that have to be guessed; every other character adds 1. */
const WORD_PARTS = 2;
/** How many parts a password has at least: three words and what is between them, for one. */
const LEAST_PARTS = 7;

let words: ReadonlySet<string> | undefined;

/**
 * Checks that a normalised password has enough that has to be guessed.
 *
 * @throws AccountError REFUSED when it does not.
 */
export function requireUncommon(password: string, email: string): void {
  const known = new Set([...OWN_WORDS, ...wordsOf(email)]);
  if (partsOf(password.toLowerCase(), known) >= LEAST_PARTS) return;
  throw new AccountError(
    'REFUSED',
    'This password is easy to guess: it is common, repeats itself or has little besides your ' +
      'e-mail address or the name of this service. Take three or more words that do not belong ' +
      'together.',
  );
}

/** The e-mail address and its parts. */
function wordsOf(email: string): string[] {
  return [email, ...email.split('@'), ...email.split(/[^\p{L}\p{N}]+/u)];
}

/** The fewest parts that a text can be put together from, words counted as {@link WORD_PARTS}. */
function partsOf(text: string, known: ReadonlySet<string>): number {
  const common = readWords();
  const characters = Array.from(text);
  const fewest = [0];
  for (let end = 1; end <= characters.length; end += 1) {
    let least = (fewest[end - 1] ?? 0) + (continues(characters, end - 1) ? 0 : 1);
    for (let start = 0; start <= end - LEAST_WORD; start += 1) {
      const word = characters.slice(start, end).join('');
      if (common.has(word) || known.has(word)) {
        least = Math.min(least, (fewest[start] ?? 0) + WORD_PARTS);
      }
    }
    fewest.push(least);
  }
  return fewest[characters.length] ?? 0;
}

/** Whether a character repeats the one before it, or is next to it: `aa`, `ab`, `21`. */
function continues(characters: readonly string[], at: number): boolean {
  const [before, character] = [characters[at - 1], characters[at]].map((one) =>
    one?.codePointAt(0),
  );
  return before !== undefined && Math.abs((character ?? 0) - before) <= 1;
}

/** The common passwords; the first call reads them, in a few milliseconds. */
function readWords(): ReadonlySet<string> {
  words ??= new Set(readFileSync(LIST, 'utf8').split('\n'));
  return words;
}
