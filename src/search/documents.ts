import { type Card, defaultPrinting, type Printing } from '../domain/card.ts';
import type { Currency } from '../domain/currencies.ts';
import { type LanguageCode, languageOfPrinting } from '../domain/languages.ts';
import { nativeMarket } from '../domain/local-prices.ts';
import type { Cents } from '../domain/money.ts';
import { SortedList } from '../lib/sorted-list.ts';
import type { DocId, Fields, IndexedNumber, IndexedSet, Name } from './fields.ts';
import type { Facts } from './lexicon/index.ts';

/** Stands for "no price" in the columns of prices. */
const UNPRICED = -1 as Cents;

/** Stands for "not reported in this currency" in a column of native prices. */
const CONVERTED = -2 as Cents;

const INITIAL_CAPACITY = 1024;

/** The printings of a card in the language of the catalogue, plainest first. */
type PrintingList = readonly { readonly name: string }[];

type Column = Uint8Array<ArrayBuffer> | Int32Array<ArrayBuffer>;

/** The documents of a saved index, by doc id. */
interface DocumentColumns {
  readonly cards: Card[];
  readonly names: Name[];
  readonly numbers: IndexedNumber[];
  readonly sets: IndexedSet[];
  readonly rarities: (string | null)[];
  /** The documents, sorted by public id. */
  readonly order: Int32Array;
}

/**
 * All documents of the index, as columns. A search for one letter matches 25,000 documents. The
 * values it reads are adjacent in a column, while cards are scattered over memory.
 */
export class Documents {
  #cards: Card[] = [];
  #names: Name[] = [];
  #numbers: IndexedNumber[] = [];
  #sets: IndexedSet[] = [];
  #rarities: (string | null)[] = [];
  /** These columns have spare capacity. */
  #live = new Uint8Array(INITIAL_CAPACITY);
  #oversized = new Uint8Array(INITIAL_CAPACITY);
  #prices = new Int32Array(INITIAL_CAPACITY);
  /** The prices that sources report in other currencies, for documents that have any. */
  readonly #native = new Map<Currency, Int32Array<ArrayBuffer>>();
  #printingLists = new Int32Array(INITIAL_CAPACITY);
  #idOrdinals = new Int32Array(INITIAL_CAPACITY);
  /** The lists of cards' printings: a few hundred, each once. The first is empty. */
  readonly #lists: PrintingList[] = [[]];
  /** By list: the other languages in which the cards are also printed. */
  readonly #languages: (readonly LanguageCode[])[] = [[]];
  readonly #listsByNames = new Map<string, number>();
  readonly #byId = new SortedList<DocId>(
    (doc) => this.card(doc).id,
    (docs, from) => {
      for (let i = from; i < docs.length; i++) this.#idOrdinals[docs[i] as DocId] = i;
    },
  );

  /** The number of documents, which is also the next doc id. */
  get count(): DocId {
    return this.#cards.length as DocId;
  }

  /** Adds a document, which is not live yet. */
  add(card: Card, fields: Fields): DocId {
    const doc = this.count;
    if (doc === this.#idOrdinals.length) this.#grow();
    this.replace(doc, card, fields);
    this.#byId.stage(doc);
    return doc;
  }

  /** Fills empty columns with live documents. Keeps the arrays. */
  restore({ cards, names, numbers, sets, rarities, order }: DocumentColumns): void {
    this.#cards = cards;
    this.#names = names;
    this.#numbers = numbers;
    this.#sets = sets;
    this.#rarities = rarities;
    while (cards.length > this.#idOrdinals.length) this.#grow();
    for (const [i, card] of cards.entries()) {
      const doc = i as DocId;
      this.#markOversized(doc);
      this.setLive(doc, true);
      this.setPrinted(doc, card);
    }
    this.#byId.restore(Array.from(order) as DocId[]);
  }

  /** Replaces a document in place by a newer version that {@link hasSameTerms}. */
  replace(doc: DocId, card: Card, { name, number, set, rarity }: Fields): void {
    this.#cards[doc] = card;
    this.#names[doc] = name;
    this.#numbers[doc] = number;
    this.#sets[doc] = set;
    this.#rarities[doc] = rarity;
    this.#markOversized(doc);
  }

  #markOversized(doc: DocId): void {
    this.#oversized[doc] = this.name(doc).isOversized || this.set(doc).isOversized ? 1 : 0;
  }

  /** Whether a newer version of a document is found by the same terms, numbers and codes. */
  hasSameTerms(doc: DocId, { name, number, set }: Fields): boolean {
    const isSameName = this.name(doc) === name;
    return isSameName && this.number(doc) === number && this.set(doc).code === set.code;
  }

  /** Sorts the documents added since the last commit into the order of ids. */
  commit(): void {
    this.#byId.commit();
  }

  card(doc: DocId): Card {
    return this.#cards[doc] as Card;
  }

  name(doc: DocId): Name {
    return this.#names[doc] as Name;
  }

  number(doc: DocId): IndexedNumber {
    return this.#numbers[doc] as IndexedNumber;
  }

  set(doc: DocId): IndexedSet {
    return this.#sets[doc] as IndexedSet;
  }

  /** Folded; null if the card has none. */
  rarity(doc: DocId): string | null {
    return this.#rarities[doc] as string | null;
  }

  /** Whether searches see a document: from its commit until a newer version replaces it. */
  isLive(doc: DocId): boolean {
    return this.#live[doc] === 1;
  }

  setLive(doc: DocId, live: boolean): void {
    this.#live[doc] = live ? 1 : 0;
  }

  /** Whether a card is a larger print of another, according to its name or its set. */
  isOversized(doc: DocId): boolean {
    return this.#oversized[doc] === 1;
  }

  /** The market price at the last commit or update; null if there is none. */
  price(doc: DocId): Cents | null {
    const price = this.#prices[doc] as Cents;
    return price === UNPRICED ? null : price;
  }

  /** Updates the price and the printings of a card. */
  setPrinted(doc: DocId, { set, rarity, printings }: Card): void {
    const printing = defaultPrinting({ set, rarity, printings });
    this.#prices[doc] = printing?.prices.market ?? UNPRICED;
    for (const column of this.#native.values()) column[doc] = CONVERTED;
    if (printing?.native) this.#setNative(doc, printing);
    this.#printingLists[doc] = this.#listOf(printings);
  }

  #setNative(doc: DocId, printing: Printing): void {
    for (const { currency } of printing.native ?? []) {
      const price = nativeMarket(printing, currency);
      if (price === undefined) continue;
      const column = this.#native.get(currency) ?? this.#prices.slice().fill(CONVERTED);
      column[doc] = price ?? UNPRICED;
      this.#native.set(currency, column);
    }
  }

  /** The {@link nativeMarket} of a document at the last commit or update. */
  nativePrice(doc: DocId, currency: Currency): Cents | null | undefined {
    const price = (this.#native.get(currency)?.[doc] ?? CONVERTED) as Cents;
    if (price === CONVERTED) return undefined;
    return price === UNPRICED ? null : price;
  }

  /** The names of a card's printings at the last commit or update. */
  printings(doc: DocId): PrintingList {
    return this.#lists[this.printingList(doc)] as PrintingList;
  }

  /** The other languages in which a card has printings. */
  languages(doc: DocId): readonly LanguageCode[] {
    return this.#languages[this.printingList(doc)] as readonly LanguageCode[];
  }

  /** The number of a card's printings in all languages; 1 if none are known. */
  printingCount(doc: DocId): number {
    return Math.max(1, this.printings(doc).length + this.languages(doc).length);
  }

  /** The index of a card's printings in {@link printingLists}. */
  printingList(doc: DocId): number {
    return this.#printingLists[doc] as number;
  }

  /** Every list of printings that a card has or had. */
  get printingLists(): readonly PrintingList[] {
    return this.#lists;
  }

  #listOf(printings: PrintingList): number {
    const names = printings.map(({ name }) => name).join('\n');
    const known = names === '' ? 0 : this.#listsByNames.get(names);
    if (known !== undefined) return known;
    this.#listsByNames.set(names, this.#lists.length);
    this.#languages.push(printings.flatMap(({ name }) => languageOfPrinting(name) ?? []));
    const own = printings.filter(({ name }) => languageOfPrinting(name) === undefined);
    return this.#lists.push(own.map(({ name }) => ({ name }))) - 1;
  }

  /** The position of a document in the order of public ids. */
  idOrdinal(doc: DocId): number {
    return this.#idOrdinals[doc] as number;
  }

  /** The document at a position in the order of public ids. */
  atIdOrdinal(ordinal: number): DocId {
    return this.#byId.items[ordinal] as DocId;
  }

  #grow(): void {
    this.#live = new Uint8Array(doubled(this.#live));
    this.#oversized = new Uint8Array(doubled(this.#oversized));
    this.#prices = new Int32Array(doubled(this.#prices));
    for (const [currency, column] of this.#native) {
      this.#native.set(currency, new Int32Array(doubled(column)));
    }
    this.#printingLists = new Int32Array(doubled(this.#printingLists));
    this.#idOrdinals = new Int32Array(doubled(this.#idOrdinals));
  }
}

/** The facts that phrases are compared with, for one document at a time. */
export class DocFacts implements Facts {
  doc: DocId;
  readonly #documents: Documents;

  constructor(documents: Documents, doc: DocId) {
    this.#documents = documents;
    this.doc = doc;
  }

  get game() {
    return this.#documents.set(this.doc).game;
  }

  get rarity() {
    return this.#documents.rarity(this.doc);
  }

  get printings() {
    return this.#documents.printings(this.doc);
  }

  get nameTerms() {
    return this.#documents.name(this.doc).terms;
  }

  get setTerms() {
    return this.#documents.set(this.doc).terms;
  }

  get setCode() {
    return this.#documents.set(this.doc).code;
  }

  get releaseYear() {
    return this.#documents.set(this.doc).releaseYear;
  }

  get number() {
    return this.#documents.number(this.doc).text;
  }
}

/** Moves the bytes of a column into a buffer of twice the size. */
function doubled({ buffer, byteLength }: Column): ArrayBuffer {
  return buffer.transfer(2 * byteLength);
}
