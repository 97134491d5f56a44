import { hasLiveDocs, initialBit, type Name } from './fields.ts';
import type { Vocabulary } from './inverted-index.ts';
import type { PostingList } from './postings.ts';

/** No term is longer; what is looked up is cut to this. */
const LONGEST_TERM = 40;

/** Nobody runs more together. */
const LONGEST_COMPOUND = 80;

/** A match of a word across the borders of terms: run together from several, or split in two. */
export interface Compound {
  /** Whether whole terms make up the word, or the last of them is unfinished. */
  readonly isWhole: boolean;
  /** Every name that contains the compound is one of these. */
  readonly names: readonly Name[];
  /** Whether a name contains the compound. */
  readonly isIn: (name: Name) => boolean;
  /** Whether the word before belongs to it as well. */
  readonly isSplit: boolean;
}

/** Terms that may stand in a word, from one letter up to, and without, another. */
interface Part {
  readonly from: number;
  readonly to: number;
  /** The names that contain any of the terms. */
  readonly postings: PostingList;
}

/**
 * Finds `word` as several adjacent terms of a name, like `mistvalley` in `Mist Valley Baby Roc`;
 * returns undefined when terms cannot make it up, or
 * it is longer than any that people write. Unless it must be whole, its last part may be a
 * prefix of a term.
 */
export function findCompound(
  vocabulary: Vocabulary,
  word: string,
  isWhole: boolean,
): Compound | undefined {
  if (word.length > LONGEST_COMPOUND) return undefined;
  const parts = withEnd(partsFromBeginning(vocabulary, word, isWhole), word.length);
  if (parts.length === 0) return undefined;
  const bit = initialBit(word);
  const isIn = (name: Name) => (name.initials & bit) !== 0 && hasCompound(name, word, isWhole);
  return { isWhole, names: fewestNames(parts, word.length), isIn, isSplit: false };
}

/** Makes the compound of two words that are one term: `text`, or one that begins with it. */
export function splitTerm(text: string, isWhole: boolean, names: readonly Name[]): Compound {
  const matches = (term: string) => (isWhole ? term === text : term.startsWith(text));
  const bit = initialBit(text);
  const isIn = (name: Name) => (name.initials & bit) !== 0 && name.terms.some(matches);
  return { isWhole, names, isIn, isSplit: true };
}

/** Whether the name of a live document contains the compound. */
export function isLiveCompound({ names, isIn }: Compound): boolean {
  return names.some((name) => isIn(name) && hasLiveDocs(name));
}

/** The parts that can follow each other from the first letter of `word` on, by their beginning. */
function partsFromBeginning(vocabulary: Vocabulary, word: string, isWhole: boolean): Part[] {
  const parts: Part[] = [];
  const isReached = [true];
  for (let from = 0; from < word.length; from++) {
    if (!isReached[from]) continue;
    for (const part of partsAt(vocabulary, word, from, isWhole)) {
      isReached[part.to] = true;
      parts.push(part);
    }
  }
  return parts;
}

/** The parts that begin at a letter of `word`; the whole word is none, for it would stand alone. */
function partsAt(vocabulary: Vocabulary, word: string, from: number, isWhole: boolean): Part[] {
  const parts: Part[] = [];
  const last = Math.min(from === 0 ? word.length - 1 : word.length, from + LONGEST_TERM);
  for (let to = from + 1; to <= last; to++) {
    const term = vocabulary.get(word.slice(from, to));
    if (term) parts.push({ from, to, postings: term.postings });
  }
  if (isWhole || from === 0) return parts;
  const { postings } = vocabulary.withPrefix(word.slice(from));
  if (postings.count > 0) parts.push({ from, to: word.length, postings });
  return parts;
}

/** Those parts, of some in the order of their beginning, from which others lead to the end. */
function withEnd(parts: readonly Part[], end: number): Part[] {
  const leadsToEnd: boolean[] = [];
  leadsToEnd[end] = true;
  return parts.toReversed().filter(({ from, to }) => {
    if (!leadsToEnd[to]) return false;
    leadsToEnd[from] = true;
    return true;
  });
}

/**
 * Returns the names that may contain a compound. However the word is cut, some part covers a given
 * letter, so the parts over any one letter lead to all these names: takes the letter whose parts
 * have the fewest postings.
 */
function fewestNames(parts: readonly Part[], length: number): Name[] {
  const counts = new Array<number>(length).fill(0);
  for (const { from, to, postings } of parts) {
    for (let i = from; i < to; i++) counts[i] = (counts[i] ?? 0) + postings.count;
  }
  const rarest = counts.indexOf(Math.min(...counts));
  const covering = parts.filter(({ from, to }) => from <= rarest && rarest < to);
  return covering.flatMap(({ postings }) => postings.toArray());
}

/**
 * Whether adjacent terms of a name make up the compound. Compares them in place: joining them
 * would allocate a string for each name.
 */
function hasCompound({ terms }: Name, compound: string, isWhole: boolean): boolean {
  for (let start = 0; start + 1 < terms.length; start++) {
    let at = 0;
    let next = terms[start];
    if (next === compound) continue;
    for (let i = start + 1; next !== undefined && compound.startsWith(next, at); i++) {
      at += next.length;
      next = terms[i];
    }
    if (at === compound.length) return true;
    if (!isWhole && at > 0 && next?.startsWith(compound.slice(at))) return true;
  }
  return false;
}
