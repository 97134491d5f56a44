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
 * term may be unfinished. `known` contains the whole compounds with which other words of the query
 * begin.
 */
export function findCompound(
  index: InvertedIndex,
  word: string,
  isWhole: boolean,
  known: KnownCompounds = new Map(),
): Compound | undefined {
  if (word.length > LONGEST_COMPOUND) return undefined;
  if (isWhole && !index.compounds.mayContain(word)) return undefined;
  const found = isWhole ? known.get(word) : undefined;
  if (found) return found;
  const compound = proveCompound(index, word, isWhole, known);
  if (isWhole && compound) known.set(word, compound);
  return compound;
}

/** Whole compounds by their word. Those of thousands of names take long to find. */
export type KnownCompounds = Map<string, Compound>;

function proveCompound(
  index: InvertedIndex,
  word: string,
  isWhole: boolean,
  known: KnownCompounds,
): Compound | undefined {
  const bit = initialBit(word);
  const isIn = (name: Name) => (name.initials & bit) !== 0 && hasCompound(name, word, isWhole);
  const names = new Set<Name>();
  for (let at = 1; at < word.length; at++) {
    const parts: Parts = { first: word.slice(0, at), last: word.slice(at), isWhole };
    for (const candidates of namesOfParts(index, parts, known)) {
      for (const name of candidates.filter(isIn)) names.add(name);
    }
  }
  return names.size === 0 ? undefined : { isWhole, names: [...names], isIn, isSplit: false };
}

/** Makes the compound of two words that form one term: `text`, or a term that begins with it. */
export function splitTerm(text: string, isWhole: boolean, postings: PostingList): Compound {
  const bit = initialBit(text);
  const isIn = (name: Name) => (name.initials & bit) !== 0 && hasTerm(name, text, isWhole);
  return { isWhole, names: postings.toNames(), isIn, isSplit: true };
}

function hasTerm({ terms }: Name, text: string, isWhole: boolean): boolean {
  if (isWhole) return terms.includes(text);
  for (const term of terms) if (term.startsWith(text)) return true;
  return false;
}

/** Whether the name of a live document contains the compound. */
export function isLiveCompound({ names }: Compound): boolean {
  return names.some(hasLiveDocs);
}

/** A word in two parts. */
interface Parts {
  readonly first: string;
  readonly last: string;
  /** Whether the last part is a whole term. If not, a term begins with it. */
  readonly isWhole: boolean;
}

/** Names that can be filtered. */
interface Candidates {
  filter(test: (name: Name) => boolean): Name[];
}

/**
 * Returns lists that include all names with a compound whose last term is, or begins with, `last`,
 * and in which the letters before it are a term or a compound. There are none if these letters are
 * neither, or if no term fits `last`.
 */
function namesOfParts(
  index: InvertedIndex,
  { first, last, isWhole }: Parts,
  known: KnownCompounds,
): readonly Candidates[] {
  const ofLast = isWhole ? index.terms.get(last)?.postings : index.terms.withPrefix(last).postings;
  if (!ofLast || ofLast.count === 0) return [];
  const ofTerm = index.terms.get(first)?.postings;
  const ofCompound = findCompound(index, first, true, known)?.names;
  const count = (ofTerm?.count ?? 0) + (ofCompound?.length ?? 0);
  // A short `last` begins thousands of names.
  if (count >= ofLast.count) return [ofLast];
  return [ofTerm, ofCompound].filter((names) => names !== undefined);
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
