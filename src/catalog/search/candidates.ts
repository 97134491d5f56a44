import type { Entry, Name } from './entries.ts';
import { countNames, type NameSpan, spanOf } from './names-by-word.ts';
import type { QueryWord } from './query.ts';
import type { WordMatch } from './relevance.ts';
import { TOGETHER } from './together.ts';
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
  let count = countNames(spelt.names) + numbers.listed.length + coded.length;
  if (held) count += countNames(held.names);
  for (const { names } of runs) count += names.length;
  for (const { term } of corrections.values()) count += term.names.length;
  return count;
}

/** Names that a word matches alike. */
interface Candidates {
  readonly match: WordMatch;
  readonly names: readonly Name[];
}

/**
 * The visible names that a word matches, each once, {@link TOGETHER} at a time. `search` is the
 * number of the search.
 */
export function* candidates(word: QueryWord, search: number): Iterable<Candidates> {
  for (const { match, list, from, to } of spansOf(word)) {
    for (let start = from; start < to; start += TOGETHER) {
      const names = takeUnseen(list, start, Math.min(to, start + TOGETHER), search);
      yield { match, names };
    }
  }
}

interface MatchedSpan extends NameSpan {
  readonly match: WordMatch;
}

/** The names that a word matches; a name that comes again comes with no better match. */
function* spansOf({ text, spelt, held, runs, corrections }: QueryWord): Iterable<MatchedSpan> {
  for (const { names, longer } of held ? [spelt, held] : [spelt]) {
    yield { match: { text, whole: true, edits: 0 }, ...names, to: longer };
    yield { match: { text, whole: false, edits: 0 }, ...names, from: longer };
  }
  for (const { whole, names, isIn } of runs) {
    yield { match: { text, whole, edits: 0 }, ...spanOf(names.filter(isIn)) };
  }
  for (const { term, edits } of corrections.values()) {
    yield { match: { text: term.text, whole: true, edits }, ...spanOf(term.names) };
  }
}

function takeUnseen(list: readonly Name[], from: number, to: number, search: number): Name[] {
  const unseen: Name[] = [];
  for (let i = from; i < to; i++) {
    const name = list[i] as Name;
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
export function* printedOn({ numbers, coded }: QueryWord): Iterable<Entry> {
  for (const { entries } of numbers.distinct) yield* entries;
  for (const entry of coded) if (!numbers.has(entry.number)) yield entry;
}

/**
 * The names of the cards on which any of the words is printed; undefined when these are more
 * than so many, and it is quicker to look at the cards of each candidate.
 */
export function namesBeside(words: readonly QueryWord[], most: number): Set<Name> | undefined {
  let count = 0;
  for (const { numbers, coded } of words) count += numbers.listed.length + coded.length;
  if (count > most) return undefined;
  const names = new Set<Name>();
  count = 0;
  for (const word of words) {
    for (const { name } of printedOn(word)) {
      count++;
      if (count > most) return undefined;
      names.add(name);
    }
  }
  return names;
}
