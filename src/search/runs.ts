import { firstLetter } from './letters.ts';
import type { NameSpan } from './names-by-word.ts';
import type { Name } from './records.ts';
import { hasCards, type Vocabulary } from './vocabulary.ts';

/** No word of a name is longer; what is looked up is cut to this. */
const LONGEST_WORD = 40;

/** What a word may be in names without being a word of them or beginning one. */
export interface Run {
  /** Whether it is whole words, else the last of them goes on. */
  readonly whole: boolean;
  /** Every name that has it is one of these. */
  readonly names: readonly Name[];
  readonly isIn: (name: Name) => boolean;
}

/** Words of names that may stand in a word run together, from one letter up to another. */
interface Part {
  readonly from: number;
  readonly to: number;
  /** The names that hold one of the words. */
  readonly names: NameSpan;
}

/**
 * `word` as several neighbouring words run together, like `mistvalley` in `Mist Valley Baby Roc`;
 * undefined when words of names cannot make it up. Unless it is `whole`, its last word may be
 * the beginning of one.
 */
export function findRun(vocabulary: Vocabulary, word: string, whole: boolean): Run | undefined {
  const parts = withEnd(partsFromBeginning(vocabulary, word, whole), word.length);
  if (parts.length === 0) return undefined;
  const initial = firstLetter(word);
  const isIn = (name: Name) => (name.initials & initial) !== 0 && holdsRun(name, word, whole);
  return { whole, names: fewestNames(parts, word.length), isIn };
}

/** Two words as one that was split: `text`, or what begins with it. */
export function joinedRun(text: string, whole: boolean, names: readonly Name[]): Run {
  const isText = (word: string) => (whole ? word === text : word.startsWith(text));
  const initial = firstLetter(text);
  const isIn = (name: Name) => (name.initials & initial) !== 0 && name.words.some(isText);
  return { whole, names, isIn };
}

/** Whether a published card has the run in its name. */
export function isVisibleRun({ names, isIn }: Run): boolean {
  return names.some((name) => isIn(name) && hasCards(name));
}

/** The parts before which `word` can be cut into words, by their beginning. */
function partsFromBeginning(vocabulary: Vocabulary, word: string, whole: boolean): Part[] {
  const parts: Part[] = [];
  const reached = [true];
  for (let from = 0; from < word.length; from++) {
    if (!reached[from]) continue;
    for (const part of partsAt(vocabulary, word, from, whole)) {
      reached[part.to] = true;
      parts.push(part);
    }
  }
  return parts;
}

/** The words that may stand in `word` from a place on, but not alone. */
function partsAt(vocabulary: Vocabulary, word: string, from: number, whole: boolean): Part[] {
  const parts: Part[] = [];
  const last = Math.min(from === 0 ? word.length - 1 : word.length, from + LONGEST_WORD);
  for (let to = from + 1; to <= last; to++) {
    const term = vocabulary.get(word.slice(from, to));
    if (term) parts.push({ from, to, names: term.names });
  }
  if (whole || from === 0) return parts;
  const { names } = vocabulary.startingWith(word.slice(from));
  if (names.count > 0) parts.push({ from, to: word.length, names });
  return parts;
}

/** Those of the parts, which are in the order of their beginning, that lead to the end. */
function withEnd(parts: readonly Part[], end: number): Part[] {
  const leading: boolean[] = [];
  leading[end] = true;
  return parts.toReversed().filter(({ from, to }) => {
    if (!leading[to]) return false;
    leading[from] = true;
    return true;
  });
}

/**
 * However a word is cut, some part holds its third letter, or any other: the parts over that
 * letter for which they have the fewest names tell which names to look at.
 */
function fewestNames(parts: readonly Part[], length: number): Name[] {
  const counts = new Array<number>(length).fill(0);
  for (const { from, to, names } of parts) {
    for (let i = from; i < to; i++) counts[i] = (counts[i] ?? 0) + names.count;
  }
  const rarest = counts.indexOf(Math.min(...counts));
  const there = parts.filter(({ from, to }) => from <= rarest && rarest < to);
  return there.flatMap(({ names }) => names.list());
}

/** Compared in place: joining the words would make a string for each name that is looked at. */
function holdsRun({ words }: Name, run: string, whole: boolean): boolean {
  for (let start = 0; start + 1 < words.length; start++) {
    let at = 0;
    let next = words[start];
    if (next === run) continue;
    for (let i = start + 1; next !== undefined && run.startsWith(next, at); i++) {
      at += next.length;
      next = words[i];
    }
    if (at === run.length) return true;
    if (!whole && at > 0 && next?.startsWith(run.slice(at))) return true;
  }
  return false;
}
