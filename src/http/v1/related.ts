import { dayOf } from '../../domain/day.ts';
import { IdParameter } from '../parameters.ts';
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
    response: { 200: One(Related) },
  },
  isCacheable: () => true,
  answer({ catalog, clock }, { params }) {
    const card = requireCard(catalog, params.id);
    const today = dayOf(clock());
    const inSet = catalog.cardsOf(card.set);
    const place = inSet.indexOf(card);
    const [previous, next] = [inSet[place - 1], inSet[place + 1]];
    return {
      data: {
        previous: previous ? cardSummary(previous, today) : null,
        next: next ? cardSummary(next, today) : null,
        others: catalog.namesakes(card, MAX_OTHERS).map((other) => cardSummary(other, today)),
      },
    };
  },
});
