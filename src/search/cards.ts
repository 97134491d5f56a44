import type { Card } from '../domain/card.ts';
import type { Cents } from '../domain/money.ts';
import type { KnownSet, Name, PrintedNumber } from './records.ts';
import { SortedList } from './sorted.ts';

/** A card in the index: its place in all columns. */
export type DocId = number & { readonly __unit: 'slot' };

/** What the index knows of a card besides the card itself. */
export interface Described {
  readonly name: Name;
  readonly number: PrintedNumber;
  readonly set: KnownSet;
  /** Folded. */
  readonly rarity: string | null;
}

/** Stands for "no price" in the column of prices. */
const UNPRICED = -1 as Cents;

const FIRST_ROOM = 1024;

type Column = Uint8Array<ArrayBuffer> | Int32Array<ArrayBuffer>;

/**
 * All cards of the index as columns. A search for a letter matches 25,000 cards: what it needs of
 * each is then side by side, and not, like the cards, all over memory.
 */
export class Documents {
  readonly #cards: Card[] = [];
  readonly #names: Name[] = [];
  readonly #numbers: PrintedNumber[] = [];
  readonly #sets: KnownSet[] = [];
  readonly #rarities: (string | null)[] = [];
  /** These three have room for more cards than there are. */
  #live = new Uint8Array(FIRST_ROOM);
  #prices = new Int32Array(FIRST_ROOM);
  #ranks = new Int32Array(FIRST_ROOM);
  readonly #byId = new SortedList<DocId>(
    (slot) => this.card(slot).id,
    (slots, from) => {
      for (let rank = from; rank < slots.length; rank++) this.#ranks[slots[rank] as DocId] = rank;
    },
  );

  /** Takes in a card, which is not live yet. */
  add(card: Card, described: Described): DocId {
    const slot = this.#cards.length as DocId;
    if (slot === this.#ranks.length) this.#makeRoom();
    this.describe(slot, card, described);
    this.#byId.stage(slot);
    return slot;
  }

  /** Puts a newer version of a card, that {@link isFoundAlike}, in the place of an older one. */
  describe(slot: DocId, card: Card, { name, number, set, rarity }: Described): void {
    this.#cards[slot] = card;
    this.#names[slot] = name;
    this.#numbers[slot] = number;
    this.#sets[slot] = set;
    this.#rarities[slot] = rarity;
  }

  /** Whether a card so described is found by the same words, numbers and codes. */
  isFoundAlike(slot: DocId, { name, number, set }: Described): boolean {
    const alike = this.name(slot) === name && this.number(slot) === number;
    return alike && this.set(slot).code === set.code;
  }

  /** Gives the cards added since the last time their places in the order of ids. */
  settle(): void {
    this.#byId.settle();
  }

  card(slot: DocId): Card {
    return this.#cards[slot] as Card;
  }

  name(slot: DocId): Name {
    return this.#names[slot] as Name;
  }

  number(slot: DocId): PrintedNumber {
    return this.#numbers[slot] as PrintedNumber;
  }

  set(slot: DocId): KnownSet {
    return this.#sets[slot] as KnownSet;
  }

  /** Folded; null when it has none. */
  rarity(slot: DocId): string | null {
    return this.#rarities[slot] as string | null;
  }

  /** Whether searches see a card: from its publication until a newer version replaces it. */
  isLive(slot: DocId): boolean {
    return this.#live[slot] === 1;
  }

  /** Whether searches see any of some cards. */
  isAnyLive(slots: readonly DocId[]): boolean {
    return slots.some((slot) => this.isLive(slot));
  }

  setLive(slot: DocId, live: boolean): void {
    this.#live[slot] = live ? 1 : 0;
  }

  /** The market price, as far as the index was told; null when there is none. */
  price(slot: DocId): Cents | null {
    const price = this.#prices[slot] as Cents;
    return price === UNPRICED ? null : price;
  }

  setPrice(slot: DocId, price: Cents | null): void {
    this.#prices[slot] = price ?? UNPRICED;
  }

  /** A card's place among all in the order of their ids. */
  rank(slot: DocId): number {
    return this.#ranks[slot] as number;
  }

  /** The card at a place in the order of ids. */
  atRank(rank: number): DocId {
    return this.#byId.items[rank] as DocId;
  }

  #makeRoom(): void {
    this.#live = new Uint8Array(doubled(this.#live));
    this.#prices = new Int32Array(doubled(this.#prices));
    this.#ranks = new Int32Array(doubled(this.#ranks));
  }
}

/** The bytes of a column and as many more. */
function doubled({ buffer, byteLength }: Column): ArrayBuffer {
  return buffer.transfer(2 * byteLength);
}
