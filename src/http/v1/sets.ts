import { Type } from 'typebox';
import { findGame } from '../../domain/games.ts';
import { GameParameter, Limit, Offset } from '../parameters.ts';
import { Page, SetItem } from '../schemas.ts';
import { defineEndpoint } from './endpoint.ts';
import { setItem } from './views.ts';

const Query = Type.Object({ game: GameParameter, limit: Limit(50, 200), offset: Offset });

export const sets = defineEndpoint({
  method: 'GET',
  path: '/v1/sets',
  errors: ['INVALID_PARAMETER'],
  schema: {
    operationId: 'listSets',
    summary: 'List card sets',
    description: 'In the order of games, newest first within a game.',
    querystring: Query,
    response: { 200: Page(SetItem, 'The sets on this page.') },
  },
  isCacheable: () => true,
  answer({ catalog }, { query: { game, limit, offset } }) {
    const all = catalog.sets(game === undefined ? undefined : findGame(game)?.slug);
    const page = all.slice(offset, offset + limit);
    const data = page.map((counted) => setItem(catalog, counted));
    return { data, total: all.length, limit, offset };
  },
});
