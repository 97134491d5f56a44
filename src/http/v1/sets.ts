import { Type } from 'typebox';
import type { Catalog, CountedSet } from '../../catalog/catalog.ts';
import { type Card, comparePrintings, ownPrintings } from '../../domain/card.ts';
import { reliableMarket } from '../../domain/confidence-level.ts';
import { type Day, dayOf } from '../../domain/day.ts';
import { ApiError } from '../../domain/errors.ts';
import { GAMES } from '../../domain/games.ts';
import type { LocalPrices } from '../../domain/local-prices.ts';
import { compareText, foldText, matchLabels } from '../../domain/text.ts';
import {
  CurrencyQuery,
  CursorParameter,
  Defaulted,
  GameParameter,
  GamePath,
  Limit,
  localPricesOf,
  Offset,
  SetPath,
  slugOf,
} from '../parameters.ts';
import { GameItem, Many, One, Page, SetItem } from '../schemas.ts';
import { RarityItem, SetDetail } from '../set-schemas.ts';
import { SET_TABLE } from '../tables.ts';
import { shown } from '../validation.ts';
import { defineEndpoint } from './endpoint.ts';
import { pageOf } from './page-cursor.ts';
import { MAX_QUERY } from './search.ts';
import { cardSummary, gameItem, setItem } from './views.ts';

export const games = defineEndpoint({
  method: 'GET',
  path: '/v1/games',
  errors: [],
  schema: {
    operationId: 'listGames',
    summary: 'List all supported games',
    description: 'With the number of cards and sets of each.',
    response: { 200: Many(GameItem, 'All games.') },
  },
  isCacheable: () => true,
  answer({ catalog }) {
    return { data: catalog.games().map(gameItem) };
  },
});

type Compare = (a: CountedSet, b: CountedSet) => number;

/**
 * Compares sets for each sort. The catalogue is in the order of `newest`. Sets without a value sort
 * last.
 */
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
      description: 'Only sets whose name or code contains this text. Case and accents are ignored.',
      minLength: 1,
      maxLength: MAX_QUERY,
      examples: ['base set'],
    }),
  ),
  sort: Defaulted(
    Type.Unsafe<keyof typeof SORTS>({
      type: 'string',
      description:
        'Order of the sets: by game and then newest first, by the cost of one copy of each ' +
        'card, or by name.',
      enum: Object.keys(SORTS),
      default: 'newest',
    }),
  ),
  limit: Limit(50, 200),
  offset: Offset,
  cursor: CursorParameter,
});

export const sets = defineEndpoint({
  method: 'GET',
  path: '/v1/sets',
  table: SET_TABLE,
  errors: [],
  schema: {
    operationId: 'listSets',
    summary: 'List card sets',
    description: 'All sets, or those of one game or with a matching name or code.',
    querystring: Query,
    response: { 200: Page(SetItem, 'The sets on this page.') },
  },
  isCacheable: () => true,
  answer({ catalog }, request) {
    const { game, q, sort } = request.query;
    const all = catalog.sets(slugOf(game));
    const found = q === undefined ? all : all.filter(isCalled(q));
    const compare = SORTS[sort]?.(catalog);
    const sorted = compare ? found.toSorted(compare) : found;
    const { page, place } = pageOf('sets', request, sorted, ({ set }) => set.rowId);
    return { data: page.map((counted) => setItem(catalog, counted)), ...place };
  },
});

function isCalled(text: string): (counted: CountedSet) => boolean {
  const part = foldText(text);
  return ({ set: { name, code } }) => matchLabels([name, code], part) !== undefined;
}

const MOST_VALUABLE = 5;

/**
 * Returns the set with a setId, even if it has only products.
 * @throws ApiError SET_NOT_FOUND
 */
export function requireSet(catalog: Catalog, id: string): CountedSet {
  const ofProducts = catalog.products.set(id);
  const found = catalog.set(id) ?? (ofProducts && { set: ofProducts, cardCount: 0 });
  if (!found) throw new ApiError('SET_NOT_FOUND', `No set has the setId "${shown(id)}".`);
  return found;
}

export const set = defineEndpoint({
  method: 'GET',
  path: '/v1/sets/:setId',
  errors: ['SET_NOT_FOUND'],
  schema: {
    operationId: 'getSet',
    summary: 'Get one set',
    description:
      'With its rarities, its printings and its most valuable cards. Its `value` is in US dollars.',
    params: SetPath,
    querystring: CurrencyQuery,
    response: { 200: One(SetDetail) },
  },
  isCacheable: () => true,
  answer({ catalog, clock }, { params, query }) {
    const counted = requireSet(catalog, params.setId);
    const today = dayOf(clock());
    const local = localPricesOf(query, catalog, today);
    const parts = partsOf(catalog.cardsOf(counted.set), today, local);
    return { data: { ...setItem(catalog, counted), ...parts } };
  },
});

function partsOf(cards: readonly Card[], today: Day, local: LocalPrices | undefined) {
  const names = new Set(cards.flatMap((card) => ownPrintings(card).map(({ name }) => name)));
  const priced = cards.map((card) => ({ card, market: reliableMarket(card) ?? -1 }));
  priced.sort((a, b) => b.market - a.market);
  const top = priced.slice(0, MOST_VALUABLE).filter(({ market }) => market >= 0);
  return {
    rarities: raritiesOf(cards),
    printings: [...names].sort(comparePrintings),
    mostValuable: top.map(({ card }) => cardSummary(local?.card(card) ?? card, today)),
  };
}

function raritiesOf(cards: readonly Card[]) {
  const byRarity = Map.groupBy(cards, ({ rarity }) => rarity);
  const counted = [...byRarity].flatMap(([rarity, own]) => {
    return rarity === null ? [] : [{ rarity, cardCount: own.length }];
  });
  return counted.sort((a, b) => compareText(a.rarity, b.rarity));
}

export const setsOfGame = defineEndpoint({
  method: 'GET',
  path: '/v1/games/:game/sets',
  errors: [],
  schema: {
    operationId: 'listSetsOfGame',
    summary: 'List all sets of a game at once',
    description: 'Newest first; sets without a release date come last.',
    params: GamePath,
    response: { 200: Many(SetItem, 'All sets of the game.') },
  },
  isCacheable: () => true,
  answer({ catalog }, { params }) {
    const all = catalog.sets(slugOf(params.game));
    return { data: all.map((counted) => setItem(catalog, counted)) };
  },
});

export const rarities = defineEndpoint({
  method: 'GET',
  path: '/v1/rarities',
  errors: [],
  schema: {
    operationId: 'listRarities',
    summary: 'List the rarities of games',
    description: 'With the number of cards of each. Cards without a rarity are not counted.',
    querystring: Type.Object({ game: GameParameter }),
    response: { 200: Many(RarityItem, 'The rarities by game, in alphabetical order.') },
  },
  isCacheable: () => true,
  answer({ catalog }, { query }) {
    const only = slugOf(query.game);
    const slugs = only ? [only] : GAMES.map(({ slug }) => slug);
    const data = slugs.flatMap((game) => {
      return catalog.rarities(game).map((counted) => ({ game, ...counted }));
    });
    return { data };
  },
});
