import type { CardSet } from '../domain/card.ts';
import type { Day } from '../domain/day.ts';
import type { GameSlug } from '../domain/games.ts';
import { type Product, readUpc } from '../domain/products.ts';
import type { ExternalId } from '../domain/sources.ts';
import type { ProductIndex } from '../search/index.ts';
import type { Publication } from '../store/catalogue/publications.ts';
import { CatalogProduct } from './catalog-card.ts';
import type { Contents } from './contents.ts';
import { Movers } from './movers.ts';

/** The parts of the catalogue of cards that products use. */
interface Games {
  asOf(game: GameSlug): Day | null;
}

/** The products of the last publication. Its contents are separate from the cards' contents. */
export class ProductCatalog {
  readonly movers = new Movers(this);
  readonly #contents: () => Contents<ProductIndex>;
  readonly #games: Games;

  /** `contents` returns the served contents, which a publication may replace. */
  constructor(contents: () => Contents<ProductIndex>, games: Games) {
    this.#contents = contents;
    this.#games = games;
  }

  get search(): ProductIndex {
    return this.#contents().search;
  }

  get publication(): Publication {
    return this.#contents().publication;
  }

  get count(): number {
    return this.#contents().cardsById.size;
  }

  /** The product with a public id. */
  product(id: string): Product | undefined {
    return asProduct(this.#contents().cardsById.get(id));
  }

  /** The product that has an external id. */
  productByExternalId(id: ExternalId): Product | undefined {
    const { externalIds, cards } = this.#contents();
    const rowId = externalIds.find(id);
    return rowId === undefined ? undefined : asProduct(cards[rowId]);
  }

  /** The products with a UPC, in any spelling. */
  withUpc(text: string): readonly Product[] {
    const upc = readUpc(text);
    return upc === null ? [] : [...this.cards()].filter((product) => product.upc === upc);
  }

  /** The external ids of a product, by id space. */
  externalIds({ rowId }: Product): readonly ExternalId[] {
    return this.#contents().externalIds.of(rowId);
  }

  /** All products. */
  *cards(): Generator<Product> {
    for (const card of this.#contents().cardsById.values()) {
      const product = asProduct(card);
      if (product) yield product;
    }
  }

  /** The products of a set. */
  ofSet({ rowId }: CardSet): readonly Product[] {
    return this.#contents()
      .setCards.of(rowId)
      .flatMap((card) => asProduct(card) ?? []);
  }

  /** The number of products in a set. */
  countOf({ rowId }: CardSet): number {
    return this.#contents().setCards.count(rowId);
  }

  /** The set with a setId, if it has products. */
  set(id: string): CardSet | undefined {
    return this.#contents().counts.setsById.get(id)?.set;
  }

  /**
   * The UTC day of the newest figures of a game: those of its cards, or of its products if it has
   * no cards.
   */
  asOf(game: GameSlug): Day | null {
    return this.#games.asOf(game) ?? this.#contents().asOf(game);
  }

  /** The newest day of a quarantined price of a printing, by row id of the printing. */
  quarantinedOn(printing: number): Day | undefined {
    return this.#contents().quarantined.get(printing);
  }
}

function asProduct(card: unknown): Product | undefined {
  return card instanceof CatalogProduct ? card : undefined;
}
