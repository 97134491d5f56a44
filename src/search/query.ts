import { foldChunks, isJapanese } from '../domain/text.ts';
import type { DocId } from './cards.ts';
import { firstLetter } from './letters.ts';
import type { Lexicon } from './lexicon.ts';
import { MeantNumbers } from './numbers.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { findRun, isVisibleRun, joinedRun, type Run } from './runs.ts';
import type { Correction } from './spelling.ts';
import { isVisible, type Term, type WordRange } from './vocabulary.ts';

/** A query as it was read: every word once, and the order in which they were typed. */
export interface ReadQuery {
  readonly words: readonly QueryWord[];
  /** Places in `words`, as often as each was typed. */
  readonly sequence: readonly number[];
  /** All of them in the order typed. */
  readonly phrase: Phrase;
}

/** Words run together, and how many they are. */
export interface Phrase {
  readonly text: string;
  readonly count: number;
}

/** A word of a query, with all that it stands for in the catalogue. */
export interface QueryWord {
  readonly text: string;
  /** Its first letter, as a set of letters. */
  readonly initial: number;
  /** Words of names that are it or begin with it. */
  readonly spelt: WordRange;
  /** If it is Japanese, the rests of words that are it or begin with it: words that hold it. */
  readonly held: WordRange | undefined;
  /** Whether it is something as written, in the whole catalogue. */
  readonly found: boolean;
  /** It as several words run together, or as the second half of one that was split. */
  readonly runs: readonly Run[];
  /** Words of names that it misspells, by their spelling; only if nothing is as written. */
  readonly corrections: ReadonlyMap<string, Correction>;
  /** Printed numbers that it is. */
  readonly numbers: MeantNumbers;
  /** What it says after a slash: `102` of `4/102`. */
  readonly total: string;
  /** Cards whose code it is: their set's, or the one in front of their number. */
  readonly coded: readonly DocId[];
}

const DIGIT = /\d/;

const NO_CORRECTIONS: QueryWord['corrections'] = new Map();

/** Reads what was typed, word for word. Punctuation alone gives no words. */
export function readQuery(q: string, lexicon: Lexicon): ReadQuery {
  const pieces = foldChunks(q).flatMap((chunk) => piecesOf(chunk, lexicon));
  const reader = new Reader(lexicon);
  const typed = pieces.map((piece, i) => reader.read(piece, pieces[i - 1]));
  const distinct = [...new Set(typed)];
  return {
    words: distinct.map((word) => (word.found ? word : corrected(word, lexicon))),
    sequence: typed.map((word) => distinct.indexOf(word)),
    phrase: { text: typed.map(({ text }) => text).join(''), count: typed.length },
  };
}

/** Reads the words of a query; what is typed again is not looked up again. */
class Reader {
  readonly #lexicon: Lexicon;
  readonly #words = new Map<string, QueryWord>();
  readonly #numbers = new Map<string, MeantNumbers>();

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  /** Reads a piece that was typed behind another. */
  read(piece: Piece, previous: Piece | undefined): QueryWord {
    if (!previous) return this.#readAlone(piece);
    return remembered(this.#words, `${keyOf(previous)} ${keyOf(piece)}`, () =>
      afterWord(this.#readAlone(previous), this.#readAlone(piece), this.#lexicon),
    );
  }

  #readAlone(piece: Piece): QueryWord {
    return remembered(this.#words, keyOf(piece), () => {
      const numbers = remembered(this.#numbers, piece.number, (number) => {
        return new MeantNumbers(this.#lexicon.numbers.find(number));
      });
      return asWritten(piece, numbers, this.#lexicon);
    });
  }
}

function keyOf({ number, total }: Piece): string {
  return `${number}/${total}`;
}

function remembered<T>(known: Map<string, T>, key: string, make: (key: string) => T): T {
  const value = known.get(key) ?? make(key);
  known.set(key, value);
  return value;
}

function asWritten(piece: Piece, numbers: MeantNumbers, lexicon: Lexicon): QueryWord {
  const { text, total } = piece;
  const { words, tails } = lexicon.names;
  const spelt = words.startingWith(text);
  const held = isJapanese(text) ? tails.startingWith(text) : undefined;
  const run = findRun(words, text, true);
  const runs = run && isVisibleRun(run) ? [run] : [];
  const coded = lexicon.withCode(text);
  const found =
    spelt.terms.some(isVisible) ||
    held?.terms.some(isVisible) ||
    runs.length > 0 ||
    lexicon.isAnyBorne(numbers.listed) ||
    lexicon.hasCode(text);
  return {
    text,
    initial: firstLetter(text),
    found,
    spelt,
    held,
    runs,
    corrections: NO_CORRECTIONS,
    numbers,
    total,
    coded,
  };
}

/** A word that is nothing as written: perhaps misspelt, or words run together and still typed. */
function corrected(word: QueryWord, { names }: Lexicon): QueryWord {
  const run = findRun(names.words, word.text, false);
  const corrections = names.spelling.corrections(word.text);
  return {
    ...word,
    runs: run ? [run] : [],
    corrections: new Map(corrections.map((found) => [found.term.text, found])),
  };
}

/**
 * A word that may be the second half of one that was typed as two: then it also stands for the
 * whole. Only the half behind gains by it, so a word more at the end never adds matches.
 */
function afterWord(previous: QueryWord, word: QueryWord, lexicon: Lexicon): QueryWord {
  if (DIGIT.test(previous.text)) return word;
  if (DIGIT.test(word.text)) return afterCode(previous, word, lexicon);
  const { words } = lexicon.names;
  const text = previous.text + word.text;
  const whole = words.get(text);
  if (whole && !holdBoth(words.get(previous.text), words.get(word.text))) {
    return withRun(word, joinedRun(text, true, whole.names.list()));
  }
  if (word.found) return word;
  const unfinished = joinedRun(text, false, words.startingWith(text).names.list());
  return isVisibleRun(unfinished) ? withRun(word, unfinished) : word;
}

/** `swsh 39` is the number `SWSH039`, unless there is a card 39 in a set SWSH. */
function afterCode(code: QueryWord, word: QueryWord, lexicon: Lexicon): QueryWord {
  if (lexicon.isAnyNumbered(code.coded, word.numbers)) return word;
  const numbers = lexicon.numbers.find(code.text + word.text);
  if (numbers.length === 0) return word;
  return {
    ...word,
    found: word.found || lexicon.isAnyBorne(numbers),
    numbers: new MeantNumbers([...word.numbers.listed, ...numbers]),
  };
}

function withRun(word: QueryWord, run: Run): QueryWord {
  return { ...word, found: true, runs: [...word.runs, run] };
}

/** Whether a name has both words. Then they are two, also when together they would be one. */
function holdBoth(a: Term | undefined, b: Term | undefined): boolean {
  if (!a || !b) return false;
  const [fewer, more] = a.names.count < b.names.count ? [a, b] : [b, a];
  return fewer.names.some(({ words }) => words.includes(more.text));
}
