import { type Card, defaultPrinting, isPriced } from '../../domain/card.ts';
import type { Day } from '../../domain/day.ts';
import { gameBySlug } from '../../domain/games.ts';
import { languageCalled } from '../../domain/languages.ts';
import type { LocalPrices } from '../../domain/local-prices.ts';
import { hasFact, isNumberFact, numberFact } from '../../domain/searched-facts.ts';
import { areStale } from '../../domain/staleness.ts';
import { foldText, foldWords } from '../../domain/text.ts';
import { DocFacts, type Documents } from '../documents.ts';
import type { FactColumns } from '../fact-columns.ts';
import type { DocId, IndexedSet, Name } from '../fields.ts';
import type { DocFilter, Filters } from '../filters.ts';
import type { InvertedIndex } from '../inverted-index.ts';
import { type CompiledEvidence, fitsSetTerms, type Meaning } from '../lexicon/index.ts';
import { type PriceReader, priceReader } from '../prices.ts';
import { anyOf, inverse, isOf, NEVER } from './doc-tests.ts';
import { numberReader } from './numbers.ts';
import { compare, type NumberTest, type TextTest, type Tree } from './tree.ts';
import {
  findNames,
  gamesOf,
  hasSequence,
  isArtist,
  isCalled,
  isOnlyOfNames,
  meaningsOf,
  namesPassing,
  setsOf,
} from './values.ts';

export interface Searched {
  readonly documents: Documents;
  readonly index: InvertedIndex;
  readonly filters: Filters;
  /** The facts of cards. */
  facts(): FactColumns;
  /** Returns the live document of a card by an id such as `tcgplayer:85637`. */
  docWithId(id: string): DocId | undefined;
}

/** Turns conditions into tests of documents. */
export class Evaluator {
  readonly #searched: Searched;
  readonly #today: Day;
  readonly #readPrice: PriceReader;

  /**
   * @param today The day (UTC) that decides whether prices are stale.
   * @param local The currency of the amounts in conditions; by default, dollars.
   */
  constructor(searched: Searched, today: Day, local?: LocalPrices) {
    this.#searched = searched;
    this.#today = today;
    this.#readPrice = priceReader(local);
  }

  /** Returns a test that documents pass if the condition is true for them. */
  compile(tree: Tree): DocFilter {
    if (tree.kind === 'words') return this.#mentions(tree.words.split(' '));
    if (tree.kind === 'text') return this.#compileText(tree);
    if (tree.kind === 'number') return this.#compileNumber(tree);
    if (tree.kind === 'not') return inverse(this.compile(tree.of));
    if (tree.kind === 'any') return this.#compileAny(tree.of);
    return inverse(anyOf(byCost(tree.of).map((part) => inverse(this.compile(part)))));
  }

  /**
   * Looks up the names of all words together, because a separate test for each word takes equally
   * long every time.
   */
  #compileAny(parts: readonly Tree[]): DocFilter {
    const words = parts.flatMap((part) => (part.kind === 'words' ? [part.words.split(' ')] : []));
    if (words.length < 2) return anyOf(byCost(parts).map((part) => this.compile(part)));
    const names = words.flatMap((own) => findNames(this.#searched.index, own));
    const others = parts.filter(({ kind }) => kind !== 'words');
    return anyOf([
      this.#isNamed(names),
      ...byCost(others).map((part) => this.compile(part)),
      ...words.map((own) => this.#mentionsOutsideName(own)),
    ]);
  }

  /**
   * Calls `visit` with live documents that include all matches of a condition. A generator takes
   * several times as long.
   */
  visitCandidates(tree: Tree | undefined, visit: (doc: DocId) => void): void {
    const { documents } = this.#searched;
    const few = tree && this.#fewDocs(tree);
    if (few) {
      for (const doc of few) if (documents.isLive(doc)) visit(doc);
      return;
    }
    for (let doc = 0 as DocId; doc < documents.count; doc++) {
      if (documents.isLive(doc)) visit(doc);
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
      case 'artist':
        return this.#hasText('artists', (artist) => isArtist(artist, value, isWhole));
      case 'id': {
        const wanted = this.#searched.docWithId(value);
        return (doc) => doc === wanted;
      }
      default:
        return this.#hasText('words', (words) => hasFact(words, field, value));
    }
  }

  /** Tests a text of facts once for all cards that share it. */
  #hasText(column: 'words' | 'numbers' | 'artists', passes: (text: string) => boolean): DocFilter {
    const { documents, facts } = this.#searched;
    const test = facts()[column].test(passes);
    return (doc) => test(documents.card(doc).rowId);
  }

  /** Tests whether words are next to each other in a name, a set's name, a rarity or a number. */
  #mentions(words: readonly string[]): DocFilter {
    return anyOf([this.#hasInName(words), this.#mentionsOutsideName(words)]);
  }

  #mentionsOutsideName(words: readonly string[]): DocFilter {
    if (isOnlyOfNames(words)) return NEVER;
    const { documents } = this.#searched;
    const folded = words.join('');
    return anyOf([
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

  /** Tests for a number in any typed form. A total must equal the card's. */
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

  /** Tests whether a printing matches a name, or whether one does not. */
  #hasPrinting(value: string, wanted: boolean): DocFilter {
    const words = foldWords(value);
    const tests = meaningsOf(words, ['printing']).flatMap(({ fitsPrinting }) => fitsPrinting ?? []);
    const fits = (name: string) => {
      return tests.some((test) => test(name)) || hasSequence(foldWords(name), words);
    };
    return this.#hasAnyPrinting((name) => fits(name) === wanted);
  }

  #isInLanguage(value: string): DocFilter {
    const language = languageCalled(value);
    const { documents } = this.#searched;
    if (language === undefined) return NEVER;
    return (doc) => {
      const isOwn = gameBySlug(documents.set(doc).game).language === language;
      return isOwn || documents.languages(doc).includes(language);
    };
  }

  #isSo(value: string): DocFilter {
    const { documents } = this.#searched;
    const state = STATES[foldText(value)];
    if (state) return (doc) => state(documents.card(doc), this.#today);
    return this.#fits(meaningsOf(foldWords(value), ['rarity', 'printing', 'treatment']));
  }

  /** Tests whether any of several meanings describes a card. */
  #fits(meanings: readonly Meaning[]): DocFilter {
    return anyOf(meanings.map((meaning) => this.#fitsOne(meaning)));
  }

  #fitsOne({ games, fits, evidence }: Meaning): DocFilter {
    const { documents } = this.#searched;
    if (evidence) {
      const agrees = this.#agrees(evidence);
      if (!games || agrees === NEVER) return agrees;
      return (doc) => games.includes(documents.set(doc).game) && agrees(doc);
    }
    if (!fits) return NEVER;
    const facts = new DocFacts(documents, 0 as DocId);
    return (doc) => {
      facts.doc = doc;
      return fits(facts);
    };
  }

  /** Compares evidence with names, sets and lists of printings, which are fewer than cards. */
  #agrees(evidence: CompiledEvidence): DocFilter {
    const { rarities, names, sets, setNames, fitsPrinting } = evidence;
    const { documents, filters, index } = this.#searched;
    const hasSets = sets.length + setNames.length > 0;
    const agreeing = hasSets ? [...filters.indexedSets()] : [];
    const isAgreeing = ({ terms }: IndexedSet) => fitsSetTerms(terms, evidence);
    return anyOf([
      isOf<string | null>(rarities, (doc) => documents.rarity(doc)),
      this.#isNamed(names.flatMap((test) => namesPassing(index, test))),
      isOf(new Set(agreeing.filter(isAgreeing)), (doc) => documents.set(doc)),
      fitsPrinting ? this.#hasAnyPrinting(fitsPrinting) : NEVER,
    ]);
  }

  #hasAnyPrinting(fits: (name: string) => boolean): DocFilter {
    const { documents } = this.#searched;
    const isWanted = documents.printingLists.map((list) => list.some(({ name }) => fits(name)));
    return (doc) => isWanted[documents.printingList(doc)] === true;
  }

  #compileNumber({ field, operator, value }: NumberTest): DocFilter {
    const { documents } = this.#searched;
    const passes = (number: number | null) => number !== null && compare(number, operator, value);
    if (isNumberFact(field)) {
      return this.#hasText('numbers', (numbers) => passes(numberFact(numbers, field)));
    }
    const read = numberReader(field, this.#readPrice);
    return (doc) => passes(read(documents, doc));
  }
}

/** Orders conditions by their cost, so few cards reach the slow ones. */
function byCost(parts: readonly Tree[]): Tree[] {
  return parts.toSorted((a, b) => costOf(a) - costOf(b));
}

function costOf(tree: Tree): number {
  if (tree.kind === 'number') return tree.field.startsWith('change') ? 2 : 0;
  if (tree.kind === 'text')
    return ['set', 'code', 'game', 'id', 'name'].includes(tree.field) ? 0 : 2;
  if (tree.kind === 'words') return 1;
  return tree.kind === 'not' ? costOf(tree.of) : Math.max(...tree.of.map(costOf));
}

/** The states that `is:` accepts, in addition to rarities, printings and treatments. */
export const STATES: Readonly<Record<string, (card: Card, today: Day) => boolean>> = {
  stale: (card, today) => {
    const printing = defaultPrinting(card);
    return printing !== undefined && areStale(printing.prices, today);
  },
  priced: isPriced,
  unpriced: (card) => !isPriced(card),
};
