import type { DocId, Documents } from './cards.ts';
import type { QueryWord } from './query.ts';
import type { Name } from './records.ts';
import type { WordMatch } from './relevance.ts';
import { hasCards } from './vocabulary.ts';

/** The word of a query that stands for the fewest names and cards, and how many they are. */
export interface Rarest {
  readonly word: QueryWord;
  readonly count: number;
}

/** Finds the rarest word; undefined when there is none at all. */
export function rarestWord(words: readonly QueryWord[]): Rarest | undefined {
  let rarest: Rarest | undefined;
  const counted = words.map((word) => ({ word, least: leastCount(word) }));
  for (const { word, least } of counted.sort((a, b) => a.least - b.least)) {
    // To count the cards of all numbers takes long, and of the words to come none can be rarer.
    if (rarest && least >= rarest.count) break;
    const { listed, cardCount } = word.numbers;
    const count = least - listed.length + cardCount;
    if (!rarest || count < rarest.count) rarest = { word, count };
  }
  return rarest;
}

/** How many names and cards a word has at least: as if no two cards had the same number. */
function leastCount({ spelt, held, runs, corrections, numbers, coded }: QueryWord): number {
  let count = spelt.names.count + numbers.listed.length + coded.length;
  if (held) count += held.names.count;
  for (const { names } of runs) count += names.length;
  for (const { term } of corrections.values()) count += term.names.count;
  return count;
}

/** Names that a word matches alike. */
interface Candidates {
  readonly match: WordMatch;
  readonly names: readonly Name[];
}

/**
 * How many names a step of a search looks at before the next step begins.
 *
 * They lie all over memory, and a search that matches thousands mostly waits for them. The waits
 * of a short loop overlap; when all steps are done for one name before the next, they add up,
 * which takes two or three times as long.
 */
const TOGETHER = 256;

/**
 * The visible names that a word matches, each once, {@link TOGETHER} at a time. `search` is the
 * number of the search.
 */
export function* candidates(word: QueryWord, search: number): Iterable<Candidates> {
  for (const { match, names } of matchedNames(word)) {
    for (let from = 0; from < names.length; from += TOGETHER) {
      yield { match, names: takeUnseen(names.slice(from, from + TOGETHER), search) };
    }
  }
}

/** All names that a word matches; a name that comes again comes with no better match. */
function* matchedNames(word: QueryWord): Iterable<Candidates> {
  const { text, spelt, held, runs, corrections } = word;
  const part = { text, whole: false, edits: 0 };
  const [first] = spelt.terms;
  if (first?.text === text) yield { match: { ...part, whole: true }, names: first.names.list() };
  yield { match: part, names: spelt.names.list() };
  if (held) yield { match: part, names: held.names.list() };
  for (const { whole, names, isIn } of runs) {
    yield { match: { text, whole, edits: 0 }, names: names.filter(isIn) };
  }
  for (const { term, edits } of corrections.values()) {
    yield { match: { text: term.text, whole: true, edits }, names: term.names.list() };
  }
}

function takeUnseen(names: readonly Name[], search: number): Name[] {
  const unseen: Name[] = [];
  for (const name of names) {
    if (name.seen === search || !hasCards(name)) continue;
    name.seen = search;
    unseen.push(name);
  }
  return unseen;
}

/** Whether a word is the number or code of any card. */
export function isPrinted({ numbers, coded }: QueryWord): boolean {
  return numbers.listed.length > 0 || coded.length > 0;
}

/** The cards that bear a word as their number or code. */
export function* printedOn({ numbers, coded }: QueryWord, cards: Documents): Iterable<DocId> {
  for (const { slots } of numbers.distinct) yield* slots;
  for (const slot of coded) if (!numbers.has(cards.number(slot))) yield slot;
}

/**
 * The names of the cards on which any of the words is printed; undefined when these are more
 * than so many, and it is quicker to look at the cards of each candidate.
 */
export function namesBeside(
  words: readonly QueryWord[],
  cards: Documents,
  most: number,
): Set<Name> | undefined {
  let count = 0;
  for (const { numbers, coded } of words) count += numbers.listed.length + coded.length;
  if (count > most) return undefined;
  const names = new Set<Name>();
  count = 0;
  for (const word of words) {
    for (const slot of printedOn(word, cards)) {
      count++;
      if (count > most) return undefined;
      names.add(cards.name(slot));
    }
  }
  return names;
}
