import type { Card, CardSet } from '../domain/card.ts';
import type { GameSlug } from '../domain/games.ts';
import { hasPrice } from '../domain/price.ts';
import { compareText } from '../domain/text.ts';

/**
 * Counts cards by facets: priced cards of a set, rarities of a game. The counts are updated card by
 * card, because counting all cards again would block every request for some 50 ms.
 */
export class Facets {
  /** Cards with a price, by row id of the set. */
  readonly #priced = new Map<number, number>();
  /** Cards of each rarity, by game. */
  readonly #byRarity = new Map<GameSlug, Map<string, number>>();

  /** Adds a card with its prices to the counts (1), or removes it from them (-1). */
  count(card: Card, by: 1 | -1): void {
    const { set, rarity } = card;
    if (isPriced(card)) this.countPriced(set, by);
    if (rarity === null) return;
    const inGame = this.#byRarity.get(set.game) ?? new Map<string, number>();
    this.#byRarity.set(set.game, inGame);
    add(inGame, rarity, by);
  }

  /** Counts cards of a set that got their first price (positive) or lost their last (negative). */
  countPriced(set: CardSet, by: number): void {
    add(this.#priced, set.rowId, by);
  }

  /** How many cards of a set have a price in their default printing. */
  pricedCount(set: CardSet): number {
    return this.#priced.get(set.rowId) ?? 0;
  }

  /** The rarities of a game's cards, in alphabetical order. */
  rarities(game: GameSlug): readonly string[] {
    return [...(this.#byRarity.get(game)?.keys() ?? [])].sort(compareText);
  }
}

/** Whether a card has a price: its default printing has one if any printing has. */
export function isPriced({ printings }: Card): boolean {
  return printings.some(({ prices }) => hasPrice(prices));
}

function add<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
