import { type Static, Type } from 'typebox';
import type { Catalog } from '../../catalog/catalog.ts';
import { dayOf, PERIODS } from '../../domain/day.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Product } from '../../domain/products.ts';
import {
  CurrencyParameter,
  CursorParameter,
  confidenceFilterOf,
  Defaulted,
  GameParameter,
  Limit,
  localPricesOf,
  Offset,
  PriceParameters,
  priceFilterOf,
  slugOf,
} from '../parameters.ts';
import { ProductDetail, ProductHistory, ProductSummary } from '../product-schemas.ts';
import { One, Page, ProductTypeText } from '../schemas.ts';
import { CARD_TABLE, HISTORY_TABLE } from '../tables.ts';
import { shown } from '../validation.ts';
import { contentsView } from './contents-view.ts';
import { defineEndpoint, type Resources } from './endpoint.ts';
import { daysOfPeriod, PeriodQuery, readHistory } from './history.ts';
import { pageOf } from './page-cursor.ts';
import { listProducts, PRODUCT_SORTS, type ProductSort } from './product-list.ts';
import { MAX_QUERY } from './search.ts';
import { productDetail, productSummary } from './views.ts';

const Query = Type.Object({
  q: Type.Optional(
    Type.String({
      description:
        'Words of the product and its set. They may be abbreviated (`etb`, `bb`) or misspelt.',
      minLength: 1,
      maxLength: MAX_QUERY,
      examples: ['evolving skies booster box'],
    }),
  ),
  game: GameParameter,
  set: Type.Optional(
    Type.String({
      description: 'Only this set, by `setId`, or by a code or name that sets may share.',
      minLength: 1,
      maxLength: MAX_QUERY,
    }),
  ),
  type: Type.Optional(ProductTypeText),
  upc: Type.Optional(
    Type.String({
      description: 'Only products with this UPC or EAN. Leading zeros and hyphens do not matter.',
      minLength: 1,
      maxLength: 32,
      examples: ['820650809545'],
    }),
  ),
  ...PriceParameters,
  currency: CurrencyParameter,
  sort: Defaulted(
    Type.Unsafe<ProductSort>({
      type: 'string',
      description: 'Order of the products. Without `q`, `relevance` is the same as `newest`.',
      enum: [...PRODUCT_SORTS],
      default: 'relevance',
    }),
  ),
  limit: Limit(20, 100),
  offset: Offset,
  cursor: CursorParameter,
});

export const products = defineEndpoint({
  method: 'GET',
  path: '/v1/products',
  table: CARD_TABLE,
  errors: [],
  schema: {
    operationId: 'listProducts',
    summary: 'List and search sealed products',
    description:
      'Boosters, boxes, cases, decks, tins, code cards and accessories. Products are never among ' +
      'cards.',
    querystring: Query,
    response: { 200: Page(ProductSummary, 'The products on this page.') },
  },
  isCacheable: () => true,
  answer({ catalog, clock }, request) {
    const { query } = request;
    const today = dayOf(clock());
    const local = localPricesOf(query, catalog, today);
    const filters = {
      price: priceFilterOf(query),
      confidence: confidenceFilterOf(query, today),
      local,
    };
    const found = listProducts(catalog, { ...query, game: slugOf(query.game), ...filters });
    const { page, place } = pageOf('products', request, found, ({ rowId }) => rowId);
    return { data: page.map((product) => productSummary(product, today, local)), ...place };
  },
});

const ProductPath = Type.Object({
  id: Type.String({
    description: 'Product id, from `GET /v1/products`.',
    examples: ['pokemon-tr-team-rocket-booster-pack-unlimited-edition'],
  }),
});

const CurrencyQuery = Type.Object({ currency: CurrencyParameter });

/**
 * Returns the product with an id.
 *
 * @throws ApiError PRODUCT_NOT_FOUND
 */
export function requireProduct({ products }: Catalog, id: string): Product {
  const found = products.product(id);
  if (!found) throw new ApiError('PRODUCT_NOT_FOUND', `No product has the id "${shown(id)}".`);
  return found;
}

export const product = defineEndpoint({
  method: 'GET',
  path: '/v1/products/:id',
  errors: ['PRODUCT_NOT_FOUND'],
  schema: {
    operationId: 'getProduct',
    summary: 'Get one product with all of its prices',
    description:
      'With the same prices as a card has, and what is in it where a source gives that (MTGJSON, for Magic).',
    params: ProductPath,
    querystring: CurrencyQuery,
    response: { 200: One(ProductDetail) },
  },
  isCacheable: () => true,
  answer(resources, { params, query }) {
    return { data: detailOf(resources, requireProduct(resources.catalog, params.id), query) };
  },
});

function detailOf(
  { catalog, estimates, clock }: Resources,
  found: Product,
  query: Static<typeof CurrencyQuery>,
) {
  const today = dayOf(clock());
  const local = localPricesOf(query, catalog, today);
  const externalIds = catalog.products.externalIds(found);
  return {
    ...productDetail(found, externalIds, { estimates, today }, local),
    ...contentsView(catalog, found),
  };
}

/** Products have neither grades nor conditions. */
const HistoryQuery = Type.Omit(PeriodQuery, ['grade', 'condition']);

export const productHistory = defineEndpoint({
  method: 'GET',
  path: '/v1/products/:id/history',
  table: HISTORY_TABLE,
  feature: 'history',
  errors: ['PRODUCT_NOT_FOUND'],
  schema: {
    operationId: 'getHistoryOfProduct',
    summary: "Get a product's price history over a period",
    description:
      'The observed days of a window that ends with the newest day of the game. Requires the ' +
      'Trader plan or above.',
    params: ProductPath,
    querystring: HistoryQuery,
    response: { 200: One(ProductHistory) },
  },
  isCacheable: () => true,
  historyDays: daysOfPeriod,
  async answer(resources, { params, query }, history) {
    const { period } = query;
    const { catalog } = resources;
    const asked = { ...query, days: PERIODS[period] };
    const read = await readHistory(resources, history, asked, () => {
      const card = requireProduct(catalog, params.id);
      return { card, known: catalog.products.asOf(card.set.game) };
    });
    return { data: { productId: params.id, period, ...read } };
  },
});
