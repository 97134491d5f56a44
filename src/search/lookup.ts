import type { Card, CardSet } from '../domain/card.ts';
import { foldWords } from '../domain/text.ts';
import { lastDigits, NumbersOfSets } from './collector-numbers.ts';
import { DocFacts, type Documents } from './documents.ts';
import { type DocId, initialBit, initialBits, type Name } from './fields.ts';
import type { Filters } from './filters.ts';
import type { InvertedIndex } from './inverted-index.ts';
import type { Facts } from './lexicon/index.ts';
import type { Searched } from './query/evaluate.ts';
import type { Term } from './vocabulary.ts';

/** Finds live cards by exact fields, without ranking. */
export class Lookup {
  readonly #documents: Documents;
  readonly #live: readonly (DocId | undefined)[];
  readonly #filters: Filters;
  readonly #setNumbers: NumbersOfSets;
  readonly #inverted: InvertedIndex;

  readonly #docWithId: Searched['docWithId'];

  /** @param live The live documents by the row id of their card. */
  constructor(searched: Searched, live: readonly (DocId | undefined)[]) {
    this.#documents = searched.documents;
    this.#live = live;
    this.#setNumbers = new NumbersOfSets(searched.documents);
    this.#filters = searched.filters;
    this.#inverted = searched.index;
    this.#docWithId = searched.docWithId;
  }

  /** Returns the card with a public id, or with an external id such as `tcgplayer:85637`. */
  cardWithId(id: string): Card | undefined {
    const doc = this.#docWithId(id);
    return doc === undefined ? undefined : this.#documents.card(doc);
  }

  /**
   * Returns the facts that phrases are compared with. Valid until the next commit.
   * @throws Error if the card is not live.
   */
  factsOf({ id, rowId }: Card): Facts {
    const doc = this.#live[rowId];
    if (doc === undefined) throw new Error(`${id} is not in the index`);
    return new DocFacts(this.#documents, doc);
  }

  /** Returns the cards whose name, name without brackets, or face folds to the same text. */
  named(text: string): Card[] {
    const words = foldWords(text);
    const folded = words.join('');
    const bit = initialBit(folded);
    const names = this.#rarestOf(words)?.postings.filter((name) => {
      return (name.nameInitials & bit) !== 0 && isCalled(name, folded) && hasAll(name, words);
    });
    return names ? this.#cardsOf(names) : [];
  }

  /** Returns the cards of `sets` whose numbers end in the digits of `number`: 25 of `OP01-025`. */
  numberedIn(number: string, sets: readonly CardSet[]): Card[] {
    const digits = lastDigits(number);
    if (digits === null) return [];
    const versions = sets.flatMap((set) => [...this.#filters.versionsOf(set)]);
    return this.#liveCards(versions.flatMap((set) => this.#setNumbers.find(set, digits)));
  }

  /** Whether most cards of a set have this total, folded, without leading zeros: 102 of `4/102`. */
  hasTotal(set: CardSet, total: string): boolean {
    const versions = [...this.#filters.versionsOf(set)];
    return versions.some((version) => this.#setNumbers.hasTotal(version, total));
  }

  /**
   * Returns the cards with a number whose name, name without brackets, or face is in a text.
   *
   * @param form The number as folded words, joined by hyphens.
   * @param total Leaves out numbers with another total, unless it is empty.
   * @param words The folded words of the text.
   */
  numberedWithin(form: string, total: string, words: readonly string[]): Card[] {
    const text = words.join('');
    const typed = initialBits(words);
    const isWithin = ({ initials, terms, shortNames }: Name) => {
      const isWhole = (initials & ~typed) === 0 && terms.every((term) => words.includes(term));
      return isWhole || shortNames.some(({ folded }) => folded !== '' && text.includes(folded));
    };
    const docs = new Set<DocId>();
    for (const number of this.#inverted.findNumbers(form).listed) {
      if (total !== '' && number.total !== total) continue;
      for (const doc of number.docs) if (isWithin(this.#documents.name(doc))) docs.add(doc);
    }
    return this.#liveCards(docs);
  }

  /**
   * Returns the cards with a number, in any set. The parameters are those of
   * {@link numberedWithin}.
   */
  numbered(form: string, total = ''): Card[] {
    const found = this.#inverted.findNumbers(form).listed;
    const numbers = total === '' ? found : found.filter((number) => number.total === total);
    return this.#liveCards(new Set(numbers.flatMap(({ docs }) => docs)));
  }

  #liveCards(docs: Iterable<DocId>): Card[] {
    const live = [...docs].filter((doc) => this.#documents.isLive(doc));
    return live.map((doc) => this.#documents.card(doc));
  }

  /** Returns the term of the rarest word; undefined if a word is in no name. */
  #rarestOf(words: readonly string[]): Term | undefined {
    let rarest: Term | undefined;
    for (const word of words) {
      const term = this.#inverted.terms.get(word);
      if (!term) return undefined;
      if (!rarest || term.postings.count < rarest.postings.count) rarest = term;
    }
    return rarest;
  }

  #cardsOf(names: readonly Name[]): Card[] {
    return names.flatMap(({ docs }) => docs.map((doc) => this.#documents.card(doc)));
  }
}

/** Whether a folded text is a name, the name without brackets, or a face. */
function isCalled(name: Name, folded: string): boolean {
  return name.folded === folded || name.shortNames.some((short) => short.folded === folded);
}

function hasAll({ terms }: Name, words: readonly string[]): boolean {
  return words.every((word) => terms.includes(word));
}
