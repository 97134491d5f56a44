import { Type } from 'typebox';
import type { Catalog, CountedSet } from '../../catalog/catalog.ts';
import { findGame } from '../../domain/games.ts';
import { matchLabels } from '../../domain/label-match.ts';
import { compareText, foldText } from '../../domain/text.ts';
import { Defaulted, GameParameter, Limit, Offset } from '../parameters.ts';
import { Page, SetItem } from '../schemas.ts';
import { defineEndpoint } from './endpoint.ts';
import { MAX_QUERY } from './search.ts';
import { setItem } from './views.ts';

type Compare = (a: CountedSet, b: CountedSet) => number;

/** Compares sets for each sort; the catalogue is in the order of `newest`. No value sorts last. */
const SORTS = {
  newest: undefined,
  value: (catalog: Catalog): Compare => {
    return ({ set: a }, { set: b }) => (catalog.value(b) ?? -1) - (catalog.value(a) ?? -1);
  },
  name: (): Compare => (a, b) => compareText(a.set.name, b.set.name),
} as const;

const Query = Type.Object({
  game: GameParameter,
  q: Type.Optional(
    Type.String({
      description:
        'Only sets whose name or code contains this, without regard to case and accents.',
      minLength: 1,
      maxLength: MAX_QUERY,
      examples: ['base set'],
    }),
  ),
  sort: Defaulted(
    Type.Unsafe<keyof typeof SORTS>({
      type: 'string',
      description:
        'Order of the sets: in the order of games and the newest first within a game, by what one ' +
        'of each card costs, or by name.',
      enum: Object.keys(SORTS),
      default: 'newest',
    }),
  ),
  limit: Limit(50, 200),
  offset: Offset,
});

export const sets = defineEndpoint({
  method: 'GET',
  path: '/v1/sets',
  errors: ['INVALID_PARAMETER'],
  schema: {
    operationId: 'listSets',
    summary: 'List card sets',
    description: 'All of them, or those of a game or of a part of a name or code.',
    querystring: Query,
    response: { 200: Page(SetItem, 'The sets on this page.') },
  },
  isCacheable: () => true,
  answer({ catalog }, { query: { game, q, sort, limit, offset } }) {
    const all = catalog.sets(game === undefined ? undefined : findGame(game)?.slug);
    const found = q === undefined ? all : all.filter(isCalled(q));
    const compare = SORTS[sort]?.(catalog);
    const sorted = compare ? found.toSorted(compare) : found;
    const page = sorted.slice(offset, offset + limit);
    const data = page.map((counted) => setItem(catalog, counted));
    return { data, total: found.length, limit, offset };
  },
});

function isCalled(text: string): (counted: CountedSet) => boolean {
  const part = foldText(text);
  return ({ set: { name, code } }) => matchLabels([name, code], part) !== undefined;
}
