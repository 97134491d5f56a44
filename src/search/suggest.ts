import type { Name } from './fields.ts';
import type { DocFilter } from './filters.ts';
import type { InvertedIndex } from './inverted-index.ts';
import type { QueryTerm, Sentence } from './sentence.ts';
import type { Term } from './vocabulary.ts';

/** At most this many names are compared. */
const MAX_NAMES = 2000;

/** Shorter terms are in too many names, unless they are Japanese. */
const MIN_LENGTH = 3;

/** An unknown term may be one edit away for every three letters, up to a maximum. */
const LETTERS_PER_EDIT = 3;
const MAX_EDITS = 3;

/** Names less similar than this are not suggested (1: the same bigrams, 0: none in common). */
const MIN_SIMILARITY = 0.3;

/** Returns the name most similar to a query, among the cards that pass the filter. */
export function suggestName(
  query: Sentence,
  index: InvertedIndex,
  filter: DocFilter | undefined,
): string | undefined {
  const typed = bigramsOf(query.phrase.text);
  let nearest: Name | undefined;
  let best = MIN_SIMILARITY;
  for (const name of namesNear(query.terms, index)) {
    // Most names share too few bigrams with the query for a full comparison.
    if (maxSimilarity(typed, name.folded) < best) continue;
    const score = similarity(typed, bigramsOf(name.folded));
    // The alphabet breaks ties, so the order of additions does not matter.
    if (score < best || (score === best && nearest && nearest.ordinal < name.ordinal)) continue;
    if (!name.docs.some((doc) => !filter || filter(doc))) continue;
    nearest = name;
    best = score;
  }
  return nearest?.text;
}

/** Returns the names with a term of the query or a similar one, rare terms first. */
function namesNear(queryTerms: readonly QueryTerm[], index: InvertedIndex): Set<Name> {
  const longEnough = queryTerms.filter(({ text, infix }) => infix || text.length >= MIN_LENGTH);
  const terms = longEnough.flatMap(termsOf);
  // Only the longest unknown term, because lookups with many edits are slow.
  const [unknown] = longEnough.filter((term) => termsOf(term).length === 0).sort(longestFirst);
  if (unknown) {
    const edits = Math.min(MAX_EDITS, Math.floor(unknown.text.length / LETTERS_PER_EDIT));
    terms.push(...index.spelling.within(edits, unknown.text).map(({ term }) => term));
  }
  const near = new Set<Name>();
  for (const term of terms.sort(rarestFirst)) {
    for (const nameId of term.postings.nameIds) {
      if (near.size === MAX_NAMES) return near;
      near.add(index.nameAt(nameId));
    }
  }
  return near;
}

/** Returns the terms of names that a term of the query is, begins, is part of or misspells. */
function termsOf({ prefix, infix, corrections }: QueryTerm): Term[] {
  return [
    ...prefix.toArray(),
    ...(infix?.toArray() ?? []),
    ...[...corrections.values()].map(({ term }) => term),
  ];
}

function longestFirst(a: QueryTerm, b: QueryTerm): number {
  return b.text.length - a.text.length;
}

function rarestFirst(a: Term, b: Term): number {
  return a.postings.count - b.postings.count || a.ordinal - b.ordinal;
}

/** Two adjacent letters as one number, which is made faster than a string. */
function bigramAt(text: string, place: number): number {
  return (text.charCodeAt(place - 1) << 16) | text.charCodeAt(place);
}

/** The bigrams (n-grams of two letters) of a text. */
function bigramsOf(text: string): Set<number> {
  const bigrams = new Set<number>();
  for (let i = 1; i < text.length; i++) bigrams.add(bigramAt(text, i));
  return bigrams;
}

/** Returns the share of bigrams that two texts have in common (Dice's coefficient). */
function similarity(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let shared = 0;
  for (const bigram of b) if (a.has(bigram)) shared++;
  return dice(shared, a.size, b.size);
}

/** Returns an upper bound of the similarity. Counts repeated bigrams, and only shared ones. */
function maxSimilarity(bigrams: ReadonlySet<number>, text: string): number {
  let shared = 0;
  for (let i = 1; i < text.length; i++) if (bigrams.has(bigramAt(text, i))) shared++;
  return dice(shared, bigrams.size, shared);
}

function dice(shared: number, a: number, b: number): number {
  return a + b === 0 ? 0 : (2 * shared) / (a + b);
}
