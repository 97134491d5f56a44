import { Type } from 'typebox';
import { findGame, GAMES } from '../../domain/games.ts';
import { GameParameter } from '../parameters.ts';
import { Many } from '../schemas.ts';
import { RarityItem } from '../set-schemas.ts';
import { defineEndpoint } from './endpoint.ts';

export const rarities = defineEndpoint({
  method: 'GET',
  path: '/v1/rarities',
  errors: ['INVALID_PARAMETER'],
  schema: {
    operationId: 'listRarities',
    summary: 'List the rarities of games',
    description: 'With the number of cards of each; cards without a rarity are in none.',
    querystring: Type.Object({ game: GameParameter }),
    response: { 200: Many(RarityItem, 'The rarities by game, in alphabetical order.') },
  },
  isCacheable: () => true,
  answer({ catalog }, { query }) {
    const only = query.game === undefined ? undefined : findGame(query.game)?.slug;
    const slugs = only ? [only] : GAMES.map(({ slug }) => slug);
    const data = slugs.flatMap((game) => {
      return catalog.rarities(game).map((counted) => ({ game, ...counted }));
    });
    return { data };
  },
});
