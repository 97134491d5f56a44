import { readFileSync } from 'node:fs';
import { type MatchExtended, ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { GAMES } from '../../domain/games.ts';
import { packageFile } from '../../lib/package-file.ts';

/**
 * The fewest guesses that find a good password, as zxcvbn estimates them. A stolen hash allows some
 * thousand guesses a second (argon2id), so this many take days. A random password of the shortest
 * length needs 10^10, and still passes with one piece that zxcvbn recognises.
 */
const LEAST_GUESSES = 1e9;

/**
 * How much of a password zxcvbn checks at once, in UTF-16 units. Its time grows at least with the
 * square of the length.
 */
const STRETCH = 32;

/**
 * The number of readings to try, such as `4` as `a` or `$` as `s`. With 100, a check can take 2 s.
 */
const MOST_SUBSTITUTIONS = 8;

const SEPARATORS = /[^\p{L}\p{N}]+/u;

/** The tables of words, which load in about 0.1 s and take 9 MB. */
const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...dictionary, service: wordsOfService() },
  graphs: adjacencyGraphs,
  maxLength: STRETCH,
  l33tMaxSubstitutions: MOST_SUBSTITUTIONS,
});

/**
 * Returns why a normalised password is easy to guess, as the end of a sentence about the password;
 * undefined if it is not. A password is as strong as its strongest part, so extra characters never
 * make it weaker.
 */
export function weaknessOf(password: string, email: string): string | undefined {
  const inputs = spellingsOf([email, ...email.split('@'), ...email.split(SEPARATORS)]);
  let weakness: string | undefined;
  for (let from = 0; from < password.length; from += STRETCH) {
    const { guesses, sequence } = zxcvbn.check(password.slice(from, from + STRETCH), inputs);
    if (guesses >= LEAST_GUESSES) return undefined;
    weakness ??= reasonOf(sequence);
  }
  return weakness;
}

/** Returns the reason for the longest part that zxcvbn recognised. */
function reasonOf(sequence: readonly MatchExtended[]): string {
  const known = sequence.filter(({ pattern }) => pattern !== 'bruteforce');
  const [longest] = known.sort((a, b) => b.token.length - a.token.length);
  const name = longest?.pattern === 'dictionary' ? longest.dictionaryName : longest?.pattern;
  return REASONS[name] ?? 'it is too simple';
}

/** Reasons by the word list or the pattern that a part matches. */
const REASONS: Readonly<Record<string, string>> = {
  userInputs: 'it contains little more than your e-mail address',
  service: 'it contains little more than the name of a game, a card or this service',
  'passwords-common': 'it contains little more than common words or passwords',
  'diceware-common': 'it contains too few words',
  repeat: 'it repeats itself',
  sequence: 'it follows the alphabet or counts',
  spatial: 'it follows a row of keys on the keyboard',
  date: 'it contains little more than a date',
  regex: 'it contains little more than a year',
};

/** Returns each name unchanged, and with its words joined in the usual ways. */
function spellingsOf(names: readonly string[]): string[] {
  const joined = names.flatMap((name) => {
    const words = name.split(SEPARATORS);
    return [name, ...['', ' ', '.', '-', '_'].map((separator) => words.join(separator))];
  });
  return [...new Set(joined)].filter((name) => name !== '');
}

/** Returns the names of the service, its games, and every Pokémon in every language. */
function wordsOfService(): string[] {
  const species = readFileSync(packageFile('data/words/species.tsv'), 'utf8').split(/[\t\n|]/);
  const games = GAMES.flatMap(({ slug, name, search }) => [
    slug,
    name.toLowerCase(),
    ...search.names,
    ...search.hints,
  ]);
  return spellingsOf(['card price', 'trading card', ...games, ...species]);
}
