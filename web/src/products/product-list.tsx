import '../cards/cards.css';
import type { ProductType } from '../../../src/domain/products.ts';
import { productHref } from '../api/links.ts';
import type { ProductSummaryBody } from '../api/responses.ts';
import { areAllOld, CardName, Change, ListedPrice, OldPrices } from '../cards/parts.tsx';
import { CardPicture } from '../cards/picture.tsx';
import { formatMoney } from '../ui/format.ts';

interface ProductListProps {
  readonly products: readonly ProductSummaryBody[];
  /** The name of the list, for screen readers. */
  readonly label: string;
  /** Whether each product shows its set. */
  readonly hasSet: boolean;
}

/** Sealed products as rows with their types and prices. */
export function ProductList({ products, label, hasSet }: ProductListProps) {
  const isOld = areAllOld(products);
  return (
    <div class="card-list as-rows">
      {isOld && <OldPrices />}
      <ul aria-label={label}>
        {products.map((product) => (
          <li key={product.id}>
            <CardPicture card={picturedProduct(product)} size="thumb" />
            <span class="name clamped">
              <a
                href={productHref(product.id)}
                aria-label={[
                  product.name,
                  formatMoney(product.prices.market, product.prices.currency),
                ].join(', ')}
              >
                <CardName name={product.name} />
              </a>
            </span>
            <span class="card-facts">
              <span>{typeLabel(product.type)}</span>
              {hasSet && <span>{product.set}</span>}
            </span>
            <span class="market">
              <ListedPrice prices={product.prices} isOldSaid={isOld} />
            </span>
            <span class="change-7d">
              {product.prices.changes['7d'] && (
                <Change change={product.prices.changes['7d']} isShort />
              )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/**
 * Returns a type in words: `Booster box` for `booster-box`. A table of them would be part of every
 * search.
 */
export function typeLabel(type: ProductType): string {
  const words = type.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the facts for the picture of a product: its type replaces a rarity. */
export function picturedProduct(product: Omit<ProductSummaryBody, 'prices'>) {
  return { ...product, number: null, rarity: typeLabel(product.type) };
}
