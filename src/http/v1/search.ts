import { Type } from 'typebox';
import { dayOf } from '../../domain/day.ts';
import { findGame } from '../../domain/games.ts';
import { SEARCH_SORTS } from '../../search/index.ts';
import { Defaulted, GameParameter, Limit, Offset } from '../parameters.ts';
import { CardSummary, Page } from '../schemas.ts';
import { defineEndpoint } from './endpoint.ts';
import { cardSummary } from './views.ts';

/** Longest search text, in characters. */
export const MAX_QUERY = 200;

const Query = Type.Object({
  q: Type.String({
    description: 'Card name to search for; also numbers (`charizard 4/102`) and set codes.',
    minLength: 1,
    maxLength: MAX_QUERY,
    examples: ['charizard'],
  }),
  game: GameParameter,
  set: Type.Optional(
    Type.String({
      description: 'Only this set, by `setId`, by code (all sets that share it) or by name.',
      minLength: 1,
      maxLength: MAX_QUERY,
    }),
  ),
  rarity: Type.Optional(
    Type.String({ description: 'Only this rarity.', minLength: 1, maxLength: MAX_QUERY }),
  ),
  sort: Defaulted(
    Type.Unsafe<(typeof SEARCH_SORTS)[number]>({
      type: 'string',
      description: 'Order of the results.',
      enum: [...SEARCH_SORTS],
      default: 'relevance',
    }),
  ),
  limit: Limit(20, 100),
  offset: Offset,
});

const Results = Type.Object({
  ...Page(CardSummary, 'The matches on this page, best first.').properties,
  suggestion: Type.Optional(
    Type.String({ description: 'Only when nothing matches: the nearest name that would.' }),
  ),
});

export const search = defineEndpoint({
  method: 'GET',
  path: '/v1/search',
  errors: ['INVALID_PARAMETER'],
  schema: {
    operationId: 'searchCards',
    summary: 'Search cards by name',
    description: 'Every word must match the card: its name, its number or its set code.',
    querystring: Query,
    response: { 200: Results },
  },
  /** A later page continues the results of its first page, whatever was published since. */
  isCacheable: ({ query }) => query.offset === 0,
  answer({ catalog, clock }, { query }) {
    const { q, game, set, rarity, sort, limit, offset } = query;
    const slug = game === undefined ? undefined : findGame(game)?.slug;
    const found = catalog.search.search({
      q,
      ...(slug ? { game: slug } : {}),
      ...(set === undefined ? {} : { set }),
      ...(rarity === undefined ? {} : { rarity }),
      sort,
      limit,
      offset,
    });
    const { cards, total, suggestion } = found;
    const today = dayOf(clock());
    return {
      data: cards.map((card) => cardSummary(card, today)),
      total,
      limit,
      offset,
      ...(suggestion === undefined ? {} : { suggestion }),
    };
  },
});
