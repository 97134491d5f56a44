import type { Catalog } from '../../catalog/catalog.ts';
import type { Card } from '../../domain/card.ts';
import { dayOf } from '../../domain/day.ts';
import { ApiError } from '../../domain/errors.ts';
import { IdParameter } from '../parameters.ts';
import { CardDetail, One } from '../schemas.ts';
import { shown } from '../validation.ts';
import { defineEndpoint } from './endpoint.ts';
import { cardDetail } from './views.ts';

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

export const card = defineEndpoint({
  method: 'GET',
  path: '/v1/cards/:id',
  errors: ['CARD_NOT_FOUND'],
  schema: {
    operationId: 'getCard',
    summary: 'Get one card with all of its prices',
    description: 'The prices of the card are those of its default printing; `printings` has all.',
    params: IdParameter,
    response: { 200: One(CardDetail) },
  },
  isCacheable: () => true,
  answer({ catalog, estimates, clock }, { params }) {
    const card = requireCard(catalog, params.id);
    const options = { estimates, today: dayOf(clock()) };
    return { data: cardDetail(card, catalog.externalIds(card), options) };
  },
});
