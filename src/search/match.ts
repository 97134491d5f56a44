import {
  candidates,
  isPrinted,
  namesBeside,
  printedOn,
  type Rarest,
  rarestWord,
} from './candidates.ts';
import type { DocId, Documents } from './cards.ts';
import type { CardTest } from './filters.ts';
import type { QueryWord, ReadQuery } from './query.ts';
import type { Name } from './records.ts';
import { type PrintMatch, printMatch, relevance, type WordMatch } from './relevance.ts';
import { RankBucket } from './tier.ts';

/** Counts the searches, so that each name is looked at once in a search. */
let searches = 0;

/**
 * Finds the cards that every word matches, most relevant first. The word with the fewest names
 * proposes candidates, the others are checked on each.
 */
export function findMatches(
  query: ReadQuery,
  cards: Documents,
  accepts: CardTest | undefined,
): RankBucket[] {
  const rarest = rarestWord(query.words);
  if (!rarest) return [];
  const { word } = rarest;
  const matching = new Matching(query, cards, accepts, rarest);
  const search = ++searches;
  for (const { match, names } of candidates(word, search)) {
    for (const name of names) matching.collect(name, name.slots, match);
  }
  for (const slot of printedOn(word, cards)) {
    const name = cards.name(slot);
    if (!cards.isLive(slot) || name.seen === search) continue;
    matching.collect(name, [slot], undefined);
  }
  return matching.tiers;
}

const NOTHING: readonly DocId[] = [];

class Matching {
  readonly #query: ReadQuery;
  readonly #cards: Documents;
  readonly #accepts: CardTest | undefined;
  readonly #proposer: QueryWord;
  readonly #printedBeside: ReadonlySet<Name> | undefined;
  /** How each word matches the name that is being looked at. */
  readonly #byName: (WordMatch | undefined)[];
  /** By relevance; those that nothing is in are missing. */
  readonly #tiers: RankBucket[] = [];

  constructor(
    query: ReadQuery,
    cards: Documents,
    accepts: CardTest | undefined,
    { word, count }: Rarest,
  ) {
    this.#query = query;
    this.#cards = cards;
    this.#accepts = accepts;
    this.#proposer = word;
    this.#printedBeside = namesBeside(query.words, cards, count);
    this.#byName = query.words.map(() => undefined);
  }

  get tiers(): RankBucket[] {
    return this.#tiers.filter(() => true);
  }

  /** Puts those cards of a name, which the proposing word matches like this, into their tiers. */
  collect(name: Name, slots: readonly DocId[], match: WordMatch | undefined): void {
    const mayBePrinted = this.#printedBeside?.has(name) ?? true;
    if (!this.#matchNames(name, match, mayBePrinted)) return;
    const accepted = this.#acceptedOf(slots);
    if (accepted.length === 0) return;
    if (mayBePrinted) this.#collectPrinted(name, accepted);
    else this.#tier(relevance(this.#query, name, this.#byName)).add(accepted);
  }

  /** Those cards of a name that pass the filters: mostly all or none, which needs no new list. */
  #acceptedOf(slots: readonly DocId[]): readonly DocId[] {
    const accepts = this.#accepts;
    if (!accepts || slots.every(accepts)) return slots;
    return slots.some(accepts) ? slots.filter(accepts) : NOTHING;
  }

  /** Notes how each word matches a name; false when one does not, nor can it be printed. */
  #matchNames(name: Name, match: WordMatch | undefined, mayBePrinted: boolean): boolean {
    const { words } = this.#query;
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as QueryWord;
      const found = word === this.#proposer ? match : matchName(word, name);
      if (!found && !(mayBePrinted && isPrinted(word))) return false;
      this.#byName[i] = found;
    }
    return true;
  }

  /** Collects those cards of a name on which the words that are not in the name are printed. */
  #collectPrinted(name: Name, slots: readonly DocId[]): void {
    for (const slot of slots) {
      const byPrint = this.#matchPrint(slot);
      if (byPrint) this.#tier(relevance(this.#query, name, this.#byName, byPrint)).addOne(slot);
    }
  }

  /** How each word matches what is printed on a card; undefined when one matches nothing at all. */
  #matchPrint(slot: DocId): (PrintMatch | undefined)[] | undefined {
    const number = this.#cards.number(slot);
    const set = this.#cards.set(slot);
    const byPrint: (PrintMatch | undefined)[] = [];
    for (const word of this.#query.words) {
      const match = printMatch(word, number, set);
      if (!match && !this.#byName[byPrint.length]) return undefined;
      byPrint.push(match);
    }
    return byPrint;
  }

  #tier(relevance: number): RankBucket {
    const tier = this.#tiers[relevance] ?? new RankBucket();
    this.#tiers[relevance] = tier;
    return tier;
  }
}

/** How a word matches a name: as a whole, in part, or as a misspelling of one of its words. */
function matchName(word: QueryWord, name: Name): WordMatch | undefined {
  const { text } = word;
  const match = mayHold(name, word) ? matchSpelt(word, name) : undefined;
  if (match) return match;
  const run = word.runs.find(({ isIn }) => isIn(name));
  if (run) return { text, whole: run.whole, edits: 0 };
  return word.corrections.size > 0 ? matchMisspelt(word, name) : undefined;
}

/** Whether a name may have a word or what begins with it; in Japanese any word may hold it. */
function mayHold({ initials }: Name, { spelt, held, initial }: QueryWord): boolean {
  return held !== undefined || (spelt.terms.length > 0 && (initials & initial) !== 0);
}

function matchSpelt({ text, held }: QueryWord, { words }: Name): WordMatch | undefined {
  let inPart = false;
  for (const other of words) {
    const begins = other.startsWith(text);
    if (begins && other.length === text.length) return { text, whole: true, edits: 0 };
    inPart ||= begins || (held !== undefined && other.includes(text));
  }
  return inPart ? { text, whole: false, edits: 0 } : undefined;
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
