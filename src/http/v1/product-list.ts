import type { Catalog } from '../../catalog/catalog.ts';
import { type CardSet, defaultPrinting } from '../../domain/card.ts';
import { readSetName } from '../../domain/card-name.ts';
import { type ConfidenceFilter, isSureEnough } from '../../domain/confidence-level.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { LocalPrices } from '../../domain/local-prices.ts';
import type { PriceFilter } from '../../domain/price.ts';
import { comparedPrice, passesPrice } from '../../domain/price-filter.ts';
import { type Product, type ProductType, readUpc } from '../../domain/products.ts';
import { compareText, foldText } from '../../domain/text.ts';

/** Finds products for lists. */

type Compare = (a: Product, b: Product, local: LocalPrices | undefined) => number;

const UNPRICED = Number.MAX_SAFE_INTEGER;

/** Compares products for each sort. Products without a price come last. */
const SORTS = {
  relevance: undefined,
  price_desc: (a, b, local) => (comparedPrice(b, local) ?? -1) - (comparedPrice(a, local) ?? -1),
  price_asc: (a, b, local) => {
    return (comparedPrice(a, local) ?? UNPRICED) - (comparedPrice(b, local) ?? UNPRICED);
  },
  name: (a, b) => compareText(a.name, b.name),
  newest: (a, b) => compareText(b.set.releaseDate ?? '', a.set.releaseDate ?? ''),
} as const satisfies Readonly<Record<string, Compare | undefined>>;

export type ProductSort = keyof typeof SORTS;

export const PRODUCT_SORTS = Object.keys(SORTS) as readonly ProductSort[];

/** Which products to list. An omitted filter does not restrict the list. */
export interface ProductQuery {
  readonly q?: string | undefined;
  readonly game?: GameSlug | undefined;
  /** A setId, or a code or name that sets may share. */
  readonly set?: string | undefined;
  readonly type?: ProductType | undefined;
  readonly upc?: string | undefined;
  readonly price?: PriceFilter | undefined;
  readonly confidence?: ConfidenceFilter | undefined;
  /** The currency of the price filter and of orders by price; by default, dollars. */
  readonly local?: LocalPrices | undefined;
  readonly sort: ProductSort;
  /**
   * Whether products must have all words of `q`. Otherwise, if none has all, they must have most.
   */
  readonly isWhole?: boolean;
}

/** Returns the products that a query asks for, in its order. Without a text, newest first. */
export function listProducts({ products }: Catalog, query: ProductQuery): readonly Product[] {
  const passes = filterOf(query);
  if (query.q === undefined) {
    const all = [...products.cards()].filter(passes);
    return all.sort(compareBy(query.sort === 'relevance' ? 'newest' : query.sort, query.local));
  }
  const { isWhole, found: matches } = products.search.find(query.q, passes);
  if (query.isWhole && !isWhole) return [];
  const found = matches.map(({ product }) => product);
  return query.sort === 'relevance' ? found : found.sort(compareBy(query.sort, query.local));
}

function compareBy(
  sort: Exclude<ProductSort, 'relevance'>,
  local: LocalPrices | undefined,
): (a: Product, b: Product) => number {
  return (a, b) => SORTS[sort](a, b, local) || compareText(a.id, b.id);
}

function filterOf(query: ProductQuery): (product: Product) => boolean {
  const { game, type, price, confidence, local } = query;
  const isInSet = query.set === undefined ? undefined : setNamed(query.set);
  const upc = query.upc === undefined ? undefined : readUpc(query.upc);
  return (product) =>
    (game === undefined || product.set.game === game) &&
    (type === undefined || product.type === type) &&
    (upc === undefined || product.upc === upc) &&
    (isInSet === undefined || isInSet(product.set)) &&
    (price === undefined || passesPrice(product, price, local)) &&
    (confidence === undefined || isSureEnough(defaultPrinting(product), confidence));
}

/** Returns a function that tests whether a set has this setId, code or name. */
function setNamed(text: string): (set: CardSet) => boolean {
  const id = text.trim().toLowerCase();
  const folded = foldText(text);
  return ({ id: own, code, name }) => {
    return own === id || [code, name, readSetName(name).name].map(foldText).includes(folded);
  };
}
