import type { Entry, Name } from './entries.ts';
import { printedOn, type QueryWord, type ReadQuery } from './query.ts';
import { matchPrint, type PrintMatch, relevance, type WordMatch } from './relevance.ts';

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
    const byName = new NameMatches(this.#query.words, name, known);
    const mayBePrinted = this.#mayBePrinted(name);
    if (!mayBePrinted && !byName.isWhole()) return;
    for (const entry of entries) {
      if (this.#accepts && !this.#accepts(entry)) continue;
      this.#put(entry, mayBePrinted ? this.#relevanceOf(entry, byName) : byName.alone(this.#query));
    }
  }

  /** The relevance of a card; undefined as soon as a word is neither in its name nor beside it. */
  #relevanceOf(entry: Entry, byName: NameMatches): number | undefined {
    const { words } = this.#query;
    let byPrint: (PrintMatch | undefined)[] | undefined;
    for (const [place, word] of words.entries()) {
      const printed = matchPrint(word, entry);
      if (printed) {
        byPrint ??= new Array(words.length).fill(undefined);
        byPrint[place] = printed;
      } else if (!byName.of(place)) return undefined;
    }
    if (!byPrint) return byName.alone(this.#query);
    return relevance(this.#query, entry.name, byName.all(), byPrint);
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

/** How each word of a query matches one name, found out when it is asked for. */
class NameMatches {
  readonly #words: readonly QueryWord[];
  readonly #name: Name;
  readonly #known: KnownMatch;
  readonly #matches: (WordMatch | undefined)[] = [];
  #alone: number | undefined;

  constructor(words: readonly QueryWord[], name: Name, known: KnownMatch) {
    this.#words = words;
    this.#name = name;
    this.#known = known;
  }

  /** How the word at a place matches. */
  of(place: number): WordMatch | undefined {
    if (!(place in this.#matches)) this.#matches[place] = this.#find(place);
    return this.#matches[place];
  }

  all(): readonly (WordMatch | undefined)[] {
    for (const place of this.#words.keys()) this.of(place);
    return this.#matches;
  }

  /** Whether every word matches. */
  isWhole(): boolean {
    return this.#words.every((_, place) => this.of(place) !== undefined);
  }

  /** The relevance of a card on which nothing of the query is printed; each word must match. */
  alone(query: ReadQuery): number | undefined {
    this.#alone ??= relevance(query, this.#name, this.all());
    return this.#alone;
  }

  #find(place: number): WordMatch | undefined {
    const word = this.#words[place];
    if (!word || word === this.#known.word) return this.#known.match;
    return matchName(word, this.#name);
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
