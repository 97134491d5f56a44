import { type Static, Type } from 'typebox';
import type { Catalog } from '../../catalog/catalog.ts';
import { type Card, hasAmount, isOwnLanguage, printingInLanguageOf } from '../../domain/card.ts';
import { formatCopy, isNamed } from '../../domain/copy.ts';
import { type Day, dayOf } from '../../domain/day.ts';
import { countFacets, FACETS, type FacetCounts } from '../../domain/facets.ts';
import type { GameSlug } from '../../domain/games.ts';
import { type LanguageCode, languageName } from '../../domain/languages.ts';
import { LocalPrices } from '../../domain/local-prices.ts';
import { dollarsFromCents, dollarsOrNull } from '../../domain/money.ts';
import { comparedPrice } from '../../domain/price-filter.ts';
import type { Product } from '../../domain/products.ts';
import { printingMeant, printingWords, readCopy } from '../../resolve/index.ts';
import { type Reading, SEARCH_SORTS, type SearchResult, saysProduct } from '../../search/index.ts';
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
  Words,
} from '../parameters.ts';
import { ProductSummary } from '../product-schemas.ts';
import { CardSummary, Many, Page, PRODUCT_FIELDS } from '../schemas.ts';
import { FacetsOfResults, UnderstoodQuery } from '../search-schemas.ts';
import { CARD_TABLE } from '../tables.ts';
import {
  defineEndpoint,
  type Endpoint,
  LATER_INTERFACE,
  type PlanHistory,
  type Resources,
} from './endpoint.ts';
import { INCLUDE_FEATURES, IncludeParameter, includedParts, withParts } from './include.ts';
import { cursorOf, pageOf } from './page-cursor.ts';
import { listProducts } from './product-list.ts';
import { cardSummaryIn, copyView, productSummary } from './views.ts';

/** Longest search text, in characters. */
export const MAX_QUERY = 200;

const Query = Type.Object({
  q: Type.String({
    description:
      'The search text: a card name, optionally with other words about the card, such as its ' +
      'number (`charizard 4/102`), set, rarity, printing, year or grade. It may have operators ' +
      '(`-vmax`, `"base set"`, `set:jungle`, `usd<20`, `under $20`, `cheapest`), or be a pasted ' +
      'link to a card.',
    minLength: 1,
    maxLength: MAX_QUERY,
    examples: ['charizard'],
  }),
  kind: Defaulted(
    Type.Unsafe<'card' | 'product'>({
      type: 'string',
      description: 'Search cards, or sealed products as `GET /v1/products` does.',
      enum: ['card', 'product'],
      default: 'card',
    }),
  ),
  game: GameParameter,
  set: Type.Optional(
    Type.String({
      description: 'Only this set, by `setId`, by code (all sets that share it) or by name.',
      minLength: 1,
      maxLength: MAX_QUERY,
    }),
  ),
  rarity: Type.Optional(
    Type.String({ description: 'Only this rarity.', minLength: 1, maxLength: MAX_QUERY }),
  ),
  ...PriceParameters,
  currency: CurrencyParameter,
  include: IncludeParameter,
  facets: Words('Counts all results on all pages by these; `price` by ranges.', FACETS),
  sort: Defaulted(
    Type.Unsafe<(typeof SEARCH_SORTS)[number]>({
      type: 'string',
      description: 'Order of the results.',
      enum: [...SEARCH_SORTS],
      default: 'relevance',
    }),
  ),
  explain: Type.Optional(
    Type.Unsafe<'match'>({
      type: 'string',
      description:
        '`match` adds to each result how the words of the query were read. Requires the ' +
        'Trader plan or above.',
      enum: ['match'],
    }),
  ),
  limit: Limit(20, 100),
  offset: Offset,
  cursor: CursorParameter,
});

const Hint = Type.Object(
  {
    kind: PRODUCT_FIELDS.kind,
    total: Type.Integer({ description: 'How many products the words find.' }),
    products: Type.Array(ProductSummary, { description: 'The first of them, at most 3.' }),
  },
  {
    description:
      'Only if the words say a sealed product (`evolving skies booster box`): the products that ' +
      '`kind=product` finds.',
  },
);

const Results = Type.Object({
  ...Page(CardSummary, 'The matches on this page, best first.').properties,
  hint: Type.Optional(Hint),
  facets: Type.Optional(FacetsOfResults),
  understood: Type.Optional(UnderstoodQuery),
  corrected: Type.Optional(
    Type.String({
      description:
        'The query in the spelling of its best match, in lower case; only if a word was misspelt.',
      examples: ['charizard 4/102'],
    }),
  ),
  suggestion: Type.Optional(
    Type.String({ description: 'Only if nothing matches: the nearest name that would match.' }),
  ),
});

export const search = defineEndpoint({
  method: 'GET',
  path: '/v1/search',
  table: CARD_TABLE,
  parameterFeatures: { explain: 'explain-match', ...INCLUDE_FEATURES },
  errors: [],
  schema: {
    operationId: 'searchCards',
    summary: 'Search cards by name, number, set and more',
    description:
      'The name counts most. Words that match nothing lower the rank; `understood` lists them ' +
      'as `ignored`, and malformed parts as `problems`.',
    querystring: Query,
    response: { 200: Results },
  },
  /** A later page continues the results of its first page, even after another publication. */
  isCacheable: ({ query }) => query.offset === 0,
  async answer(resources, request, history) {
    const { query } = request;
    if (query.kind === 'product') return productPage(resources, request, history);
    const { catalog, clock, estimates } = resources;
    const { q, game, set, rarity, sort, facets, explain, limit, offset } = query;
    const slug = slugOf(game);
    const today = dayOf(clock());
    const local = localPricesOf(query, catalog, today);
    const price = priceFilterOf(query);
    const confidence = confidenceFilterOf(query, today);
    const cursor = cursorOf('search', request);
    const found = catalog.search.search({
      q,
      ...(slug ? { game: slug } : {}),
      ...(set === undefined ? {} : { set }),
      ...(rarity === undefined ? {} : { rarity }),
      ...(price && { price }),
      ...(confidence && { confidence }),
      sort,
      limit,
      offset,
      ...(facets && { facets }),
      ...(cursor && { pick: (matches) => cursor.pick(matches, rowIdOf) }),
      explain: explain === 'match',
      today,
      // Amounts in other currencies need rates even if prices are shown in dollars.
      local: local ?? new LocalPrices('USD', catalog.rates, today),
    });
    const { total, understood, corrected, suggestion, readings, language } = found;
    const { page: cards, place } = cursor
      ? cursor.page(found.cards, total, rowIdOf)
      : { page: found.cards, place: { total, limit, offset } };
    const copyOf = copyReader(found, { estimates });
    const data = cards.map((found, index) => {
      const card = local?.card(found) ?? found;
      return {
        ...cardSummaryIn(language, card, today),
        ...copyOf?.(card),
        ...(explain && { match: (readings?.[index] ?? []).map(matchItem) }),
      };
    });
    const rest = {
      ...place,
      ...(found.facets && { facets: facetsView(found.facets) }),
      ...(understood && { understood: { ...understood, ...askedCopy(language, cards) } }),
      ...(corrected === undefined ? {} : { corrected }),
      ...(suggestion === undefined ? {} : { suggestion }),
      ...(place.offset === 0 && hintOf(catalog, today, { q, game: slug, set, local })),
    };
    const parts = await includedParts(resources, history, query, cards, (card) => {
      return printingInLanguageOf(card, language);
    });
    return { data: withParts(data, parts), ...rest };
  },
});

function rowIdOf({ rowId }: Card): number {
  return rowId;
}

/** Returns a page of products in the form of cards, without number and rarity. */
async function productPage(
  resources: Resources,
  request: { readonly query: Static<typeof Query> },
  history: PlanHistory,
) {
  const { query } = request;
  const { catalog, clock } = resources;
  const today = dayOf(clock());
  const { q, set, rarity } = query;
  const local = localPricesOf(query, catalog, today);
  const filters = {
    price: priceFilterOf(query),
    confidence: confidenceFilterOf(query, today),
    local,
  };
  const sort = query.sort === 'number' ? 'name' : query.sort;
  const asked = { q, set, sort, game: slugOf(query.game), ...filters };
  // No product has a rarity.
  const found = rarity === undefined ? listProducts(catalog, asked) : [];
  const { page, place } = pageOf('search', request, found, rowIdOf);
  const data = page.map((product) => {
    return { ...productSummary(product, today, local), number: null, rarity: null };
  });
  const counts = query.facets && countFacets(query.facets, found.map(facetedProduct(local)));
  const parts = await includedParts(resources, history, query, page);
  return { data: withParts(data, parts), ...place, ...(counts && { facets: facetsView(counts) }) };
}

/** Returns the function that extracts the counted parts of a product. Products have no rarity. */
function facetedProduct(local: LocalPrices | undefined) {
  return (product: Product) => {
    const { set, printings } = product;
    return { set, rarity: null, printings, market: comparedPrice(product, local) };
  };
}

function facetsView({ price, ...counts }: FacetCounts) {
  const bands = price?.map(({ min, max, count }) => {
    return { min: dollarsFromCents(min), max: dollarsOrNull(max), count };
  });
  return { ...counts, ...(bands && { price: bands }) };
}

/** Most products in a hint. */
const MAX_HINTED = 3;

/** Returns the products for a card query whose words suggest that it means products. */
function hintOf(
  catalog: Catalog,
  today: Day,
  query: {
    readonly q: string;
    readonly game: GameSlug | undefined;
    readonly set?: string | undefined;
    readonly local: LocalPrices | undefined;
  },
) {
  if (!saysProduct(query.q)) return {};
  const found = listProducts(catalog, { ...query, sort: 'relevance', isWhole: true });
  if (found.length === 0) return {};
  const products = found.slice(0, MAX_HINTED).map((product) => {
    return productSummary(product, today, query.local);
  });
  return { hint: { kind: 'product' as const, total: found.length, products } };
}

/** The same search, under the path of the hosted service's later interface. */
export const cardSearch: Endpoint = {
  ...search,
  path: '/v1/cards/search',
  elsewhere: LATER_INTERFACE,
  schema: {
    ...search.schema,
    operationId: 'searchCardsBelowCards',
    summary: 'Search cards, under the path of cards',
    description: 'Same answer as `GET /v1/search`.',
  },
};

/** States whether the cards on a page have a price in the language of the query. */
function askedCopy(language: LanguageCode | undefined, cards: readonly Card[]) {
  if (language === undefined) return {};
  const isKnown = (card: Card) => {
    const printing = printingInLanguageOf(card, language);
    return printing !== undefined && hasAmount(printing);
  };
  const name = languageName(language);
  return { copy: { language, name, priced: cards.some(isKnown) } };
}

/**
 * Returns a function that gives the price of a copy with the query's printing, condition or grade;
 * undefined if the query names none.
 */
function copyReader({ understood, language }: SearchResult, options: { estimates: boolean }) {
  if (!understood) return undefined;
  const { condition, grade, printing, ignored } = understood;
  const named = printing ?? (ignored.length > 0 ? printingWords(ignored.join(' ')) : undefined);
  const wanted = readCopy({ condition: condition ?? undefined, grade: grade ?? undefined });
  if (wanted.unclear !== undefined || (!isNamed(wanted) && named === undefined)) return undefined;
  return (card: Card) => {
    const printing = askedPrinting(card, named, language);
    const isOwn = language === undefined || isOwnLanguage(card, language);
    const asked = isOwn ? wanted : { ...wanted, language };
    const name = [named && (printing?.name ?? named), formatCopy(wanted)].filter(Boolean).join(' ');
    return { copy: { name, ...copyView(printing, asked, options) } };
  };
}

/** Returns the printing that a query asks for; undefined if it is not certain. */
function askedPrinting(card: Card, named: string | undefined, language: LanguageCode | undefined) {
  if (named === undefined) return printingInLanguageOf(card, language);
  const isOwn = language === undefined || isOwnLanguage(card, language);
  return isOwn ? printingMeant(card, named) : undefined;
}

function matchItem({ words, as, means, isCorrected }: Reading) {
  return { words, as, means, corrected: isCorrected };
}

const AutocompleteQuery = Type.Object({
  q: Type.String({
    description: 'The text typed so far.',
    minLength: 1,
    maxLength: MAX_QUERY,
    examples: ['chari'],
  }),
  game: GameParameter,
  limit: Limit(10, 20),
});

export const autocomplete = defineEndpoint({
  method: 'GET',
  path: '/v1/autocomplete',
  errors: [],
  schema: {
    operationId: 'autocompleteNames',
    summary: 'Complete a card name',
    description: 'Distinct card names for a search box, best first.',
    querystring: AutocompleteQuery,
    response: {
      200: Many(
        Type.String({ description: 'A card name.', examples: ['Charizard'] }),
        'The names, best first.',
      ),
    },
  },
  isCacheable: () => true,
  answer({ catalog }, { query: { q, game, limit } }) {
    const slug = slugOf(game);
    return { data: catalog.search.autocomplete({ q, limit, ...(slug ? { game: slug } : {}) }) };
  },
});
