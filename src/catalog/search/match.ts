import type { Entry, Name } from './entries.ts';
import { printedOn, type QueryWord, type ReadQuery } from './query.ts';
import { matchPrint, relevance, type WordMatch } from './relevance.ts';

/** The cards that a query matches, most relevant first: one list for each relevance. */
export type Tiers = Entry[][];

/** What a filter lets through. */
export type CardTest = (entry: Entry) => boolean;

/** Counts the searches, so that each name is looked at once in a search. */
let searches = 0;

/**
 * Finds the cards that every word matches. The word with the fewest names proposes candidates,
 * the others are checked on each.
 */
export function findMatches(query: ReadQuery, accepts: CardTest | undefined): Tiers {
  const matching = new Matching(query, accepts);
  const rarest = rarestWord(query.words);
  if (!rarest) return matching.tiers;
  const search = ++searches;
  for (const { match, names } of candidates(rarest)) {
    for (const name of names) {
      if (name.seen === search) continue;
      name.seen = search;
      matching.collect(name, name.entries, { word: rarest, match });
    }
  }
  for (const entry of printedOn(rarest)) {
    if (!entry.live || entry.name.seen === search) continue;
    matching.collect(entry.name, [entry], { word: rarest, match: undefined });
  }
  return matching.tiers;
}

/** How one word matches a name, which need not be found out again. */
interface KnownMatch {
  readonly word: QueryWord;
  readonly match: WordMatch | undefined;
}

class Matching {
  readonly tiers: Tiers = [];
  readonly #query: ReadQuery;
  readonly #accepts: CardTest | undefined;

  constructor(query: ReadQuery, accepts: CardTest | undefined) {
    this.#query = query;
    this.#accepts = accepts;
  }

  /** Puts those cards of a name that match into their tiers. */
  collect(name: Name, entries: readonly Entry[], known: KnownMatch): void {
    const byName = this.#matchNames(name, known);
    if (!byName) return;
    const byNameAlone = relevance(this.#query, name, byName);
    const mayBePrinted = this.#mayBePrinted(name);
    for (const entry of entries) {
      if (this.#accepts && !this.#accepts(entry)) continue;
      const byPrint = mayBePrinted ? matchPrint(this.#query.words, entry) : undefined;
      this.#put(entry, byPrint ? relevance(this.#query, name, byName, byPrint) : byNameAlone);
    }
  }

  /**
   * How each word matches a name; undefined when one does not, and nothing of the query is
   * printed on the cards either.
   */
  #matchNames(name: Name, known: KnownMatch): (WordMatch | undefined)[] | undefined {
    const matches: (WordMatch | undefined)[] = [];
    for (const word of this.#query.words) {
      const match = word === known.word ? known.match : matchName(word, name);
      if (!match && !this.#mayBePrinted(name)) return undefined;
      matches.push(match);
    }
    return matches;
  }

  #mayBePrinted(name: Name): boolean {
    return this.#query.printedBeside?.has(name) ?? true;
  }

  #put(entry: Entry, tier: number | undefined): void {
    if (tier === undefined) return;
    const group = this.tiers[tier];
    if (group) group.push(entry);
    else this.tiers[tier] = [entry];
  }
}

function rarestWord(words: readonly QueryWord[]): QueryWord | undefined {
  let rarest: QueryWord | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const word of words) {
    let size = word.runs.size + word.coded.length;
    for (const number of word.numbers) size += number.entries.length;
    for (const term of word.spelt) size += term.names.length;
    for (const { term } of word.corrections.values()) size += term.names.length;
    if (size >= fewest) continue;
    fewest = size;
    rarest = word;
  }
  return rarest;
}

/** The names that a word matches, with how; a name that comes again comes with no better match. */
function* candidates(word: QueryWord): Iterable<{ match: WordMatch; names: Iterable<Name> }> {
  const { text } = word;
  for (const term of word.spelt) {
    yield { match: { text, whole: term.text === text, edits: 0 }, names: term.names };
  }
  for (const [name, run] of word.runs) {
    yield { match: { text, whole: run === 'whole', edits: 0 }, names: [name] };
  }
  for (const { term, edits } of word.corrections.values()) {
    yield { match: { text: term.text, whole: true, edits }, names: term.names };
  }
}

/** How a word matches a name: as a whole, in part, or as a misspelling of one of its words. */
function matchName(word: QueryWord, name: Name): WordMatch | undefined {
  const { text, japanese } = word;
  let inPart = false;
  for (const other of name.words) {
    if (other === text) return { text, whole: true, edits: 0 };
    inPart ||= other.startsWith(text) || (japanese && other.includes(text));
  }
  if (inPart) return { text, whole: false, edits: 0 };
  const run = word.runs.get(name);
  if (run) return { text, whole: run === 'whole', edits: 0 };
  return word.corrections.size > 0 ? matchMisspelt(word, name) : undefined;
}

function matchMisspelt(word: QueryWord, name: Name): WordMatch | undefined {
  let nearest: WordMatch | undefined;
  for (const other of name.words) {
    const edits = word.corrections.get(other)?.edits;
    if (edits === undefined || (nearest && nearest.edits <= edits)) continue;
    nearest = { text: other, whole: true, edits };
  }
  return nearest;
}
