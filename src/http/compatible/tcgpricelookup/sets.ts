import { Type } from 'typebox';
import type { Catalog, CountedSet } from '../../../catalog/catalog.ts';
import { type GameSlug, gameBySlug } from '../../../domain/games.ts';
import { GameParameter, Limit, Offset, slugOf } from '../../parameters.ts';
import { Page } from '../../schemas.ts';
import { defineEndpoint } from '../../v1/endpoint.ts';
import { UNDOCUMENTED } from '../interface.ts';

export const sets = defineEndpoint({
  method: 'GET',
  path: '/compatible/tcgpricelookup/v1/sets',
  errors: [],
  schema: {
    ...UNDOCUMENTED,
    querystring: Type.Object({ game: GameParameter, limit: Limit(50, 200), offset: Offset }),
    response: { 200: Page(Type.Unknown(), '') },
  },
  isCacheable: () => true,
  answer({ catalog }, { query: { game, limit, offset } }) {
    const all = catalog.sets(slugOf(game));
    const page = all.slice(offset, offset + limit);
    const data = page.map((counted) => setSummary(catalog, counted));
    return { data, total: all.length, limit, offset };
  },
});

function setSummary(catalog: Catalog, { set }: CountedSet) {
  return {
    id: set.id,
    slug: set.id,
    name: set.name,
    game: gameOf(set.game).slug,
    count: catalog.printingCount(set),
    released_at: set.releaseDate,
  };
}

export const games = defineEndpoint({
  method: 'GET',
  path: '/compatible/tcgpricelookup/v1/games',
  errors: [],
  schema: {
    ...UNDOCUMENTED,
    querystring: Type.Object({ limit: Limit(50, 200), offset: Offset }),
    response: { 200: Page(Type.Unknown(), '') },
  },
  isCacheable: () => true,
  answer({ catalog }, { query: { limit, offset } }) {
    const all = catalog.games();
    const data = all.slice(offset, offset + limit).map(({ game }) => {
      const counts = catalog.sets(game.slug).map(({ set }) => catalog.printingCount(set));
      return { ...gameOf(game.slug), count: counts.reduce((sum, count) => sum + count, 0) };
    });
    return { data, total: all.length, limit, offset };
  },
});

/** A game as cards refer to it: Japanese Pokémon has another slug in that interface. */
export function gameOf(slug: GameSlug) {
  const other = slug === 'pokemonjp' ? 'pokemon-jp' : slug;
  return { id: other, slug: other, name: gameBySlug(slug).name };
}
