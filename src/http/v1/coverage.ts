import { type Static, Type } from 'typebox';
import type { SetCoverage } from '../../catalog/coverage.ts';
import { dayOf } from '../../domain/day.ts';
import { GAMES, type GameSlug } from '../../domain/games.ts';
import { compareText } from '../../domain/text.ts';
import { GameParameter, slugOf } from '../parameters.ts';
import { GameSlugText, Many, Moment, SetItem, Text } from '../schemas.ts';
import { defineEndpoint } from './endpoint.ts';
import { moment } from './views.ts';

/** Price coverage: the priced cards, their marketplaces and their freshness. */

const COUNTS = {
  cardCount: Type.Integer({ description: 'Cards in the catalogue.' }),
  pricedCount: Type.Integer({ description: 'Cards whose default printing has a price.' }),
  freshCount: Type.Integer({ description: 'Those whose price is not `stale`.' }),
  newestAt: Moment('When the newest price was observed at its source'),
  marketplaces: Type.Array(
    Type.Object({
      marketplace: Text('The marketplace.', 'tcgplayer'),
      cardCount: Type.Integer({ description: 'Cards with prices from it.' }),
    }),
    {
      title: 'CoveredMarketplaces',
      description: 'Where the prices are from, the most cards first.',
    },
  ),
};

const { setId, code, name } = SetItem.properties;

const Covered = Type.Object(
  {
    game: GameSlugText,
    ...COUNTS,
    sets: Type.Optional(
      Type.Array(Type.Object({ setId, code, name, ...COUNTS }, { title: 'SetCoverage' }), {
        description: 'Only with `game`: every set with cards, newest first.',
      }),
    ),
  },
  { $id: 'Coverage', title: 'Coverage', description: 'What is priced of a game.' },
);

export const coverage = defineEndpoint({
  method: 'GET',
  path: '/v1/coverage',
  errors: [],
  schema: {
    operationId: 'getCoverage',
    summary: 'List what is priced, from whom, and how fresh it is',
    description: 'By game, and with `game` also by set. Sealed products are not counted.',
    querystring: Type.Object({ game: GameParameter }),
    response: { 200: Many(Covered, 'The games.') },
  },
  isCacheable: () => true,
  async answer({ catalog, clock }, { query }) {
    const counted = await catalog.coverage.sets(dayOf(clock()));
    const only = slugOf(query.game);
    const setsOf = (game: GameSlug) => {
      return catalog.sets(game).flatMap(({ set }) => counted.get(set.rowId) ?? []);
    };
    if (only === undefined) {
      return { data: GAMES.map(({ slug }) => ({ game: slug, ...countsOf(setsOf(slug)) })) };
    }
    const sets = setsOf(only);
    return { data: [{ game: only, ...countsOf(sets), sets: sets.map(setView) }] };
  },
});

function setView(counts: SetCoverage) {
  const { id, code, name } = counts.set;
  return { setId: id, code, name, ...countsOf([counts]) };
}

/** Returns the totals of several sets. */
function countsOf(sets: readonly SetCoverage[]): Static<Type.TObject<typeof COUNTS>> {
  const byMarketplace = new Map<string, number>();
  for (const [marketplace, count] of sets.flatMap(({ marketplaces }) => [...marketplaces])) {
    byMarketplace.set(marketplace, (byMarketplace.get(marketplace) ?? 0) + count);
  }
  const marketplaces = [...byMarketplace].map(([marketplace, cardCount]) => {
    return { marketplace, cardCount };
  });
  const newestAt = Math.max(0, ...sets.map((set) => set.newestAt ?? 0));
  return {
    cardCount: sum(sets, 'cardCount'),
    pricedCount: sum(sets, 'pricedCount'),
    freshCount: sum(sets, 'freshCount'),
    newestAt: moment(newestAt || null),
    marketplaces: marketplaces.toSorted((a, b) => {
      return b.cardCount - a.cardCount || compareText(a.marketplace, b.marketplace);
    }),
  };
}

function sum(
  sets: readonly SetCoverage[],
  field: 'cardCount' | 'pricedCount' | 'freshCount',
): number {
  return sets.reduce((total, set) => total + set[field], 0);
}
