import type { CardSet } from '../domain/card.ts';
import type { StoredSearchedFacts } from '../store/catalogue/facts.ts';
import type { StoredCard, StoredName } from '../store/catalogue/records.ts';
import type { CardPrinting } from './printings.ts';
import type { CardExternalId, Rows } from './published.ts';

/**
 * Divides the rows of publications into rows of cards and rows of products, so readers of one kind
 * never see the other. Both kinds get all sets.
 */
export class RowsByKind<Cards extends Rows, Products extends Rows> implements Rows {
  readonly cards: Cards;
  readonly products: Products;
  readonly #isKnown: (rowId: number) => boolean;
  readonly #rowIds = new Set<number>();

  /** `isKnown` returns whether a row id is a product of an earlier publication. */
  constructor(cards: Cards, products: Products, isKnown: (rowId: number) => boolean) {
    this.cards = cards;
    this.products = products;
    this.#isKnown = isKnown;
  }

  putSet(set: CardSet): void {
    this.cards.putSet(set);
    this.products.putSet(set);
  }

  putCard(card: StoredCard): void {
    if (card.product) this.#rowIds.add(card.rowId);
    this.#rowsOf(card.rowId).putCard(card);
  }

  putExternalId(id: CardExternalId): void {
    this.#rowsOf(id.cardRowId).putExternalId(id);
  }

  putName(name: StoredName): void {
    this.#rowsOf(name.cardRowId).putName(name);
  }

  putFacts(facts: StoredSearchedFacts): void {
    this.cards.putFacts(facts);
  }

  putPrinting(printing: CardPrinting): void {
    this.#rowsOf(printing.cardRowId).putPrinting(printing);
  }

  #rowsOf(rowId: number): Rows {
    return this.#rowIds.has(rowId) || this.#isKnown(rowId) ? this.products : this.cards;
  }
}
