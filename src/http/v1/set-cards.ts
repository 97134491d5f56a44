import { Type } from 'typebox';
import { type Card, defaultPrinting, ownPrintings } from '../../domain/card.ts';
import { type ConfidenceFilter, isSureEnough } from '../../domain/confidence-level.ts';
import { dayOf } from '../../domain/day.ts';
import type { LocalPrices } from '../../domain/local-prices.ts';
import type { PriceFilter } from '../../domain/price.ts';
import { comparedPrice, passesPrice } from '../../domain/price-filter.ts';
import { compareText, foldText } from '../../domain/text.ts';
import {
  CurrencyParameter,
  CursorParameter,
  confidenceFilterOf,
  Defaulted,
  Limit,
  localPricesOf,
  Offset,
  PriceParameters,
  priceFilterOf,
  SetPath,
} from '../parameters.ts';
import { CardSummary, Page } from '../schemas.ts';
import { CARD_TABLE } from '../tables.ts';
import { defineEndpoint } from './endpoint.ts';
import { INCLUDE_FEATURES, IncludeParameter, includedParts, withParts } from './include.ts';
import { pageOf } from './page-cursor.ts';
import { MAX_QUERY } from './search.ts';
import { requireSet } from './sets.ts';
import { cardSummary } from './views.ts';

type Compare = (a: Card, b: Card, local: LocalPrices | undefined) => number;

/** Compares cards for each sort. Cards without a price come last. */
const SORTS = {
  number: undefined,
  price_desc: (a, b, local) => (comparedPrice(b, local) ?? -1) - (comparedPrice(a, local) ?? -1),
  price_asc: (a, b, local) => {
    return (comparedPrice(a, local) ?? UNPRICED) - (comparedPrice(b, local) ?? UNPRICED);
  },
  name: (a, b) => compareText(a.name, b.name),
} as const satisfies Readonly<Record<string, Compare | undefined>>;

const UNPRICED = Number.MAX_SAFE_INTEGER;

const Label = (description: string) =>
  Type.Optional(Type.String({ description, minLength: 1, maxLength: MAX_QUERY }));

const Query = Type.Object({
  sort: Defaulted(
    Type.Unsafe<keyof typeof SORTS>({
      type: 'string',
      description: 'Order of the cards, equal ones by collector number: 2 before 10.',
      enum: Object.keys(SORTS),
      default: 'number',
    }),
  ),
  rarity: Label('Only this rarity.'),
  printing: Label('Only cards that have this printing.'),
  ...PriceParameters,
  currency: CurrencyParameter,
  include: IncludeParameter,
  limit: Limit(50, 200),
  offset: Offset,
  cursor: CursorParameter,
});

export const setCards = defineEndpoint({
  method: 'GET',
  path: '/v1/sets/:setId/cards',
  table: CARD_TABLE,
  parameterFeatures: INCLUDE_FEATURES,
  errors: ['SET_NOT_FOUND'],
  schema: {
    operationId: 'listCardsOfSet',
    summary: 'List the cards of a set',
    description: 'By collector number, price or name; filters compare without case.',
    params: SetPath,
    querystring: Query,
    response: { 200: Page(CardSummary, 'The cards on this page.') },
  },
  isCacheable: () => true,
  async answer(resources, request, history) {
    const { catalog, clock } = resources;
    const { params, query } = request;
    const { sort, rarity, printing } = query;
    const today = dayOf(clock());
    const confidence = confidenceFilterOf(query, today);
    const local = localPricesOf(query, catalog, today);
    const price = priceFilterOf(query);
    const passes = filterOf({ rarity, printing, price, confidence, local });
    const found = catalog.cardsOf(requireSet(catalog, params.setId).set).filter(passes);
    const compare: Compare | undefined = SORTS[sort];
    if (compare) found.sort((a, b) => compare(a, b, local));
    const { page, place } = pageOf('set-cards', request, found, ({ rowId }) => rowId);
    const data = page.map((card) => cardSummary(local?.card(card) ?? card, today));
    const parts = await includedParts(resources, history, query, page);
    return { data: withParts(data, parts), ...place };
  },
});

interface CardFilter {
  readonly rarity: string | undefined;
  readonly printing: string | undefined;
  readonly price: PriceFilter | undefined;
  readonly confidence: ConfidenceFilter | undefined;
  readonly local: LocalPrices | undefined;
}

function filterOf(filter: CardFilter): (card: Card) => boolean {
  const { rarity, printing, price, confidence, local } = filter;
  const [foldedRarity, foldedPrinting] = [rarity, printing].map((text) => text && foldText(text));
  return (card) =>
    (foldedRarity === undefined || foldText(card.rarity ?? '') === foldedRarity) &&
    (foldedPrinting === undefined ||
      ownPrintings(card).some(({ name }) => foldText(name) === foldedPrinting)) &&
    (price === undefined || passesPrice(card, price, local)) &&
    (confidence === undefined || isSureEnough(defaultPrinting(card), confidence));
}
