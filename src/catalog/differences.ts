import { isDeepStrictEqual } from 'node:util';
import type { CardSet } from '../domain/card.ts';
import { FactColumns, ForeignNames } from '../search/index.ts';
import type { StoredSearchedFacts } from '../store/catalogue/facts.ts';
import type { StoredCard, StoredName } from '../store/catalogue/records.ts';
import { type CatalogCard, CatalogProduct } from './catalog-card.ts';
import { Changes } from './changes.ts';
import type { Contents } from './contents.ts';
import { ExternalIds } from './external-ids.ts';
import { NewestFigures } from './newest-figures.ts';
import type { CardPrinting } from './printings.ts';
import type { CardExternalId, Rows } from './published.ts';

/** With more changed cards than this share, loading everything into new contents is faster. */
const MOST = 0.25;

/**
 * Compares a whole publication with the served contents, most of which a failover has kept. So a
 * process needs memory only for the differences, not for a second catalogue.
 */
export class Differences implements Rows {
  readonly #served: Contents;
  readonly #changes: Changes;
  /** The row ids that still exist. */
  readonly #cards: Uint8Array;
  readonly #printings = new Set<number>();
  readonly #externalIds = new ExternalIds();
  readonly #names = new ForeignNames();
  readonly #facts = new FactColumns();
  readonly #newestFigures = new NewestFigures();

  constructor(served: Contents) {
    this.#served = served;
    this.#changes = new Changes(served);
    this.#cards = new Uint8Array(served.cards.length);
  }

  putSet(set: CardSet): void {
    const known = this.#served.sets.get(set.rowId);
    if (known && isSameSet(known, set)) return;
    this.#changes.putSet(set);
  }

  putCard(card: StoredCard): void {
    this.#cards[card.rowId] = 1;
    const known = this.#served.cards[card.rowId];
    if (!known || !isSameCard(known, card)) this.#changes.putCard(card);
  }

  putExternalId({ cardRowId, ...id }: CardExternalId): void {
    this.#externalIds.add(cardRowId, id);
  }

  putName({ cardRowId, language, name }: StoredName): void {
    this.#names.put(cardRowId, language, name);
  }

  putFacts({ cardRowId, ...facts }: StoredSearchedFacts): void {
    this.#facts.put(cardRowId, facts);
  }

  putPrinting(printing: CardPrinting): void {
    const {
      cardRowId,
      printing: { rowId, prices },
    } = printing;
    this.#printings.add(rowId);
    if (!this.#served.hasPrinting(printing)) this.#changes.putPrinting(printing);
    const card = this.#changes.cards.get(cardRowId) ?? this.#served.cards[cardRowId];
    if (card) this.#newestFigures.add(card.set.game, prices.figuresAt);
  }

  /** Whether so much differs that loading everything is faster. */
  get isMuch(): boolean {
    const { cards, removedCards } = this.#changes;
    return cards.size + removedCards.length > MOST * this.#served.cardsById.size;
  }

  /** Returns the differences, after all rows were put. */
  finish(): Changes {
    for (const card of this.#served.cards) {
      if (card && this.#cards[card.rowId] === 0) this.#changes.removeCard(card);
    }
    for (const [rowId, card] of this.#served.printingRowIds()) {
      if (!this.#printings.has(rowId)) this.#changes.removePrinting(rowId, card);
    }
    const [externalIds, newestFigures] = [this.#externalIds, this.#newestFigures];
    this.#changes.replace({ externalIds, names: this.#names, facts: this.#facts, newestFigures });
    return this.#changes;
  }
}

function isSameSet(a: CardSet, b: CardSet): boolean {
  return (
    a.id === b.id &&
    a.game === b.game &&
    a.code === b.code &&
    a.name === b.name &&
    a.releaseDate === b.releaseDate
  );
}

function isSameCard(known: CatalogCard, card: StoredCard): boolean {
  return (
    known.id === card.id &&
    known.set.rowId === card.setRowId &&
    known.name === card.name &&
    known.number === card.number &&
    known.rarity === card.rarity &&
    known.image === card.image &&
    isSameProduct(known, card)
  );
}

function isSameProduct(known: CatalogCard, { product }: StoredCard): boolean {
  if (!product) return !(known instanceof CatalogProduct);
  return (
    known instanceof CatalogProduct &&
    known.type === product.type &&
    known.upc === product.upc &&
    isDeepStrictEqual(known.contents, product.contents)
  );
}
