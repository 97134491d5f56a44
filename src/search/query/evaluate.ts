import { type Card, defaultPrinting, isPriced } from '../../domain/card.ts';
import type { Day } from '../../domain/day.ts';
import { type ChangeWindow, percentBetween } from '../../domain/price-changes.ts';
import { areStale } from '../../domain/staleness.ts';
import { foldText, foldWords } from '../../domain/text.ts';
import { lastDigits } from '../collector-numbers.ts';
import { DocFacts, type Documents } from '../documents.ts';
import type { DocId, IndexedSet, Name } from '../fields.ts';
import type { DocFilter, Filters } from '../filters.ts';
import type { InvertedIndex } from '../inverted-index.ts';
import { RARITY_RANKS } from './names.ts';
import { compare, type NumberTest, type TextTest, type Tree } from './tree.ts';
import {
  findNames,
  gamesOf,
  hasSequence,
  isCalled,
  isOnlyOfNames,
  languageOf,
  meaningsOf,
  setsOf,
} from './values.ts';

export interface Searched {
  readonly documents: Documents;
  readonly index: InvertedIndex;
  readonly filters: Filters;
  /** Returns the live document of a card by an id such as `tcgplayer:85637`. */
  docWithId(id: string): DocId | undefined;
}

/** Turns conditions into tests of documents. */
export class Evaluator {
  readonly #searched: Searched;
  readonly #today: Day;

  /** @param today The day (UTC) that decides whether prices are stale. */
  constructor(searched: Searched, today: Day) {
    this.#searched = searched;
    this.#today = today;
  }

  /** Returns a test that documents pass if the condition is true for them. */
  compile(tree: Tree): DocFilter {
    if (tree.kind === 'words') return this.#mentions(tree.words.split(' '));
    if (tree.kind === 'text') return this.#compileText(tree);
    if (tree.kind === 'number') return this.#compileNumber(tree);
    if (tree.kind === 'not') return inverse(this.compile(tree.of));
    const tests = tree.of
      .toSorted((a, b) => costOf(a) - costOf(b))
      .map((part) => this.compile(part));
    return tree.kind === 'any' ? anyOf(tests) : inverse(anyOf(tests.map(inverse)));
  }

  /** Yields live documents, among them all that satisfy a condition. */
  *candidates(tree: Tree | undefined): Iterable<DocId> {
    const { documents } = this.#searched;
    const few = tree && this.#fewDocs(tree);
    if (few) {
      for (const doc of few) if (documents.isLive(doc)) yield doc;
      return;
    }
    for (let doc = 0 as DocId; doc < documents.count; doc++) {
      if (documents.isLive(doc)) yield doc;
    }
  }

  /** Returns the documents of an id or a set, if a condition demands one. */
  #fewDocs(tree: Tree): Iterable<DocId> | undefined {
    if (tree.kind === 'all') {
      for (const part of tree.of) {
        const few = this.#fewDocs(part);
        if (few) return few;
      }
    }
    if (tree.kind !== 'text' || tree.operator === '!=') return undefined;
    if (tree.field === 'id') return [this.#searched.docWithId(tree.value) ?? []].flat();
    if (tree.field !== 'set') return undefined;
    const sets = setsOf(tree.value, tree.operator === '=', this.#searched);
    const { documents } = this.#searched;
    return [...sets].flatMap((set) => set.docs.filter((doc) => documents.set(doc) === set));
  }

  #compileText({ field, operator, value }: TextTest): DocFilter {
    const { documents } = this.#searched;
    const isWhole = operator === '=';
    switch (field) {
      case 'name':
        return isWhole ? this.#isCalled(value) : this.#hasInName(foldWords(value));
      case 'set':
        return isOf(setsOf(value, isWhole, this.#searched), (doc) => documents.set(doc));
      case 'code':
        return isOf(new Set([foldText(value)]), (doc) => documents.set(doc).code);
      case 'rarity':
        return this.#hasRarity(value, isWhole);
      case 'number':
        return this.#hasNumber(value);
      case 'game':
        return isOf(gamesOf(value), (doc) => documents.set(doc).game);
      case 'printing':
        return this.#hasPrinting(value, operator !== '!=');
      case 'lang':
        return this.#isInLanguage(value);
      case 'is':
        return this.#isSo(value);
      case 'id': {
        const wanted = this.#searched.docWithId(value);
        return (doc) => doc === wanted;
      }
    }
  }

  /** Tests whether words are next to each other in a name, a set's name, a rarity or a number. */
  #mentions(words: readonly string[]): DocFilter {
    const inName = this.#hasInName(words);
    if (isOnlyOfNames(words)) return inName;
    const { documents } = this.#searched;
    const folded = words.join('');
    return anyOf([
      inName,
      isOf(this.#setsWith(words), (doc) => documents.set(doc)),
      this.#searched.filters.hasRarity(folded) ? (doc) => documents.rarity(doc) === folded : NEVER,
      /\d/.test(folded) ? this.#hasNumber(words.join(' ')) : NEVER,
      this.#fits(meaningsOf(words)),
    ]);
  }

  #setsWith(words: readonly string[]): ReadonlySet<IndexedSet> {
    const { setWords } = this.#searched.index;
    const known = setWords.get(words[0] ?? '')?.sets ?? [];
    const code = words.length === 1 ? words[0] : undefined;
    return new Set(known.filter((set) => set.code === code || hasSequence(set.terms, words)));
  }

  #hasInName(words: readonly string[]): DocFilter {
    return this.#isNamed(findNames(this.#searched.index, words));
  }

  #isCalled(value: string): DocFilter {
    const folded = foldText(value);
    const named = findNames(this.#searched.index, foldWords(value));
    const names = named.filter((name) => isCalled(name, folded));
    return this.#isNamed(names);
  }

  #isNamed(names: readonly Name[]): DocFilter {
    if (names.length === 0) return NEVER;
    const { documents, index } = this.#searched;
    const isWanted = new Uint8Array(index.nameCount);
    for (const { nameId } of names) isWanted[nameId] = 1;
    return (doc) => isWanted[documents.name(doc).nameId] === 1;
  }

  #hasRarity(value: string, isWhole: boolean): DocFilter {
    const { documents } = this.#searched;
    const folded = foldText(value);
    const meanings = isWhole ? [] : meaningsOf(foldWords(value), ['rarity']);
    const fits = this.#fits(meanings);
    return (doc) => documents.rarity(doc) === folded || fits(doc);
  }

  /** Tests for a number, in any form in which it may be typed; a total must be the card's. */
  #hasNumber(value: string): DocFilter {
    const { documents, index } = this.#searched;
    const [before = '', after] = value.split('/');
    const found = index.findNumbers(foldWords(before).join('-'));
    if (found.listed.length === 0) return NEVER;
    const total = after === undefined ? undefined : foldWords(after).join('').replace(/^0+/, '');
    return (doc) => {
      const number = documents.number(doc);
      return found.has(number) && (total === undefined || number.total === total);
    };
  }

  /** Tests whether a printing fits a name, or whether one does not. */
  #hasPrinting(value: string, wanted: boolean): DocFilter {
    const { documents } = this.#searched;
    const words = foldWords(value);
    const tests = meaningsOf(words, ['printing']).flatMap(({ fitsPrinting }) => fitsPrinting ?? []);
    const fits = (name: string) => {
      return tests.some((test) => test(name)) || hasSequence(foldWords(name), words);
    };
    return (doc) => documents.card(doc).printings.some(({ name }) => fits(name) === wanted);
  }

  #isInLanguage(value: string): DocFilter {
    const language = languageOf(value);
    const { documents } = this.#searched;
    return (doc) => {
      const isJapanese = documents.set(doc).game === 'pokemonjp';
      return language === (isJapanese ? 'Japanese' : 'English');
    };
  }

  #isSo(value: string): DocFilter {
    const { documents } = this.#searched;
    const state = STATES[foldText(value)];
    if (state) return (doc) => state(documents.card(doc), this.#today);
    return this.#fits(meaningsOf(foldWords(value), ['rarity', 'printing', 'treatment']));
  }

  #fits(meanings: ReturnType<typeof meaningsOf>): DocFilter {
    const facts = new DocFacts(this.#searched.documents, 0 as DocId);
    const tests = meanings.flatMap(({ fits }) => fits ?? []);
    if (tests.length === 0) return NEVER;
    return (doc) => {
      facts.doc = doc;
      return tests.some((test) => test(facts));
    };
  }

  #compileNumber({ field, operator, value }: NumberTest): DocFilter {
    const { documents } = this.#searched;
    const read = this.#numberOf(field);
    return (doc) => {
      const number = read(documents, doc);
      return number !== null && compare(number, operator, value);
    };
  }

  #numberOf(field: NumberTest['field']): (documents: Documents, doc: DocId) => number | null {
    if (field === 'price') return (documents, doc) => documents.price(doc);
    if (field === 'year') return (documents, doc) => documents.set(doc).releaseYear;
    if (field === 'date') return (documents, doc) => documents.set(doc).releaseDay;
    if (field === 'number') return (documents, doc) => digitsOf(documents.number(doc).text);
    if (field === 'rarity') return (documents, doc) => rankOf(documents.rarity(doc));
    const window = field.slice('change'.length) as ChangeWindow;
    return (documents, doc) => changeOf(documents.card(doc), window);
  }
}

/** Orders tests by the time that they take, so that few cards get to the slow ones. */
function costOf(tree: Tree): number {
  if (tree.kind === 'number') return tree.field.startsWith('change') ? 2 : 0;
  if (tree.kind === 'text')
    return ['set', 'code', 'game', 'id', 'name'].includes(tree.field) ? 0 : 2;
  if (tree.kind === 'words') return 1;
  return tree.kind === 'not' ? costOf(tree.of) : Math.max(...tree.of.map(costOf));
}

/** These are left out of others, because many conditions may be tested for every card. */
const NEVER: DocFilter = () => false;
const ALWAYS: DocFilter = () => true;

function inverse(test: DocFilter): DocFilter {
  if (test === NEVER) return ALWAYS;
  return test === ALWAYS ? NEVER : (doc) => !test(doc);
}

function anyOf(all: readonly DocFilter[]): DocFilter {
  const tests = all.filter((test) => test !== NEVER);
  if (tests.includes(ALWAYS)) return ALWAYS;
  const [only = NEVER] = tests;
  if (tests.length < 2) return only;
  return (doc) => {
    for (const test of tests) if (test(doc)) return true;
    return false;
  };
}

/** The states that `is:` knows, in addition to rarities, printings and treatments. */
export const STATES: Readonly<Record<string, (card: Card, today: Day) => boolean>> = {
  stale: (card, today) => {
    const printing = defaultPrinting(card);
    return printing !== undefined && areStale(printing.prices, today);
  },
  priced: isPriced,
  unpriced: (card) => !isPriced(card),
};

function isOf<Value>(wanted: ReadonlySet<Value>, read: (doc: DocId) => Value): DocFilter {
  return wanted.size === 0 ? NEVER : (doc) => wanted.has(read(doc));
}

function digitsOf(number: string): number | null {
  const digits = lastDigits(number);
  return digits === -1 ? null : digits;
}

function rankOf(rarity: string | null): number | null {
  const rank = RARITY_RANKS.indexOf(rarity ?? '');
  return rank === -1 ? null : rank;
}

/** The change of the shown price in percent, as the API serves it: null if unknown or in doubt. */
function changeOf(card: Card, window: ChangeWindow): number | null {
  const printing = defaultPrinting(card);
  const base = printing?.bases?.[window] ?? null;
  const market = printing?.prices.market ?? null;
  if (base === null || market === null || printing?.bases?.doubts[window] !== undefined)
    return null;
  return percentBetween(base, market);
}
