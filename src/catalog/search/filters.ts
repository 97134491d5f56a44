import type { Card, CardSet } from '../../domain/card.ts';
import { foldText } from '../../domain/text.ts';
import type { CardTest } from './match.ts';

/** A code in front of a set's name: `SV02: Paldea Evolved`, `SM - Burning Shadows`. */
const LEADING_CODE = /^[A-Z0-9&]+(?:: | - )/;

interface FilterQuery {
  readonly game?: string;
  readonly set?: string;
  readonly rarity?: string;
}

/** What `game`, `set` and `rarity` of a query let through. */
export class Filters {
  /** The keys of sets by what callers may call them. */
  readonly #sets = new Map<string, Set<number>>();
  /** The folded code of each set, by the set's key. */
  readonly #codes = new Map<number, string>();
  /** Rarities as shown, with their folded form. */
  readonly #rarities = new Map<string, string>();

  /** Learns a card's set and rarity; returns the folded code of the set. */
  add(card: Card): string {
    if (card.rarity !== null && !this.#rarities.has(card.rarity)) {
      this.#rarities.set(card.rarity, foldText(card.rarity));
    }
    return this.#codes.get(card.set.key) ?? this.#addSet(card.set);
  }

  /** A test of cards, or undefined when no filter is set. What fits nothing passes nothing. */
  test({ game, set, rarity }: FilterQuery): CardTest | undefined {
    if (game === undefined && set === undefined && rarity === undefined) return undefined;
    const sets = set === undefined ? undefined : (this.#sets.get(foldText(set)) ?? new Set());
    const wanted = rarity === undefined ? undefined : foldText(rarity);
    return ({ card }) =>
      (game === undefined || card.set.game === game) &&
      (sets === undefined || sets.has(card.set.key)) &&
      (wanted === undefined || this.#rarities.get(card.rarity ?? '') === wanted);
  }

  #addSet({ key, code, name }: CardSet): string {
    this.#codes.set(key, foldText(code));
    for (const called of [code, name, name.replace(LEADING_CODE, '')]) {
      const folded = foldText(called);
      const keys = this.#sets.get(folded);
      if (keys) keys.add(key);
      else this.#sets.set(folded, new Set([key]));
    }
    return foldText(code);
  }
}
