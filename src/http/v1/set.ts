import type { Catalog, CountedSet } from '../../catalog/catalog.ts';
import { type Card, comparePrintings, marketPrice } from '../../domain/card.ts';
import { type Day, dayOf } from '../../domain/day.ts';
import { ApiError } from '../../domain/errors.ts';
import { findGame } from '../../domain/games.ts';
import { compareText } from '../../domain/text.ts';
import { GamePath, SetPath } from '../parameters.ts';
import { Many, One, SetItem } from '../schemas.ts';
import { SetDetail } from '../set-schemas.ts';
import { shown } from '../validation.ts';
import { defineEndpoint } from './endpoint.ts';
import { cardSummary, setItem } from './views.ts';

const MOST_VALUABLE = 5;

/**
 * Returns the set with a setId.
 *
 * @throws ApiError SET_NOT_FOUND
 */
export function requireSet(catalog: Catalog, id: string): CountedSet {
  const found = catalog.set(id);
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
    description: 'With its rarities, its printings and its most valuable cards.',
    params: SetPath,
    response: { 200: One(SetDetail) },
  },
  isCacheable: () => true,
  answer({ catalog, clock }, { params }) {
    const counted = requireSet(catalog, params.setId);
    const parts = partsOf(catalog.cardsOf(counted.set), dayOf(clock()));
    return { data: { ...setItem(catalog, counted), ...parts } };
  },
});

function partsOf(cards: readonly Card[], today: Day) {
  const names = new Set(cards.flatMap(({ printings }) => printings.map(({ name }) => name)));
  const priced = cards.map((card) => ({ card, market: marketPrice(card) ?? -1 }));
  priced.sort((a, b) => b.market - a.market);
  const top = priced.slice(0, MOST_VALUABLE).filter(({ market }) => market >= 0);
  return {
    rarities: raritiesOf(cards),
    printings: [...names].sort(comparePrintings),
    mostValuable: top.map(({ card }) => cardSummary(card, today)),
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
  errors: ['INVALID_PARAMETER'],
  schema: {
    operationId: 'listSetsOfGame',
    summary: 'List all sets of a game at once',
    description: 'Newest first, those without a release date last.',
    params: GamePath,
    response: { 200: Many(SetItem, 'All sets of the game.') },
  },
  isCacheable: () => true,
  answer({ catalog }, { params }) {
    const all = catalog.sets(findGame(params.game)?.slug);
    return { data: all.map((counted) => setItem(catalog, counted)) };
  },
});
