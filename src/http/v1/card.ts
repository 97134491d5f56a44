import { type Static, Type } from 'typebox';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Card } from '../../domain/card.ts';
import { dayOf } from '../../domain/day.ts';
import { ApiError } from '../../domain/errors.ts';
import { CARD_ID_SPACES } from '../../domain/sources.ts';
import { splitList } from '../../lib/csv.ts';
import { isUnavailable } from '../../store/engine/unavailable.ts';
import { FeeParameter } from '../grading-schemas.ts';
import {
  CurrencyParameter,
  CursorParameter,
  IdParameter,
  Limit,
  localPricesOf,
  Offset,
} from '../parameters.ts';
import { BatchCard, CardDetail, Many, One } from '../schemas.ts';
import { Related } from '../set-schemas.ts';
import { BATCH_TABLE } from '../tables.ts';
import { shown } from '../validation.ts';
import { datedCards, PAST_FEATURES, PastParameters } from './as-of.ts';
import {
  defineEndpoint,
  Incomplete,
  ItemList,
  LATER_INTERFACE,
  type PlanHistory,
  type Resources,
} from './endpoint.ts';
import { gradingView } from './grading-view.ts';
import { INCLUDE_FEATURES, IncludeParameter, includedParts, withParts } from './include.ts';
import { pageOf } from './page-cursor.ts';
import { batchCard, cardDetail, cardSummary, namesView } from './views.ts';

/**
 * Returns the card with an id.
 *
 * @throws ApiError CARD_NOT_FOUND
 */
export function requireCard(catalog: Catalog, id: string): Card {
  const found = catalog.card(id);
  if (!found) throw new ApiError('CARD_NOT_FOUND', `No card has the id "${shown(id)}".`);
  return found;
}

const DetailQuery = Type.Object({
  ...PastParameters,
  currency: CurrencyParameter,
  fee: FeeParameter,
});

export const card = defineEndpoint({
  method: 'GET',
  path: '/v1/cards/:id',
  parameterFeatures: PAST_FEATURES,
  errors: ['CARD_NOT_FOUND'],
  schema: {
    operationId: 'getCard',
    summary: 'Get one card with all of its prices',
    description: '`prices` are those of the default printing; `printings` has every printing.',
    params: IdParameter,
    querystring: DetailQuery,
    response: { 200: One(CardDetail) },
  },
  isCacheable: () => true,
  async answer(resources, { params, query }, history) {
    return detailOf(resources, history, requireCard(resources.catalog, params.id), query);
  },
});

const ExternalIdPath = Type.Object({
  idSpace: Type.String({
    description: 'The source or marketplace of the id.',
    enum: [...CARD_ID_SPACES.keys()],
    examples: ['tcgplayer'],
  }),
  externalId: Type.String({ description: 'The id of the card there.', examples: ['510153'] }),
});

export const cardByExternalId = defineEndpoint({
  method: 'GET',
  path: '/v1/cards/by/:idSpace/:externalId',
  parameterFeatures: PAST_FEATURES,
  errors: ['CARD_NOT_FOUND'],
  schema: {
    operationId: 'getCardByExternalId',
    summary: 'Get one card by an id of a source or marketplace',
    description: 'Takes the ids that `externalIds` of a card lists.',
    params: ExternalIdPath,
    querystring: DetailQuery,
    response: { 200: One(CardDetail) },
  },
  isCacheable: () => true,
  async answer(resources, { params: { idSpace: space, externalId: id }, query }, history) {
    const card = resources.catalog.cardByExternalId({ space, id });
    if (!card) throw new ApiError('CARD_NOT_FOUND', `No card has the ${space} id "${shown(id)}".`);
    return detailOf(resources, history, card, query);
  },
});

/**
 * Returns a card in detail. Reads everything in memory before the facts, because a publication may
 * arrive during that read. If the facts cannot be read, the prices are returned without them.
 */
async function detailOf(
  resources: Resources,
  history: PlanHistory,
  card: Card,
  query: Static<typeof DetailQuery>,
) {
  const { catalog, estimates } = resources;
  const { cards, day: today } = await datedCards(resources, history, query, [card]);
  const [priced = card] = cards;
  const local = localPricesOf(query, catalog, today)?.card(priced) ?? priced;
  const detail = {
    ...cardDetail(local, catalog.externalIds(card), { estimates, today }),
    ...namesView(catalog.foreignNames(card)),
    ...gradingView(local, query.fee),
  };
  if (!catalog.search.facts.has(card.rowId)) return { data: detail };
  try {
    const facts = (await resources.facts([card.rowId])).get(card.rowId);
    return { data: { ...detail, ...(facts && { facts }) } };
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return new Incomplete({ data: detail }, error);
  }
}

/** Most cards of the same name in one answer. */
const MAX_OTHERS = 50;

export const related = defineEndpoint({
  method: 'GET',
  path: '/v1/cards/:id/related',
  parameterFeatures: INCLUDE_FEATURES,
  errors: ['CARD_NOT_FOUND'],
  schema: {
    operationId: 'getRelatedCards',
    summary: 'Get the cards related to a card',
    description: 'Its neighbours in the set, and cards with its name in all sets and languages.',
    params: IdParameter,
    querystring: Type.Object({
      currency: CurrencyParameter,
      include: IncludeParameter,
      limit: Limit(MAX_OTHERS, MAX_OTHERS),
      offset: Offset,
      cursor: CursorParameter,
    }),
    response: { 200: One(Related) },
  },
  isCacheable: () => true,
  async answer(resources, request, history) {
    const { catalog, clock } = resources;
    const { params, query } = request;
    const card = requireCard(catalog, params.id);
    const today = dayOf(clock());
    const inSet = catalog.cardsOf(card.set);
    const index = inSet.indexOf(card);
    const namesakes = catalog.namesakes(card);
    const { page, place } = pageOf('related', request, namesakes, ({ rowId }) => rowId);
    const neighbours = [inSet[index - 1], inSet[index + 1]];
    const shown = [...neighbours, ...page].filter((one) => one !== undefined);
    const local = localPricesOf(query, catalog, today);
    const summaries = shown.map((one) => cardSummary(local?.card(one) ?? one, today));
    const items = withParts(summaries, await includedParts(resources, history, query, shown));
    const summary = (one: Card | undefined) => (one && items[shown.indexOf(one)]) ?? null;
    const [previous = null, next = null] = neighbours.map(summary);
    const others = page.flatMap((one) => summary(one) ?? []);
    const { total: otherCount, nextCursor } = place;
    const paged = nextCursor === undefined ? {} : { nextCursor };
    return { data: { previous, next, others, otherCount, ...paged } };
  },
});

/** Most ids in one request. */
export const MAX_IDS = 20;

const Batch = Type.Object({
  ...Many(BatchCard, 'The cards that were found.').properties,
  missing: Type.Optional(
    Type.Array(Type.String(), { description: 'The ids that match no card. Absent if all do.' }),
  ),
});

const IncludingQuery = Type.Object({
  ...PastParameters,
  currency: CurrencyParameter,
  include: IncludeParameter,
});

const BatchBody = Type.Object({
  // No maximum here, because too many ids have a separate error code.
  ids: Type.Array(Type.String({ description: 'A card id, or such as `tcgplayer:42382`.' }), {
    description: `Card ids, or external ids such as \`tcgplayer:42382\`, at most ${MAX_IDS}.`,
    examples: [['pokemon-bs-charizard-004', 'pokemon-bs-blastoise-002']],
  }),
});

export const batch = defineEndpoint({
  method: 'POST',
  path: '/v1/cards/batch',
  table: BATCH_TABLE,
  scope: 'bulk',
  feature: 'batch',
  parameterFeatures: { ...INCLUDE_FEATURES, ...PAST_FEATURES },
  errors: ['INVALID_BODY', 'BATCH_LIMIT_EXCEEDED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  schema: {
    operationId: 'getCards',
    summary: 'Get several cards by id',
    description:
      'One item per id, in the order of the request; ids that match no card are left out.',
    querystring: IncludingQuery,
    body: BatchBody,
    response: { 200: Batch },
  },
  answer: (resources, { body: { ids }, query }, history) => cardsOf(resources, ids, query, history),
});

const BatchQuery = Type.Object({
  ...IncludingQuery.properties,
  ids: Type.String({
    description: `As in \`POST /v1/cards/batch\`, separated by commas, at most ${MAX_IDS}.`,
    minLength: 1,
    examples: ['pokemon-bs-charizard-004,pokemon-bs-blastoise-002'],
  }),
});

export const batchOfQuery = defineEndpoint({
  method: 'GET',
  path: '/v1/cards',
  table: BATCH_TABLE,
  elsewhere: LATER_INTERFACE,
  scope: 'bulk',
  feature: 'batch',
  parameterFeatures: { ...INCLUDE_FEATURES, ...PAST_FEATURES },
  errors: ['BATCH_LIMIT_EXCEEDED'],
  schema: {
    operationId: 'getCardsByQuery',
    summary: 'Get several cards by id, without a body',
    description: 'Same answer as `POST /v1/cards/batch`.',
    querystring: BatchQuery,
    response: { 200: Batch },
  },
  isCacheable: () => true,
  answer: (resources, { query }, history) => {
    return cardsOf(resources, idsIn(query.ids), query, history);
  },
});

/** A trailing comma, or two commas in a row, names no card. */
function idsIn(list: string): string[] {
  return splitList(list).filter((id) => id !== '');
}

/** A card, with the requested id. */
interface Found {
  readonly id: string;
  readonly card: Card;
}

/**
 * Returns the cards with these ids, in the order of the ids.
 *
 * @throws ApiError BATCH_LIMIT_EXCEEDED
 */
async function cardsOf(
  resources: Resources,
  ids: readonly string[],
  query: Static<typeof IncludingQuery>,
  history: PlanHistory,
) {
  const { catalog } = resources;
  if (ids.length > MAX_IDS) {
    const message = `A batch holds at most ${MAX_IDS} ids; ${ids.length} were sent.`;
    const details = [{ parameter: 'ids', message }];
    throw new ApiError('BATCH_LIMIT_EXCEEDED', message, { details });
  }
  const found = ids.flatMap((id) => {
    const card = catalog.cardWithId(id);
    return card ? { id, card } : [];
  });
  const isWhole = found.length === ids.length;
  const missing = isWhole ? [] : ids.filter((id) => catalog.cardWithId(id) === undefined);
  const current = found.map(({ card }) => card);
  const { cards, day } = await datedCards(resources, history, query, current);
  const priced = found.map(({ id, card }, index) => ({ id, card: cards[index] ?? card }));
  const local = localPricesOf(query, catalog, day);
  const make = ({ id, card }: Found) => {
    const requested = id === card.id ? {} : { requested: id };
    return { ...batchCard(local?.card(card) ?? card, day), ...requested };
  };
  if (query.include || query.asOf !== undefined || query.knownAt !== undefined) {
    const data = priced.map(make);
    const parts = await includedParts(resources, history, query, cards);
    return { data: withParts(data, parts), ...(missing.length > 0 && { missing }) };
  }
  return new ItemList(
    BatchCard,
    priced.map((one) => ({
      id: local ? `${one.id} ${local.currency}` : one.id,
      make: () => make(one),
    })),
    missing,
  );
}
