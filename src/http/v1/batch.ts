import { Type } from 'typebox';
import { dayOf } from '../../domain/day.ts';
import { ApiError } from '../../domain/errors.ts';
import { splitList } from '../../lib/lists.ts';
import { BatchCard, Many } from '../schemas.ts';
import { defineEndpoint, type Resources } from './endpoint.ts';
import { batchCard } from './views.ts';

/** Most ids in one request. */
const MAX_IDS = 20;

const Body = Type.Object({
  // No maximum here, because too many ids have a separate error code.
  ids: Type.Array(Type.String({ description: 'A card id.' }), {
    description: `Card ids, at most ${MAX_IDS}.`,
    examples: [['pokemon-bs-charizard-004', 'pokemon-bs-blastoise-002']],
  }),
});

export const batch = defineEndpoint({
  method: 'POST',
  path: '/v1/cards/batch',
  scope: 'bulk',
  feature: 'batch',
  errors: ['INVALID_BODY', 'BATCH_LIMIT_EXCEEDED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  schema: {
    operationId: 'getCards',
    summary: 'Get several cards by id',
    description:
      'One item per id, in the order of the request; ids that match no card are left out.',
    body: Body,
    response: { 200: Many(BatchCard, 'The cards that were found.') },
  },
  answer: (resources, { body: { ids } }) => cardsOf(resources, ids),
});

const Query = Type.Object({
  ids: Type.String({
    description: `Card ids with commas between, at most ${MAX_IDS}.`,
    minLength: 1,
    examples: ['pokemon-bs-charizard-004,pokemon-bs-blastoise-002'],
  }),
});

export const batchOfQuery = defineEndpoint({
  method: 'GET',
  path: '/v1/cards',
  scope: 'bulk',
  feature: 'batch',
  errors: ['INVALID_PARAMETER', 'BATCH_LIMIT_EXCEEDED'],
  schema: {
    operationId: 'getCardsByQuery',
    summary: 'Get several cards by id, without a body',
    description: 'Answers as `POST /v1/cards/batch`.',
    querystring: Query,
    response: { 200: Many(BatchCard, 'The cards that were found.') },
  },
  isCacheable: () => true,
  answer: (resources, { query: { ids } }) => cardsOf(resources, splitList(ids)),
});

/**
 * Returns the cards with these ids, in the order of the ids.
 *
 * @throws ApiError BATCH_LIMIT_EXCEEDED
 */
function cardsOf({ catalog, clock }: Resources, ids: readonly string[]) {
  if (ids.length > MAX_IDS) {
    const message = `A batch holds at most ${MAX_IDS} ids; ${ids.length} were sent.`;
    const details = [{ parameter: 'ids', message }];
    throw new ApiError('BATCH_LIMIT_EXCEEDED', message, { details });
  }
  const cards = ids.map((id) => catalog.card(id)).filter((card) => card !== undefined);
  const today = dayOf(clock());
  return { data: cards.map((card) => batchCard(card, today)) };
}
