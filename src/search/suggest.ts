import type { CardTest } from './filters.ts';
import type { Lexicon } from './lexicon.ts';
import type { QueryWord, ReadQuery } from './query.ts';
import type { Name } from './records.ts';
import type { Term } from './vocabulary.ts';

/** At most this many names are compared. */
const MOST_NAMES = 2000;

/** Shorter words tell nothing. */
const SHORTEST = 3;

/** An unknown word may be one edit away for every so many letters, up to a bound. */
const LETTERS_PER_EDIT = 3;
const MOST_EDITS = 3;

/** A name less alike than this is no help (1 is the same letters in pairs, 0 none of them). */
const LEAST_LIKENESS = 0.3;

/** The name nearest to a query that matched nothing, of a card that passes the filter. */
export function suggestName(
  query: ReadQuery,
  lexicon: Lexicon,
  accepts: CardTest | undefined,
): string | undefined {
  const typed = pairsOf(query.phrase.text);
  let nearest: Name | undefined;
  let best = LEAST_LIKENESS;
  for (const name of namesNear(query.words, lexicon)) {
    // Most names have so little of the query that they need no closer look.
    if (mostLikeness(typed, name.key) < best) continue;
    const score = likeness(typed, pairsOf(name.key));
    // Of names equally near, the first in the alphabet: not the one that was added first.
    if (score < best || (score === best && nearest && nearest.rank < name.rank)) continue;
    if (!name.slots.some((slot) => !accepts || accepts(slot))) continue;
    nearest = name;
    best = score;
  }
  return nearest?.text;
}

/** The names that hold a word of the query, or one like it; those with rare words first. */
function namesNear(words: readonly QueryWord[], lexicon: Lexicon): Set<Name> {
  const telling = words.filter(({ text, held }) => held || text.length >= SHORTEST);
  const terms = telling.flatMap(termsOf);
  // Looking far is the dear part, so only the longest unknown word is looked up.
  const [unknown] = telling.filter((word) => termsOf(word).length === 0).sort(longestFirst);
  if (unknown) {
    const edits = Math.min(MOST_EDITS, Math.floor(unknown.text.length / LETTERS_PER_EDIT));
    terms.push(...lexicon.names.spelling.within(edits, unknown.text).map(({ term }) => term));
  }
  const near = new Set<Name>();
  for (const term of terms.sort(rarestFirst)) {
    for (const name of term.names.list()) {
      if (near.size === MOST_NAMES) return near;
      near.add(name);
    }
  }
  return near;
}

/** The words of names that a word of the query is or misspells. */
function termsOf({ spelt, held, corrections }: QueryWord): Term[] {
  return [
    ...spelt.terms,
    ...(held?.terms ?? []),
    ...[...corrections.values()].map(({ term }) => term),
  ];
}

function longestFirst(a: QueryWord, b: QueryWord): number {
  return b.text.length - a.text.length;
}

function rarestFirst(a: Term, b: Term): number {
  return a.names.count - b.names.count || a.rank - b.rank;
}

/** Two neighbouring letters as a number, which is made faster than a text. */
function pairAt(text: string, place: number): number {
  return (text.charCodeAt(place - 1) << 16) | text.charCodeAt(place);
}

/** The pairs of neighbouring letters in a text. */
function pairsOf(text: string): Set<number> {
  const pairs = new Set<number>();
  for (let i = 1; i < text.length; i++) pairs.add(pairAt(text, i));
  return pairs;
}

/** How many pairs of letters two texts share, of all that they have (Dice's coefficient). */
function likeness(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let shared = 0;
  for (const pair of b) if (a.has(pair)) shared++;
  return dice(shared, a.size, b.size);
}

/** The likeness if the text had no other pairs than those that are shared, and none twice. */
function mostLikeness(pairs: ReadonlySet<number>, text: string): number {
  let shared = 0;
  for (let i = 1; i < text.length; i++) if (pairs.has(pairAt(text, i))) shared++;
  return dice(shared, pairs.size, shared);
}

function dice(shared: number, a: number, b: number): number {
  return a + b === 0 ? 0 : (2 * shared) / (a + b);
}
