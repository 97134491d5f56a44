import { LONGEST_COMPOUND } from './compound-filter.ts';
import { hasLiveDocs, initialBit, type Name } from './fields.ts';
import type { InvertedIndex, Vocabulary } from './inverted-index.ts';
import type { PostingList } from './postings.ts';

/** No term is longer than this. Longer parts are not looked up. */
const LONGEST_TERM = 40;

/** A match of a word across term boundaries: several terms run together, or one split in two. */
export interface Compound {
  /** Whether whole terms make up the word. If not, the last term is unfinished. */
  readonly isWhole: boolean;
  /** All names that contain the compound, and possibly others. */
  readonly names: readonly Name[];
  /** Whether a name contains the compound. */
  readonly isIn: (name: Name) => boolean;
  /** Whether the previous word also belongs to it. */
  readonly isSplit: boolean;
}

/** Terms that may make up a word from letter `from` up to, but not including, `to`. */
interface Part {
  readonly from: number;
  readonly to: number;
  /** The names that contain any of the terms. */
  readonly postings: PostingList;
}

/**
 * Finds `word` as several adjacent terms of a name, like `mistvalley` in `Mist Valley Baby Roc`.
 * Returns undefined if terms cannot make it up or it is too long. Unless it must be whole, its last
 * part may be a prefix of a term.
 */
export function findCompound(
  { terms, compounds }: InvertedIndex,
  word: string,
  isWhole: boolean,
): Compound | undefined {
  if (word.length > LONGEST_COMPOUND) return undefined;
  if (isWhole && !compounds.mayContain(word)) return undefined;
  const parts = withEnd(partsFromBeginning(terms, word, isWhole), word.length);
  if (parts.length === 0) return undefined;
  const bit = initialBit(word);
  const isIn = (name: Name) => (name.initials & bit) !== 0 && hasCompound(name, word, isWhole);
  return { isWhole, names: fewestNames(parts, word.length), isIn, isSplit: false };
}

/** Makes the compound of two words that form one term: `text`, or a term that begins with it. */
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

/** Returns the parts that can follow each other from the first letter, sorted by beginning. */
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

/** Returns the parts that begin at a letter of `word`, except the whole word. */
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

/** Returns the parts that lead to the end. `parts` are sorted by their beginning. */
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
 * Returns the names that may contain a compound. Every way to cut the word has a part over each
 * letter, so the parts over any one letter lead to all these names. Uses the letter whose parts
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
 * Whether adjacent terms of a name make up the compound. Compares in place, because joining terms
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
