import type { Card, CardSet, Printing } from '../domain/card.ts';
import type { Product, ProductContents, ProductType } from '../domain/products.ts';
import type { StoredProduct } from '../store/catalogue/records.ts';
import { expand, type ImageAddress } from './image-address.ts';
import type { Printings } from './printings.ts';

type CardFields = Pick<Card, 'rowId' | 'id' | 'set' | 'name' | 'number' | 'rarity'>;

/** A card of the catalogue. It builds its printings and the address of its image on demand. */
export class CatalogCard implements Card {
  readonly rowId: number;
  readonly id: string;
  readonly set: CardSet;
  readonly name: string;
  readonly number: string | null;
  readonly rarity: string | null;
  readonly #imageTemplate: ImageAddress['template'];
  readonly #imageNumber: number;
  readonly #all: Printings;

  constructor(fields: CardFields, image: ImageAddress, all: Printings) {
    this.rowId = fields.rowId;
    this.id = fields.id;
    this.set = fields.set;
    this.name = fields.name;
    this.number = fields.number;
    this.rarity = fields.rarity;
    this.#imageTemplate = image.template;
    this.#imageNumber = image.number;
    this.#all = all;
  }

  get image(): string | null {
    return expand(this.address);
  }

  /** A copy of the printings with their current prices, plainest first. */
  get printings(): readonly Printing[] {
    return this.#all.of(this.rowId);
  }

  /** Returns the card in a changed version of its set. */
  inSet(set: CardSet): CatalogCard {
    return new CatalogCard({ ...this, set }, this.address, this.all);
  }

  protected get address(): ImageAddress {
    return { template: this.#imageTemplate, number: this.#imageNumber };
  }

  protected get all(): Printings {
    return this.#all;
  }
}

/** A product of the catalogue. Cards lack these fields. */
export class CatalogProduct extends CatalogCard implements Product {
  readonly type: ProductType;
  readonly upc: string | null;
  readonly contents: ProductContents | null;

  constructor(fields: CardFields & StoredProduct, image: ImageAddress, all: Printings) {
    super(fields, image, all);
    this.type = fields.type;
    this.upc = fields.upc;
    this.contents = fields.contents;
  }

  override inSet(set: CardSet): CatalogProduct {
    return new CatalogProduct({ ...this, set }, this.address, this.all);
  }
}
