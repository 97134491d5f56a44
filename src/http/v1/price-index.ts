import { Type } from 'typebox';
import type { CountedSet } from '../../catalog/catalog.ts';
import { ownPrintings } from '../../domain/card.ts';
import { type Day, PERIODS, type Period, windowOf } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import {
  type IndexSeries,
  indexChanges,
  PriceIndex,
  toHundredths,
} from '../../history/price-index.ts';
import type { Publication } from '../../store/catalogue/publications.ts';
import { GamePath, SetPath, slugOf } from '../parameters.ts';
import { One } from '../schemas.ts';
import { PriceIndexBody } from '../set-schemas.ts';
import { defineEndpoint, type PlanHistory, type Resources } from './endpoint.ts';
import { daysOfPeriod, PeriodParameter } from './history.ts';
import { requireSet } from './sets.ts';
import { dateOf } from './views.ts';

const Query = Type.Object({ period: PeriodParameter });

const DESCRIPTION =
  'How the market prices of its cards, in US dollars, moved as a whole. Printings that come or go ' +
  'move nothing. Requires the Trader plan or above.';

export const setIndex = defineEndpoint({
  method: 'GET',
  path: '/v1/sets/:setId/index',
  feature: 'history',
  errors: ['SET_NOT_FOUND'],
  schema: {
    operationId: 'getIndexOfSet',
    summary: 'Get the price index of a set',
    description: DESCRIPTION,
    params: SetPath,
    querystring: Query,
    response: { 200: One(PriceIndexBody) },
  },
  isCacheable: () => true,
  historyDays: daysOfPeriod,
  async answer(resources, { params: { setId }, query: { period } }, history) {
    const counted = requireSet(resources.catalog, setId);
    const { game } = counted.set;
    const body = await bodyOf(resources, history, { game, sets: [counted], period });
    return { data: { setId, ...body } };
  },
});

export const gameIndex = defineEndpoint({
  method: 'GET',
  path: '/v1/games/:game/index',
  feature: 'history',
  errors: [],
  schema: {
    operationId: 'getIndexOfGame',
    summary: 'Get the price index of a game',
    description: DESCRIPTION,
    params: GamePath,
    querystring: Query,
    response: { 200: One(PriceIndexBody) },
  },
  isCacheable: () => true,
  historyDays: daysOfPeriod,
  async answer(resources, { params, query: { period } }, history) {
    const game = slugOf(params.game) as GameSlug;
    const sets = resources.catalog.sets(game);
    return { data: await bodyOf(resources, history, { game, sets, period }) };
  },
});

/** A requested index: for the cards of some sets of a game. */
interface Asked {
  readonly game: GameSlug;
  readonly sets: readonly CountedSet[];
  readonly period: Period;
}

/** For a game without prices. */
const NO_SERIES: IndexSeries = { first: 0 as Day, values: [] };

async function bodyOf(resources: Resources, history: PlanHistory, asked: Asked) {
  const { game, period } = asked;
  const asOf = resources.catalog.asOf(game);
  history.require(PERIODS[period] ?? Number.POSITIVE_INFINITY);
  const { first, values } =
    asOf === null ? NO_SERIES : await shared(resources, history, asked, asOf);
  return {
    game,
    period,
    asOf: asOf === null ? null : dateOf(asOf),
    changes: indexChanges(values, PERIODS[period]),
    index: values.map((value, index) => {
      return { date: dateOf((first + index) as Day), value: toHundredths(value) };
    }),
  };
}

/** The indices of a publication that are being computed, by game, sets and period. */
const underWay = new WeakMap<Publication, Map<string, Promise<IndexSeries>>>();

/** Computes an index once for simultaneous requests: the index of a game takes seconds. */
function shared(resources: Resources, history: PlanHistory, asked: Asked, asOf: Day) {
  const { publication } = resources.catalog;
  const all = underWay.get(publication) ?? new Map<string, Promise<IndexSeries>>();
  underWay.set(publication, all);
  const { game, sets, period } = asked;
  const key = `${game} ${sets.length === 1 ? sets[0]?.set.id : ''} ${period}`;
  const computed = all.get(key) ?? compute(resources, history, asked, asOf);
  all.set(key, computed);
  return computed.finally(() => all.delete(key));
}

async function compute({ catalog }: Resources, history: PlanHistory, asked: Asked, asOf: Day) {
  const days = Math.min(PERIODS[asked.period] ?? catalog.historyDays, catalog.historyDays);
  const printings = asked.sets.flatMap(({ set }) => catalog.cardsOf(set).flatMap(ownPrintings));
  const disputes = new Map(printings.map(({ rowId, dispute }) => [rowId, dispute?.since]));
  const index = new PriceIndex(windowOf(days, asOf));
  for await (const part of history.inParts(days, asOf, [...disputes.keys()])) {
    for (const [printing, observed] of part) {
      const since = disputes.get(printing);
      index.add(since === undefined ? observed : observed.filter(({ day }) => day < since));
    }
  }
  return index.series();
}
