import { Type } from 'typebox';
import { dayOf } from '../../domain/day.ts';
import { IdParameter, Limit } from '../parameters.ts';
import { One } from '../schemas.ts';
import { Related } from '../set-schemas.ts';
import { requireCard } from './card.ts';
import { defineEndpoint } from './endpoint.ts';
import { cardSummary } from './views.ts';

/** Most cards of the same name in one answer. */
const MAX_OTHERS = 50;

export const related = defineEndpoint({
  method: 'GET',
  path: '/v1/cards/:id/related',
  errors: ['CARD_NOT_FOUND'],
  schema: {
    operationId: 'getRelatedCards',
    summary: 'Get the cards around a card',
    description: 'Its neighbours in the set, and the cards of its name in all sets and languages.',
    params: IdParameter,
    querystring: Type.Object({ limit: Limit(MAX_OTHERS, MAX_OTHERS) }),
    response: { 200: One(Related) },
  },
  isCacheable: () => true,
  answer({ catalog, clock }, { params, query }) {
    const card = requireCard(catalog, params.id);
    const today = dayOf(clock());
    const inSet = catalog.cardsOf(card.set);
    const place = inSet.indexOf(card);
    const others = catalog.namesakes(card);
    const [previous, next] = [inSet[place - 1], inSet[place + 1]];
    return {
      data: {
        previous: previous ? cardSummary(previous, today) : null,
        next: next ? cardSummary(next, today) : null,
        others: others.slice(0, query.limit).map((other) => cardSummary(other, today)),
        otherCount: others.length,
      },
    };
  },
});
