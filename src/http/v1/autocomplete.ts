import { Type } from 'typebox';
import { findGame } from '../../domain/games.ts';
import { GameParameter, Limit } from '../parameters.ts';
import { Many } from '../schemas.ts';
import { defineEndpoint } from './endpoint.ts';
import { MAX_QUERY } from './search.ts';

const Query = Type.Object({
  q: Type.String({
    description: 'What has been typed so far.',
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
  errors: ['INVALID_PARAMETER'],
  schema: {
    operationId: 'autocompleteNames',
    summary: 'Complete a card name',
    description: 'Distinct card names for a search box, best first.',
    querystring: Query,
    response: {
      200: Many(
        Type.String({ description: 'A card name.', examples: ['Charizard'] }),
        'The names, best first.',
      ),
    },
  },
  isCacheable: () => true,
  answer({ catalog }, { query: { q, game, limit } }) {
    const slug = game === undefined ? undefined : findGame(game)?.slug;
    return { data: catalog.search.autocomplete({ q, limit, ...(slug ? { game: slug } : {}) }) };
  },
});
