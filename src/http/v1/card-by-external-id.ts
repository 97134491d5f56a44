import { Type } from 'typebox';
import { dayOf } from '../../domain/day.ts';
import { ApiError } from '../../domain/errors.ts';
import { CARD_ID_SPACES } from '../../domain/id-spaces.ts';
import { CardDetail, One } from '../schemas.ts';
import { shown } from '../validation.ts';
import { defineEndpoint } from './endpoint.ts';
import { cardDetail } from './views.ts';

const Params = Type.Object({
  idSpace: Type.String({
    description: 'Whose id it is.',
    enum: [...CARD_ID_SPACES.keys()],
    examples: ['tcgplayer'],
  }),
  externalId: Type.String({ description: 'Id of the card there.', examples: ['42382'] }),
});

export const cardByExternalId = defineEndpoint({
  method: 'GET',
  path: '/v1/cards/by/:idSpace/:externalId',
  errors: ['INVALID_PARAMETER', 'CARD_NOT_FOUND'],
  schema: {
    operationId: 'getCardByExternalId',
    summary: 'Get one card by an id of a source or marketplace',
    description: 'The ids are those that `externalIds` of a card has.',
    params: Params,
    response: { 200: One(CardDetail) },
  },
  isCacheable: () => true,
  answer({ catalog, estimates, clock }, { params: { idSpace: space, externalId: id } }) {
    const card = catalog.cardByExternalId({ space, id });
    if (!card) throw new ApiError('CARD_NOT_FOUND', `No card has the ${space} id "${shown(id)}".`);
    const options = { estimates, today: dayOf(clock()) };
    return { data: cardDetail(card, catalog.externalIds(card), options) };
  },
});
