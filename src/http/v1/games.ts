import { GameItem, Many } from '../schemas.ts';
import { defineEndpoint } from './endpoint.ts';
import { gameItem } from './views.ts';

export const games = defineEndpoint({
  method: 'GET',
  path: '/v1/games',
  errors: [],
  schema: {
    operationId: 'listGames',
    summary: 'List all supported games',
    description: 'With what the service can serve of each.',
    response: { 200: Many(GameItem, 'All games.') },
  },
  isCacheable: () => true,
  answer({ catalog }) {
    return { data: catalog.games().map(gameItem) };
  },
});
