import { isDeepStrictEqual } from 'node:util';
import type { ProductContents } from '../../domain/products.ts';
import type { Contained } from '../../sources/contract/feed.ts';
import { cardsById, upsertCards } from '../../store/catalogue/catalogue.ts';
import type { ImportRun } from '../run.ts';
import { ID_SPACES } from './external-ids.ts';
import type { CardMatcher } from './match.ts';

/**
 * Collects a feed's contents of products until the whole feed has been read. Products are found
 * only by ids that sources share.
 */
export class ContentsOfProducts {
  readonly #cards: CardMatcher;
  /** By row id of the product. */
  readonly #contents = new Map<number, ProductContents>();
  #unknown = 0;

  constructor(cards: CardMatcher) {
    this.#cards = cards;
  }

  /** The number of products that are not ours. */
  get unknown(): number {
    return this.#unknown;
  }

  add({ externalIds, contents }: Contained): void {
    const rowId = ID_SPACES.flatMap((space) => {
      const id = externalIds[space];
      return id === undefined ? [] : (this.#cards.owner(space, id) ?? []);
    })[0];
    if (rowId === undefined) this.#unknown += 1;
    else this.#contents.set(rowId, contents);
  }

  /** Writes the contents that are new or have changed. A card never has any. */
  async write({ store, publication }: ImportRun): Promise<void> {
    if (this.#contents.size === 0) return;
    await store.db.transaction().execute(async (transaction) => {
      const stored = await cardsById(transaction, [...this.#contents.keys()]);
      const { revision } = publication;
      const changed = [...stored.values()].flatMap(({ product, ...card }) => {
        const contents = this.#contents.get(card.rowId);
        if (!product || !contents || isDeepStrictEqual(contents, product.contents)) return [];
        return [{ ...card, product: { ...product, contents }, revision }];
      });
      if (changed.length === 0) return;
      await publication.begin(transaction);
      await upsertCards(store, transaction, changed);
    });
  }
}
