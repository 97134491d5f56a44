import { foldWords, withoutZeros } from '../../../src/domain/text.ts';
import type { FilterPart, Understood } from '../../../src/search/index.ts';

/** Words of a query with their reading. */
export interface ShownReading {
  /** The meaning of the words; `Not understood` for words that the search ignored. */
  readonly label: string;
  /** Folded, in lower case; the parts of a filter as typed. */
  readonly words: string;
  /**
   * The query without the words; undefined if they cannot be removed. The words of an alias cannot,
   * because nobody typed them.
   */
  readonly rest: string | undefined;
}

const FILTERS = [
  'set',
  'number',
  'rarity',
  'printing',
  'treatment',
  'year',
  'language',
  'game',
  'condition',
  'grade',
] as const satisfies readonly (keyof Understood)[];

/**
 * Returns how a query was read beyond its name: its ignored words, its filters and its malformed
 * parts. Includes the name only if an alias gave it words that the query does not contain.
 */
export function readingsOf(understood: Understood, q: string): ShownReading[] {
  const { name, filters = [], problems = [] } = understood;
  const isTyped = (words: string) => withoutWords(q, words) !== undefined;
  const ignored = understood.ignored.filter(isTyped);
  const shown: (readonly [string, string | null])[] = [
    // First, because a phone shows only the first.
    ['Not understood', ignored.length > 0 ? ignored.join(' ') : null],
    ['name', name !== null && isTyped(name) ? null : name],
    ...FILTERS.map((field) => [field, understood[field]] as const),
  ];
  const readings = shown.flatMap(([label, words]) => {
    return words === null ? [] : [{ label, words, rest: withoutWords(q, words) }];
  });
  const ofPart = (label: string, { typed, from, to }: Part): ShownReading => {
    return { label, words: typed, rest: withoutSpan(q, from, to) };
  };
  const malformed = problems.filter(({ from }) => filters.every((filter) => filter.from !== from));
  return [
    ...malformed.map((problem) => ofPart('Not understood', problem)),
    ...readings,
    ...filters.map((filter) =>
      ofPart(filter.means.startsWith('sort:') ? 'order' : 'filter', filter),
    ),
  ];
}

/** A part of a query, by its position. */
type Part = Pick<FilterPart, 'typed' | 'from' | 'to'>;

/** Returns a text without a span, and without the double spaces that this would leave. */
function withoutSpan(q: string, from: number, to: number): string {
  return `${q.slice(0, from).trimEnd()} ${q.slice(to).trimStart()}`.trim();
}

/** Returns the sentences about the malformed parts of a query. */
export function problemsOf({ problems = [] }: Understood): string[] {
  return problems.map(({ message, suggestion }) => {
    return suggestion === undefined ? message : `${message} Did you mean ${suggestion}?`;
  });
}

/** A piece of a text, and the words to which it folds. */
interface Piece {
  readonly index: number;
  /** As typed. */
  readonly text: string;
  /** The text between the previous piece and this one. */
  readonly before: string;
  readonly words: readonly string[];
}

/** Adjacent pieces, by the index of the first and the index after the last. */
interface Run {
  readonly from: number;
  readonly to: number;
}

const JAPANESE = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー';
const SIGNS = "\\p{L}\\p{M}\\p{N}'’‘ʼ´′＇`★☆†‡♀♂♢◇";

/** Matches the pieces that fold to separate words. Japanese has no spaces, and `&` is a word. */
const PIECE = new RegExp(`&|[${JAPANESE}]+|(?:(?![${JAPANESE}])[${SIGNS}])+`, 'gu');

/**
 * Returns a text without some of its words; the others stay as typed. `words` are folded, as in the
 * answers of searches. If the text has them twice, the last ones are removed, because names come
 * first. Returns undefined if the text does not have the words, or if removing them would change
 * another word.
 */
export function withoutWords(text: string, words: string): string | undefined {
  const pieces = piecesOf(text);
  const runs = findRuns(pieces, [words]) ?? findRuns(pieces, words.split(' '));
  if (!runs) return undefined;
  const kept = pieces.filter(({ index }) => !runs.some((run) => isIn(run, index)));
  const rest = kept.map((piece, i) => separator(kept[i - 1], piece, pieces) + piece.text).join('');
  return areWordsOf(text, pieces) && areWordsOf(rest, kept) ? rest : undefined;
}

function piecesOf(text: string): Piece[] {
  let end = 0;
  return Array.from(text.matchAll(PIECE), (match, index) => {
    const [piece] = match;
    const before = text.slice(end, match.index);
    end = match.index + piece.length;
    return { index, text: piece, before, words: foldWords(piece) };
  });
}

/** Finds a run for each text, in the order of the texts; undefined unless there is one for each. */
function findRuns(pieces: readonly Piece[], texts: readonly string[]): Run[] | undefined {
  const runs: Run[] = [];
  for (const text of texts.toReversed()) {
    const run = findLastRun(pieces.slice(0, runs.at(-1)?.from), keyOf(foldWords(text)));
    if (!run) return undefined;
    runs.push(run);
  }
  return runs;
}

/** Finds the last run whose words have a key. */
function findLastRun(pieces: readonly Piece[], key: string): Run | undefined {
  for (let to = pieces.length; to > 0 && key !== ''; to--) {
    let [from, found] = [to, ''];
    while (from > 0 && found.length < key.length) {
      from--;
      found = keyOf(pieces[from]?.words ?? []) + found;
    }
    if (found === key) return { from, to };
  }
  return undefined;
}

/** Returns a key that is equal for `004/102` and for `4/102` in the answer of a search. */
function keyOf(words: readonly string[]): string {
  return words.map(withoutZeros).join('');
}

function isIn({ from, to }: Run, index: number): boolean {
  return from <= index && index < to;
}

/** Returns the separator between two kept pieces: as typed, or the one on both sides of a gap. */
function separator(previous: Piece | undefined, piece: Piece, all: readonly Piece[]): string {
  const isNext = piece.index === (previous?.index ?? -1) + 1;
  if (isNext) return piece.before;
  const before = previous && all[previous.index + 1]?.before;
  if (before === piece.before && before !== '') return before;
  const [, attached = ''] = /\s(\S*)$/.exec(piece.before) ?? [];
  return previous ? ` ${attached}` : attached;
}

function areWordsOf(text: string, pieces: readonly Piece[]): boolean {
  return foldWords(text).join(' ') === pieces.flatMap(({ words }) => words).join(' ');
}
