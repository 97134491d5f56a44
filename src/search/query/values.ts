import { GAME_SLUGS, type GameSlug } from '../../domain/games.ts';
import { foldText, foldWords, isJapanese } from '../../domain/text.ts';
import type { IndexedSet, Name } from '../fields.ts';
import type { Filters } from '../filters.ts';
import type { InvertedIndex } from '../inverted-index.ts';
import {
  type Facts,
  findPhrases,
  type Phrase,
  type PhraseKind,
  passes,
  type WordTest,
} from '../lexicon/index.ts';

/** The meanings of field values in a catalogue. */

interface Catalogue {
  readonly index: InvertedIndex;
  readonly filters: Filters;
}

/** Whether words are part of an artist's name, or the whole name. */
export function isArtist(artist: string, value: string, isWhole: boolean): boolean {
  if (isWhole) return foldText(artist) === foldText(value);
  return hasSequence(foldWords(artist), foldWords(value));
}

/** Whether words are next to each other among the terms of a text. */
export function hasSequence(terms: readonly string[], words: readonly string[]): boolean {
  for (let from = 0; from + words.length <= terms.length; from++) {
    if (words.every((word, i) => terms[from + i] === word)) return true;
  }
  return false;
}

/** Returns the names with words next to each other. Japanese words may be parts of terms. */
export function findNames({ terms, suffixes }: InvertedIndex, words: readonly string[]): Name[] {
  const [only = ''] = words;
  if (words.length === 1 && isJapanese(only)) {
    const found = [terms.withPrefix(only), suffixes.withPrefix(only)];
    return [...new Set(found.flatMap(({ postings }) => postings.filter(() => true)))];
  }
  const postings = words.map((word) => terms.get(word)?.postings);
  const known = postings.filter((list) => list !== undefined);
  if (known.length < words.length) return [];
  const [rarest] = known.sort((a, b) => a.count - b.count);
  return rarest?.filter((name) => hasSequence(name.terms, words)) ?? [];
}

/** Returns the names whose terms pass a test. */
export function namesPassing({ terms }: InvertedIndex, test: WordTest): Name[] {
  const lists = test.all.map((word) => terms.get(word)?.postings);
  const known = lists.filter((list) => list !== undefined);
  if (known.length < lists.length) return [];
  const [rarest] = known.sort((a, b) => a.count - b.count);
  return rarest?.filter((name) => passes(name.terms, test)) ?? [];
}

/** Marks in names, and single letters, do not name sets: `-v` excludes no card of a set V. */
export function isOnlyOfNames(words: readonly string[]): boolean {
  const [word = ''] = words;
  return words.length === 1 && (word.length < 2 || NAME_MARKS.has(word));
}

const NAME_MARKS: ReadonlySet<string> = new Set(
  'ex gx v vmax vstar vunion break prime lvx legend tag team mega'.split(' '),
);

const DESCRIBING: readonly PhraseKind[] = [
  ...(['rarity', 'printing', 'treatment', 'year', 'language', 'game', 'set'] as const),
];

/** Returns the meanings of words as one phrase of the tables, of given kinds. */
export function meaningsOf(
  words: readonly string[],
  kinds: readonly PhraseKind[] = DESCRIBING,
): Phrase[] {
  return findPhrases(words).filter(({ as, from, to }) => {
    return from === 0 && to === words.length && kinds.includes(as);
  });
}

/** Returns the games of a slug or a name; none for other texts. */
export function gamesOf(value: string): ReadonlySet<GameSlug> {
  const slug = GAME_SLUGS.find((one) => one === value.toLowerCase());
  const named = meaningsOf(foldWords(value), ['game']).flatMap(({ games = [] }) => games);
  return new Set(slug ? [slug] : named);
}

/**
 * Returns the sets with a setId, code or name; otherwise the sets with a nickname, and those whose
 * names have words that begin like this. `isWhole` allows only the first.
 */
export function setsOf(
  value: string,
  isWhole: boolean,
  { filters, index }: Catalogue,
): ReadonlySet<IndexedSet> {
  const named = filters.setsNamed(value);
  if (named || isWhole) return named ?? new Set();
  const words = foldWords(value);
  return new Set([...setsWithTerms(words, index), ...setsCalled(words, filters)]);
}

/** Returns the sets whose names have, for each word, a word that begins with it. */
function setsWithTerms(
  [first = '', ...others]: readonly string[],
  { setWords }: InvertedIndex,
): IndexedSet[] {
  const hasTerm = ({ leadingCode, terms }: IndexedSet, word: string) => {
    const begins = (term: string) => term.startsWith(word);
    return terms.some(begins) || leadingCode.some(begins);
  };
  const candidates = setWords.withPrefix(first).flatMap(({ sets }) => sets);
  return candidates.filter((set) => [first, ...others].every((word) => hasTerm(set, word)));
}

/** Returns the sets with a nickname. */
function setsCalled(words: readonly string[], filters: Filters): IndexedSet[] {
  const tests = meaningsOf(words, ['set']).flatMap(({ fits }) => fits ?? []);
  if (tests.length === 0) return [];
  const all = [...filters.indexedSets()];
  return all.filter((set) => tests.some((test) => test(factsOf(set))));
}

function factsOf({ game, terms, code, releaseYear }: IndexedSet): Facts {
  const ofSet = { game, setTerms: terms, setCode: code, releaseYear };
  return { ...ofSet, rarity: null, printings: [], nameTerms: [], number: '' };
}

/** Returns the nearest spelling of a set's words; undefined if a word has none. */
export function respellSet(value: string, { index: { setWords } }: Catalogue): string | undefined {
  const words = foldWords(value).map((word) => {
    if (setWords.withPrefix(word).length > 0) return word;
    return setWords.spelling.corrections(word)[0]?.term.text;
  });
  return words.every((word) => word !== undefined) ? words.join(' ') : undefined;
}

/** Whether a text is the name of a card as printed, in any case, with or without its brackets. */
export function isName(text: string, index: InvertedIndex): boolean {
  const lower = text.trim().toLowerCase();
  return someNameWith(index, foldWords(text), (name) => {
    return name.text.toLowerCase() === lower || name.plain.toLowerCase() === lower;
  });
}

/** Whether a folded text is a name, the name without brackets, or a face. */
export function isCalled({ folded, shortNames }: Name, text: string): boolean {
  return folded === text || shortNames.some((short) => short.folded === text);
}

/** Whether any live name has all words, in any order, and passes a test. */
export function someNameWith(
  { terms }: InvertedIndex,
  words: readonly string[],
  test: (name: Name) => boolean,
): boolean {
  const lists = words.map((word) => terms.get(word)?.postings);
  const known = lists.filter((list) => list !== undefined);
  if (known.length < lists.length) return false;
  const [rarest] = known.sort((a, b) => a.count - b.count);
  const hasAll = (name: Name) => words.every((word) => name.terms.includes(word));
  return rarest?.some((name) => name.docs.length > 0 && hasAll(name) && test(name)) === true;
}

/** Whether the name of a card contains a text in quotation marks, as `Maxx "C"` does. */
export function isQuoted(text: string, index: InvertedIndex): boolean {
  const quoted = `"${text.toLowerCase()}"`;
  return someNameWith(index, foldWords(text), (name) => name.text.toLowerCase().includes(quoted));
}
