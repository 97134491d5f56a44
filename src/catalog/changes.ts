import type { CardSet } from '../domain/card.ts';
import type { StoredCard } from '../store/catalogue/records.ts';
import type { CatalogCard } from './catalog-card.ts';
import type { Contents } from './contents.ts';
import type { CardPrinting } from './printings.ts';
import type { CardExternalId, Rows } from './published.ts';

/** The rows that differ from the served contents, kept until they are applied in one tick. */
export class Changes implements Rows {
  /** New and changed cards, and all cards of changed sets, by row id. */
  readonly cards = new Map<number, CatalogCard>();
  readonly #contents: Contents;
  /** By row id. */
  readonly #sets = new Map<number, CardSet>();
  readonly #externalIds: CardExternalId[] = [];
  readonly #printings: CardPrinting[] = [];

  /** @param contents The served contents, to which the changes will be applied. */
  constructor(contents: Contents) {
    this.#contents = contents;
  }

  putSet(set: CardSet): void {
    this.#sets.set(set.rowId, set);
    // Filters find the cards of a set by its name and code.
    for (const card of this.#contents.setCards.of(set.rowId)) {
      this.cards.set(card.rowId, card.inSet(set));
    }
  }

  putCard(card: StoredCard): void {
    const set = this.#sets.get(card.setRowId) ?? this.#contents.sets.get(card.setRowId);
    if (set) this.cards.set(card.rowId, this.#contents.cardOf(card, set));
  }

  putExternalId(id: CardExternalId): void {
    this.#externalIds.push(id);
  }

  putPrinting(printing: CardPrinting): void {
    this.#printings.push(printing);
  }

  /** The row ids of the cards that change, or whose prices do. */
  get affected(): ReadonlySet<number> {
    const affected = new Set(this.cards.keys());
    for (const { cardRowId } of this.#printings) affected.add(cardRowId);
    return affected;
  }

  /** Puts all changes into the contents. */
  apply(): void {
    for (const set of this.#sets.values()) this.#contents.putSet(set);
    for (const card of this.cards.values()) this.#contents.put(card);
    for (const id of this.#externalIds) this.#contents.putExternalId(id);
    for (const printing of this.#printings) this.#contents.putPrinting(printing);
  }
}
