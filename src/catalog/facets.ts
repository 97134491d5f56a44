import type { Card, CardSet } from '../domain/card.ts';
import type { GameSlug } from '../domain/games.ts';
import { hasPrice } from '../domain/price.ts';
import { compareText } from '../domain/text.ts';

/**
 * What there is of sets and games, kept up to date card by card: a pass over all of them would keep
 * every request waiting for some 50 ms.
 */
export class Facets {
  /** Cards with a price, by row id of the set. */
  readonly #priced = new Map<number, number>();
  /** Cards of each rarity, by game. */
  readonly #rarities = new Map<GameSlug, Map<string, number>>();

  /** Counts a card with its prices, in (1) or out (-1). */
  count(card: Card, by: 1 | -1): void {
    const { set, rarity } = card;
    if (isPriced(card)) this.countPriced(set, by);
    if (rarity === null) return;
    const ofGame = this.#rarities.get(set.game) ?? new Map<string, number>();
    this.#rarities.set(set.game, ofGame);
    add(ofGame, rarity, by);
  }

  /** Counts some cards of a set whose first price came, or whose last one went. */
  countPriced(set: CardSet, by: number): void {
    add(this.#priced, set.key, by);
  }

  /** How many cards of a set have a price in their default printing. */
  pricedCount(set: CardSet): number {
    return this.#priced.get(set.key) ?? 0;
  }

  /** The rarities that there are of a game, in alphabetical order. */
  rarities(game: GameSlug): readonly string[] {
    return [...(this.#rarities.get(game)?.keys() ?? [])].sort(compareText);
  }
}

/** Whether a card has a price in its default printing: that is the first which has one. */
export function isPriced({ printings }: Card): boolean {
  return printings.some(({ prices }) => hasPrice(prices));
}

function add<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
