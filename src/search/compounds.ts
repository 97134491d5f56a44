import { LONGEST_COMPOUND } from './compound-filter.ts';
import { hasLiveDocs, initialBit, type Name } from './fields.ts';
import type { InvertedIndex } from './inverted-index.ts';
import type { PostingList } from './postings.ts';

/** A match of a word across term boundaries: several terms run together, or one split in two. */
export interface Compound {
  /** Whether whole terms make up the word. If not, the last term is unfinished. */
  readonly isWhole: boolean;
  /** The names that contain the compound, each once. */
  readonly names: readonly Name[];
  /** Whether a name contains the compound. */
  readonly isIn: (name: Name) => boolean;
  /** Whether the previous word also belongs to it. */
  readonly isSplit: boolean;
}

/**
 * Finds `word` as several adjacent terms of a name, like `mistvalley` in `Mist Valley Baby Roc`.
 * Returns undefined if no name has them or the word is too long. Unless it must be whole, the last
 * term may be unfinished.
 */
export function findCompound(
  index: InvertedIndex,
  word: string,
  isWhole: boolean,
): Compound | undefined {
  if (word.length > LONGEST_COMPOUND) return undefined;
  if (isWhole && !index.compounds.mayContain(word)) return undefined;
  const bit = initialBit(word);
  const isIn = (name: Name) => (name.initials & bit) !== 0 && hasCompound(name, word, isWhole);
  const names = new Set<Name>();
  for (let at = 1; at < word.length; at++) {
    const postings = postingsOfParts(index, word.slice(0, at), word.slice(at), isWhole);
    for (const name of postings?.filter(isIn) ?? []) names.add(name);
  }
  return names.size === 0 ? undefined : { isWhole, names: [...names], isIn, isSplit: false };
}

/** Makes the compound of two words that form one term: `text`, or a term that begins with it. */
export function splitTerm(text: string, isWhole: boolean, postings: PostingList): Compound {
  const matches = (term: string) => (isWhole ? term === text : term.startsWith(text));
  const bit = initialBit(text);
  const isIn = (name: Name) => (name.initials & bit) !== 0 && name.terms.some(matches);
  return { isWhole, names: [...new Set(postings.filter(isIn))], isIn, isSplit: true };
}

/** Whether the name of a live document contains the compound. */
export function isLiveCompound({ names }: Compound): boolean {
  return names.some(hasLiveDocs);
}

/**
 * Returns postings that include all names with a compound whose last term is, or begins with,
 * `last`. Returns undefined if the letters before it are neither a term nor a compound, or if
 * no term fits the last.
 */
function postingsOfParts(
  index: InvertedIndex,
  first: string,
  last: string,
  isWhole: boolean,
): PostingList | undefined {
  const { terms, compounds } = index;
  const term = terms.get(first);
  // The filter is wrong about some texts, and a short `last` begins thousands of names.
  const isCompound = compounds.mayContain(first) && findCompound(index, first, true) !== undefined;
  if (!term && !isCompound) return undefined;
  const ofLast = isWhole ? terms.get(last)?.postings : terms.withPrefix(last).postings;
  if (!ofLast || !term || isCompound) return ofLast;
  return term.postings.count < ofLast.count ? term.postings : ofLast;
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
