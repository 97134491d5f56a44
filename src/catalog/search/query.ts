import { type Chunk, foldChunks, isJapanese, withoutZeros } from '../../domain/text.ts';
import type { Entry, Name, PrintedNumber } from './entries.ts';
import type { Lexicon } from './lexicon.ts';
import { isAnyBorne } from './numbers.ts';
import { findRuns } from './runs.ts';
import type { Correction } from './spelling.ts';
import { isVisible, type Term } from './vocabulary.ts';

/** A query as it was read: every word once, and the order in which they were typed. */
export interface ReadQuery {
  readonly words: readonly QueryWord[];
  /** Places in `words`, as often as each was typed. */
  readonly sequence: readonly number[];
  /**
   * The names of the cards on which any of the words is printed as number or code; undefined
   * when they are so many that it is quicker to look at each card.
   */
  readonly printedBeside: ReadonlySet<Name> | undefined;
}

/** A word of a query, with all that it stands for in the catalogue. */
export interface QueryWord {
  readonly text: string;
  readonly japanese: boolean;
  /** Words of names that are it, begin with it or, in Japanese, hold it. */
  readonly spelt: readonly Term[];
  /**
   * Names in which it is several words run together, or half of a word, and whether what it
   * makes up is a whole word.
   */
  readonly runs: ReadonlyMap<Name, 'whole' | 'unfinished'>;
  /** Words of names that it misspells, by their spelling; only if nothing is as written. */
  readonly corrections: ReadonlyMap<string, Correction>;
  /** Printed numbers that it is. */
  readonly numbers: ReadonlySet<PrintedNumber>;
  /** What it says after a slash: `102` of `4/102`. */
  readonly total: string;
  /** Cards whose code it is: their set's, or the one in front of their number. */
  readonly coded: readonly Entry[];
}

/** A word before it is looked up. */
interface Piece {
  readonly text: string;
  /** The same as a number: with hyphens where they were typed, without what follows a slash. */
  readonly number: string;
  readonly total: string;
}

const DIGIT = /\d/;

/** Gathering the names of more cards than this takes longer than it saves. */
const MOST_CARDS_BESIDE = 10_000;

/** Reads what was typed, word for word. Punctuation alone gives no words. */
export function readQuery(q: string, lexicon: Lexicon): ReadQuery {
  const read = new Map<string, QueryWord>();
  const typed: QueryWord[] = [];
  let previous: QueryWord | undefined;
  for (const piece of foldChunks(q).flatMap((chunk) => piecesOf(chunk, lexicon))) {
    const identity = `${piece.number}/${piece.total}`;
    const word = read.get(identity) ?? asWritten(piece, lexicon);
    read.set(identity, word);
    typed.push(previous ? afterWord(previous, word, lexicon) : word);
    previous = word;
  }
  const distinct = [...new Set(typed)];
  return {
    words: distinct.map((word) => (isFound(word) ? word : corrected(word, lexicon))),
    sequence: typed.map((word) => distinct.indexOf(word)),
    printedBeside: namesBeside(distinct),
  };
}

function namesBeside(words: readonly QueryWord[]): Set<Name> | undefined {
  let cards = 0;
  for (const { numbers, coded } of words) {
    for (const { entries } of numbers) cards += entries.length;
    cards += coded.length;
    if (cards > MOST_CARDS_BESIDE) return undefined;
  }
  const names = new Set<Name>();
  for (const { numbers, coded } of words) {
    for (const { entries } of numbers) for (const { name } of entries) names.add(name);
    for (const { name } of coded) names.add(name);
  }
  return names;
}

/** The cards that bear a word as their number or code, each once. */
export function printedOn({ numbers, coded }: QueryWord): Entry[] {
  const cards = [...numbers].flatMap(({ entries }) => entries);
  return cards.concat(coded.filter(({ number }) => !numbers.has(number)));
}

/** `OP01-025`, `ST-01` and `D/D/D` are one piece where something is called so, else their words. */
function piecesOf({ words, afterSlash }: Chunk, lexicon: Lexicon): Piece[] {
  const all = [...words, ...afterSlash];
  if (all.length < 2) return all.map(plainPiece);
  const text = all.join('');
  if (all.length === text.length && findRuns(lexicon.names.words, text, false).size > 0) {
    return [plainPiece(text)];
  }
  if (afterSlash.length > 0) return slashedPieces(words, afterSlash, lexicon);
  const number = words.join('-');
  const isOne = lexicon.numbers.has(number) || hasLive(lexicon.withCode(text));
  return isOne ? [{ text, number, total: '' }] : words.map(plainPiece);
}

/** `4/102` is a number where a card bears it, else two words. */
function slashedPieces(
  words: readonly string[],
  afterSlash: readonly string[],
  lexicon: Lexicon,
): Piece[] {
  const last = words.at(-1) ?? '';
  const hasDigit = DIGIT.test(last) || afterSlash.some((word) => DIGIT.test(word));
  if (!hasDigit || !lexicon.numbers.has(last)) {
    return [...words, ...afterSlash].map(plainPiece);
  }
  const after = afterSlash.join('');
  const slashed = { text: last + after, number: last, total: withoutZeros(after) };
  return [...words.slice(0, -1).map(plainPiece), slashed];
}

function plainPiece(text: string): Piece {
  return { text, number: text, total: '' };
}

function asWritten(piece: Piece, lexicon: Lexicon): QueryWord {
  const { text, total } = piece;
  const { names, numbers } = lexicon;
  const japanese = isJapanese(text);
  const spelt = names.words.startingWith(text);
  if (japanese) spelt.push(...names.tails.startingWith(text));
  const runs = findRuns(names.words, text, false);
  return {
    text,
    japanese,
    spelt,
    runs: new Map(Array.from(runs, (name) => [name, 'whole'])),
    corrections: new Map(),
    numbers: numbers.find(piece.number),
    total,
    coded: lexicon.withCode(text),
  };
}

/** Whether a word is something as written. */
function isFound({ spelt, runs, numbers, coded }: QueryWord): boolean {
  return spelt.some(isVisible) || runs.size > 0 || isAnyBorne(numbers) || hasLive(coded);
}

function hasLive(entries: readonly Entry[]): boolean {
  return entries.some((entry) => entry.live);
}

/** A word that is nothing as written: perhaps misspelt, or words run together and still typed. */
function corrected(word: QueryWord, { names }: Lexicon): QueryWord {
  const runs = findRuns(names.words, word.text, true);
  const corrections = names.spelling.corrections(word.text);
  return {
    ...word,
    runs: new Map([...runs].map((name) => [name, 'unfinished'])),
    corrections: new Map(corrections.map((found) => [found.term.text, found])),
  };
}

/**
 * A word that may be the second half of one that was typed as two: then it also stands for the
 * whole. Only the half behind gains by it, so a word more at the end never adds matches.
 */
function afterWord(previous: QueryWord, word: QueryWord, lexicon: Lexicon): QueryWord {
  const text = previous.text + word.text;
  if (DIGIT.test(previous.text)) return word;
  if (DIGIT.test(word.text)) {
    const numbers = splitNumbers(previous, word, lexicon);
    return numbers.size === 0 ? word : { ...word, numbers: new Set([...word.numbers, ...numbers]) };
  }
  const { words } = lexicon.names;
  const whole = words.get(text);
  if (whole && !holdBoth(words.get(previous.text), words.get(word.text))) {
    return { ...word, runs: new Map([...word.runs, ...namesAs('whole', [whole])]) };
  }
  if (isFound(word) || !words.hasPrefix(text)) return word;
  return { ...word, runs: namesAs('unfinished', words.startingWith(text)) };
}

/** `swsh 39` is the number `SWSH039`, unless there is a card 39 in a set SWSH. */
function splitNumbers(a: QueryWord, b: QueryWord, { numbers }: Lexicon) {
  if (a.coded.some(({ live, number }) => live && b.numbers.has(number))) return new Set<never>();
  return numbers.find(a.text + b.text);
}

/** Whether a name has both words. Then they are two, also when together they would be one. */
function holdBoth(a: Term | undefined, b: Term | undefined): boolean {
  if (!a || !b) return false;
  const [fewer, more] = a.names.length < b.names.length ? [a, b] : [b, a];
  return fewer.names.some(({ words }) => words.includes(more.text));
}

function namesAs(run: 'whole' | 'unfinished', terms: readonly Term[]): QueryWord['runs'] {
  return new Map(terms.flatMap(({ names }) => names.map((name) => [name, run] as const)));
}
