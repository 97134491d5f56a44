import type { Entry, Name } from './entries.ts';
import type { QueryWord, ReadQuery } from './query.ts';

/** How one word of a query matches a name. */
export interface WordMatch {
  /** The word as the name has it, where it was misspelt; else as typed. */
  readonly text: string;
  readonly whole: boolean;
  readonly edits: number;
}

/** How one word of a query matches what is printed beside the name. */
export type PrintMatch = 'number' | 'number of another total' | 'code';

/** For each word of a query how it matches, undefined where it does not. */
type Matches<T> = readonly (T | undefined)[];

/** How the words of a query make up a name, best first. */
const SHAPES = {
  exactName: 0,
  exactNumber: 1,
  exactWithoutVariant: 2,
  exactBesideCode: 3,
  unfinishedName: 4,
  beginningOfName: 5,
  allWordsOfName: 6,
  wholeWords: 7,
  partsOfWords: 8,
} as const;
const SHAPE_COUNT = 9;

/** More edits than this in all make no difference. */
const MOST_EDITS = 9;

/**
 * The place of a match in the order of relevance, 0 for the best; undefined when a word matches
 * neither the name nor what is printed. Spelling as written goes before the shape of the match,
 * and that before what stands behind the slash of a number.
 */
export function relevance(
  query: ReadQuery,
  name: Name,
  byName: Matches<WordMatch>,
  byPrint: Matches<PrintMatch> = [],
): number | undefined {
  if (byName.some((match, i) => !match && !byPrint[i])) return undefined;
  let shape = shapeOf(query, name, byName, byPrint);
  if (byPrint.length > 0) {
    // `mew 151` may mean a card called Mew, or the 151st card of the set MEW.
    const notPrinted = byName.map((match, i) => (byPrint[i] ? undefined : match));
    shape = Math.min(shape, shapeOf(query, name, notPrinted, byPrint));
  }
  let edits = 0;
  for (const match of byName) edits += match?.edits ?? 0;
  const otherTotal = byPrint.includes('number of another total') ? 1 : 0;
  return (Math.min(edits, MOST_EDITS) * SHAPE_COUNT + shape) * 2 + otherTotal;
}

/** How a word is printed beside the name of a card; undefined when it is not. */
export function matchPrint(word: QueryWord, { number, setCode }: Entry): PrintMatch | undefined {
  if (word.numbers.has(number)) {
    const { total } = word;
    return total === '' || total === number.total ? 'number' : 'number of another total';
  }
  const isCode = word.coded.length > 0 && (setCode === word.text || number.code === word.text);
  return isCode ? 'code' : undefined;
}

/** The shape that some words of a query make of a name; the others are printed beside it. */
function shapeOf(
  { sequence }: ReadQuery,
  name: Name,
  matches: Matches<WordMatch>,
  byPrint: Matches<PrintMatch>,
): number {
  // More words than the name has letters, and none of them beside it: no order makes it the name.
  if (byPrint.length === 0 && sequence.length > name.key.length) {
    return matches.every((match) => match?.whole) ? SHAPES.wholeWords : SHAPES.partsOfWords;
  }
  const typed: WordMatch[] = [];
  let besideCode = false;
  for (const place of sequence) {
    const match = matches[place];
    if (match) typed.push(match);
    else besideCode ||= byPrint[place] === 'code';
  }
  const numbered = byPrint.some((match) => match !== undefined && match !== 'code');
  if (typed.length === 0) return numbered ? SHAPES.exactNumber : SHAPES.wholeWords;
  const shape = shapeOfPhrase(name, typed) ?? shapeOfWords(name, typed);
  // With a number it is that card. With a code alone (`mewtwo ex`) it may well be another name.
  return besideCode && !numbered ? Math.max(shape, SHAPES.exactBesideCode) : shape;
}

/** The shape when the words, in the order typed, are the name or its beginning. */
function shapeOfPhrase(name: Name, typed: readonly WordMatch[]): number | undefined {
  const { key, otherKeys } = name;
  if (typed.length > key.length) return undefined;
  let phrase = '';
  for (const { text } of typed) phrase += text;
  if (key === phrase) return SHAPES.exactName;
  if (otherKeys.some(({ text }) => text === phrase)) return SHAPES.exactWithoutVariant;
  const begun = otherKeys.filter(({ text }) => text.startsWith(phrase));
  const isBegun = key.startsWith(phrase);
  if (!isBegun && begun.length === 0) return undefined;
  const isUnfinished =
    (isBegun && name.words.length === typed.length) ||
    begun.some(({ wordCount }) => wordCount === typed.length);
  return isUnfinished ? SHAPES.unfinishedName : SHAPES.beginningOfName;
}

function shapeOfWords(name: Name, typed: readonly WordMatch[]): number {
  if (!typed.every(({ whole }) => whole)) return SHAPES.partsOfWords;
  return typed.length === name.words.length ? SHAPES.allWordsOfName : SHAPES.wholeWords;
}
