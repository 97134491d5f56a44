import { type Static, Type } from 'typebox';
import { dayOf, endOfDay, formatDay, formatMoment } from '../../domain/day.ts';
import { ApiError } from '../../domain/errors.ts';
import { PICTURE_WIDTHS, type PictureSize } from '../../domain/games/game.ts';
import { GAMES } from '../../domain/games.ts';
import { type Cents, dollarsFromCents } from '../../domain/money.ts';
import { CHANGE_WINDOW_NAMES, percentBetween } from '../../domain/price-changes.ts';
import { GameParameter, IdParameter, slugOf } from '../../http/parameters.ts';
import { SetItem } from '../../http/schemas.ts';
import { requireCard } from '../../http/v1/card.ts';
import { setItem } from '../../http/v1/views.ts';
import { Data } from '../../operator/schemas.ts';
import { type AnyRoute, defineRoute } from '../route.ts';
import { LookupsView, MovedSetView, PriceCountsView } from '../views.ts';

/** Sets on the home page. */
const NEWEST_SETS = 8;

/** Sets on the page of movers. */
const MOVED_SETS = 5;

const MovedSetsQuery = Type.Object({
  game: GameParameter,
  window: Type.Enum([...CHANGE_WINDOW_NAMES], { title: 'The window', default: '7d' }),
});

const PICTURE_SIZES = Object.keys(PICTURE_WIDTHS) as PictureSize[];

const PictureQuery = Type.Object({
  size: Type.Enum(PICTURE_SIZES, { title: 'The size', default: 'large' }),
});

/** Card data that the API does not offer. */
export const CARD_ROUTES: readonly AnyRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/newest-sets',
    access: 'visitor',
    audit: null,
    schema: { response: { 200: Data(Type.Array(SetItem)) } },
    handle({ resources: { catalog }, clock }) {
      const today = formatDay(dayOf(clock()));
      const released = GAMES.flatMap(({ slug }) => {
        const past = catalog.sets(slug).filter(({ set }) => (set.releaseDate ?? '9') <= today);
        // The sets of each game are newest first.
        return past.slice(0, NEWEST_SETS).map((counted) => setItem(catalog, counted));
      });
      const newest = released.sort(byRelease).slice(0, NEWEST_SETS);
      return { data: newest };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/price-counts',
    access: 'visitor',
    audit: null,
    schema: { response: { 200: Data(PriceCountsView) } },
    handle({ resources: { catalog } }) {
      return { data: { prices: catalog.priceCount, days: catalog.historyDays } };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/moved-sets',
    access: 'visitor',
    audit: null,
    schema: { querystring: MovedSetsQuery, response: { 200: Data(Type.Array(MovedSetView)) } },
    async handle({ resources: { catalog } }, { query: { game, window } }) {
      const moved = await catalog.movers.sets({ game: slugOf(game), window });
      const data = moved.slice(0, MOVED_SETS).map(({ set, from, to }) => ({
        setId: set.id,
        code: set.code,
        name: set.name,
        game: set.game,
        amount: dollarsFromCents((to - from) as Cents),
        percent: percentBetween(from, to),
      }));
      return { data };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/lookups',
    access: 'visitor',
    audit: null,
    schema: { response: { 200: Data(LookupsView) } },
    async handle({ pageQuotas: { accounts, visitors }, clock }, { request, session }) {
      const left = await (session ? accounts.left(session) : visitors.left(request.ip));
      return { data: { ...left, resetAt: formatMoment(endOfDay(dayOf(clock()))) } };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/pictures/:id',
    access: 'visitor',
    audit: null,
    schema: { params: IdParameter, querystring: PictureQuery },
    async handle({ resources, pictures }, { params, query, reply }) {
      const { catalog } = resources;
      const product = catalog.products.product(params.id);
      const { image } = product ?? requireCard(catalog, params.id);
      const found = image === null ? undefined : await pictures?.read(image, query.size);
      if (!found) throw new ApiError('NOT_FOUND', 'There is no picture of this card.');
      reply.header('cache-control', 'private, max-age=86400').type(found.type);
      return found.bytes;
    },
  }),
];

function byRelease(a: Static<typeof SetItem>, b: Static<typeof SetItem>): number {
  return (b.releaseDate ?? '').localeCompare(a.releaseDate ?? '');
}
