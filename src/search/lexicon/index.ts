/** Finds in a query the words that say something about a card that is not its name. */

import { foldWords } from '../../domain/text.ts';
import { Spelling } from '../spelling.ts';
import { CONDITIONS } from './conditions.ts';
import type { Entry } from './entry.ts';
import { GAMES } from './games.ts';
import { GRADES } from './grades.ts';
import { LANGUAGES } from './languages.ts';
import { NOISE } from './noise.ts';
import type { Phrase, PhraseKind } from './phrase.ts';
import { PhraseTable } from './phrase-table.ts';
import { PRINTINGS } from './printings.ts';
import { RARITIES } from './rarities.ts';
import { SETS } from './sets.ts';
import { TREATMENTS } from './treatments.ts';
import { readYear } from './years.ts';

export type { Facts, GradeReading, Meaning, Phrase, PhraseKind } from './phrase.ts';

/** The rows of all tables (docs/search.md). */
export const ENTRIES: readonly Entry[] = [
  ...RARITIES,
  ...PRINTINGS,
  ...TREATMENTS,
  ...LANGUAGES,
  ...GAMES,
  ...CONDITIONS,
  ...GRADES,
  ...NOISE,
  ...SETS,
];

const TABLE = new PhraseTable(ENTRIES);

/** Shorter words are too like others. */
const FEWEST_LETTERS = 6;

/** The kinds of phrases whose words are corrected. */
const CORRECTED: ReadonlySet<PhraseKind> = new Set(['rarity', 'printing', 'treatment', 'language']);
const SPELLING = new Spelling<{ readonly text: string }>(() => true);
const WORDS = ENTRIES.filter(({ as }) => CORRECTED.has(as)).flatMap(({ words }) =>
  foldWords(words),
);
for (const text of new Set(WORDS)) if (text.length >= FEWEST_LETTERS) SPELLING.add({ text });

/**
 * Finds every phrase in the folded words of a query, as `foldWords` gives them, in the order typed.
 * Phrases that overlap are all returned, and words that mean several things several times: the
 * caller lets them compete.
 */
export function findPhrases(words: readonly string[], thisYear = currentYear()): Phrase[] {
  const found: Phrase[] = [];
  for (const [from, word] of words.entries()) {
    TABLE.find(words, from, found);
    const year = readYear(word, thisYear);
    if (year) found.push({ ...year, from, to: from + 1 });
  }
  return found;
}

/** Corrects a word that is nowhere in the catalogue to one of the phrases that is one edit away. */
export function correctPhraseWord(word: string): string {
  const [nearest] = SPELLING.corrections(word);
  return nearest?.edits === 1 ? nearest.term.text : word;
}

function currentYear(): number {
  return new Date().getUTCFullYear();
}
