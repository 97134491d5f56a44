import { type Card, type CardSet, isPriced } from '../domain/card.ts';
import { reliableMarket } from '../domain/confidence-level.ts';
import type { GameSlug } from '../domain/games.ts';
import type { Cents } from '../domain/money.ts';
import { compareText } from '../domain/text.ts';

/** A rarity with the number of its cards. */
export interface CountedRarity {
  readonly rarity: string;
  readonly cardCount: number;
}

/**
 * Counts cards by facet: priced cards of a set and their value, rarities of a game, all prices. The
 * counts are updated card by card, because counting all cards again would block every request for
 * about 50 ms.
 */
export class Facets {
  readonly #printings = new Map<number, number>();
  /** Cards with a price, by row id of the set. */
  readonly #priced = new Map<number, number>();
  #priceCount = 0;
  /** Cards with a reliable market price, and the sum of these in cents, by row id of the set. */
  readonly #valued = new Map<number, number>();
  readonly #values = new Map<number, number>();
  /** Cards of each rarity, by game. */
  readonly #byRarity = new Map<GameSlug, Map<string, number>>();

  /** Adds a card with its prices to the counts (1), or removes it from them (-1). */
  count(card: Card, by: 1 | -1): void {
    // A card builds its printings at every read.
    const { set, rarity, printings } = card;
    const parts = { set, rarity, printings };
    add(this.#printings, set.rowId, by * Math.max(1, printings.length));
    if (isPriced(parts)) add(this.#priced, set.rowId, by);
    for (const { prices } of printings) if (prices.market !== null) this.#priceCount += by;
    this.#countMarket(set, reliableMarket(parts), by);
    if (rarity === null) return;
    const inGame = this.#byRarity.get(set.game) ?? new Map<string, number>();
    this.#byRarity.set(set.game, inGame);
    add(inGame, rarity, by);
  }

  #countMarket({ rowId }: CardSet, market: Cents | null, by: 1 | -1): void {
    if (market === null) return;
    add(this.#valued, rowId, by);
    add(this.#values, rowId, by * market);
  }

  /**
   * The total price of one copy of each card of a set, in cents; null if no market price is
   * reliable.
   */
  value({ rowId }: CardSet): Cents | null {
    return this.#valued.has(rowId) ? ((this.#values.get(rowId) ?? 0) as Cents) : null;
  }

  /** The number of printings of a set's cards; a card without printings counts as one. */
  printingCount({ rowId }: CardSet): number {
    return this.#printings.get(rowId) ?? 0;
  }

  /** The number of printings with a market price. */
  get priceCount(): number {
    return this.#priceCount;
  }

  /** The number of cards of a set whose default printing has a price. */
  pricedCount(set: CardSet): number {
    return this.#priced.get(set.rowId) ?? 0;
  }

  /** The rarities of a game's cards with the number of each, in alphabetical order. */
  rarities(game: GameSlug): readonly CountedRarity[] {
    const counts = [...(this.#byRarity.get(game) ?? [])];
    return counts
      .map(([rarity, cardCount]) => ({ rarity, cardCount }))
      .sort((a, b) => compareText(a.rarity, b.rarity));
  }
}

function add<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
