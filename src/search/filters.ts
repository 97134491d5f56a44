import type { Card, CardSet } from '../domain/card.ts';
import { readSetName } from '../domain/card-name.ts';
import { parseDay } from '../domain/day.ts';
import { foldText } from '../domain/text.ts';
import type { DocId, Documents } from './cards.ts';
import type { KnownSet } from './records.ts';

/** What a filter lets through. */
export type CardTest = (slot: DocId) => boolean;

interface FilterQuery {
  readonly game?: string;
  readonly set?: string;
  readonly rarity?: string;
}

/** What `game`, `set` and `rarity` of a query let through. */
export class Filters {
  readonly #cards: Documents;
  /** By key, how each set is described now. */
  readonly #sets = new Map<number, { readonly described: CardSet; readonly known: KnownSet }>();
  /**
   * Sets by what callers may call them. One that was renamed is here under its old name too, as
   * the set that the older versions of its cards are of.
   */
  readonly #called = new Map<string, Set<KnownSet>>();
  /** Rarities as shown, with their folded form. */
  readonly #rarities = new Map<string, string>();

  constructor(cards: Documents) {
    this.#cards = cards;
  }

  /** The set of a card that is being added. */
  setOf({ set }: Card): KnownSet {
    const latest = this.#sets.get(set.key);
    return latest && isSame(latest.described, set) ? latest.known : this.#addSet(set);
  }

  /** The folded rarity of a card that is being added. */
  rarityOf({ rarity }: Card): string | null {
    if (rarity === null) return null;
    const folded = this.#rarities.get(rarity) ?? foldText(rarity);
    this.#rarities.set(rarity, folded);
    return folded;
  }

  /** A test of cards, or undefined when no filter is set. What fits nothing passes nothing. */
  test({ game, set, rarity }: FilterQuery): CardTest | undefined {
    if (game === undefined && set === undefined && rarity === undefined) return undefined;
    const cards = this.#cards;
    const sets = set === undefined ? undefined : (this.#called.get(foldText(set)) ?? new Set());
    const wanted = rarity === undefined ? undefined : foldText(rarity);
    return (slot) =>
      (game === undefined || cards.set(slot).game === game) &&
      (sets === undefined || sets.has(cards.set(slot))) &&
      (wanted === undefined || cards.rarity(slot) === wanted);
  }

  #addSet(set: CardSet): KnownSet {
    const { game, code, name, releaseDate } = set;
    const released = releaseDate === null ? null : (parseDay(releaseDate) ?? null);
    const known = { game, code: foldText(code), released };
    this.#sets.set(set.key, { described: set, known });
    for (const called of [code, name, readSetName(name).name]) {
      const folded = foldText(called);
      const sets = this.#called.get(folded) ?? new Set();
      this.#called.set(folded, sets.add(known));
    }
    return known;
  }
}

function isSame(a: CardSet, b: CardSet): boolean {
  return a === b || (a.code === b.code && a.name === b.name && a.releaseDate === b.releaseDate);
}
