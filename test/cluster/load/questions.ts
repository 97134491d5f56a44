import { GAMES } from '../../../src/domain/games.ts';
import { cardStem, FIRST_CARDS } from '../catalogue.ts';
import type { Question } from './client.ts';

/** A card of publication 0, by which questions ask. */
export interface KnownCard {
  readonly id: string;
  readonly setId: string;
  readonly productId: string;
}

type Asking = (
  card: KnownCard,
  pick: (below: number) => number,
) => Omit<Question, 'kind' | 'endpoint'>;

const BATCH = 10;

/** What every plan may ask for, by endpoint. */
const OPEN_TO_ALL: Readonly<Record<string, Asking>> = {
  card: ({ id }) => ({ path: `/v1/cards/${id}` }),
  search: (_, pick) => ({ path: `/v1/search?q=${someWord(pick)}&limit=20` }),
  'card-search': (_, pick) => ({ path: `/v1/cards/search?q=${someWord(pick)}` }),
  autocomplete: (_, pick) => ({ path: `/v1/autocomplete?q=${someWord(pick).slice(0, 5)}` }),
  related: ({ id }) => ({ path: `/v1/cards/${id}/related` }),
  'external-id': ({ productId }) => ({ path: `/v1/cards/by/tcgplayer/${productId}` }),
  sets: () => ({ path: '/v1/sets' }),
  set: ({ setId }) => ({ path: `/v1/sets/${setId}` }),
  'set-cards': ({ setId }) => ({ path: `/v1/sets/${setId}/cards?limit=200` }),
  games: () => ({ path: '/v1/games' }),
  'sets-of-game': (_, pick) => ({ path: `/v1/games/${GAMES[pick(GAMES.length)]?.slug}/sets` }),
  rarities: () => ({ path: '/v1/rarities' }),
  movers: () => ({ path: '/v1/movers?window=1d&limit=50' }),
};

/** What needs the plan Trader or above. */
const FOR_TRADERS: Readonly<Record<string, Asking>> = {
  history: ({ id }) => ({ path: `/v1/cards/${id}/history?period=7d` }),
  prices: ({ id }) => ({ path: `/v1/cards/${id}/prices?days=7` }),
  explain: ({ id }) => ({ path: `/v1/cards/${id}/explain` }),
  batch: ({ id }, pick) => ({ path: '/v1/cards/batch', body: { ids: someIds(id, pick) } }),
  'batch-of-query': ({ id }, pick) => ({ path: `/v1/cards?ids=${someIds(id, pick)}` }),
  resolve: ({ productId }) => ({
    path: '/v1/resolve',
    body: { items: [{ tcgplayer: productId }] },
  }),
  'marketplace-changes': () => ({ path: '/v1/marketplace-changes' }),
};

/** What needs neither a key nor a database. */
const OPEN_PAGES = ['/docs', '/openapi.json'];

/** A read that a plan allows, of any endpoint. */
export function someRead(
  cards: readonly KnownCard[],
  isTrader: boolean,
  pick: (below: number) => number,
): Question {
  const all = Object.entries(isTrader ? { ...OPEN_TO_ALL, ...FOR_TRADERS } : OPEN_TO_ALL);
  const [endpoint, ask] = all[pick(all.length)] ?? ['', () => ({ path: '/' })];
  const card = cards[pick(cards.length)] ?? { id: '', setId: '', productId: '' };
  return { kind: 'read', endpoint, ...ask(card, pick) };
}

/** A page that does not need the database. */
export function somePage(pick: (below: number) => number): Question {
  const path = OPEN_PAGES[pick(OPEN_PAGES.length)] ?? '';
  return { kind: 'open', endpoint: path, path };
}

function someWord(pick: (below: number) => number): string {
  return cardStem(pick(FIRST_CARDS)).split(' ')[0] ?? '';
}

/** Cards of one set: a card, and others that have its id but for the number's word. */
function someIds(id: string, pick: (below: number) => number): string[] {
  const [game] = id.split('-');
  const first = pick(FIRST_CARDS - BATCH);
  return Array.from({ length: BATCH }, (_, at) => cardId(String(game), first + at));
}

/** The id that the service gives to a card of publication 0. */
export function cardId(game: string, index: number): string {
  const name = cardStem(index).toLowerCase().replace(' ', '-');
  return `${game}-hbr-${name}-k0-${String(index + 1).padStart(3, '0')}`;
}

/** The cards of publication 0, by the ids that the service gives. */
export function firstCards(): KnownCard[] {
  return GAMES.flatMap(({ slug }, at) => {
    return Array.from({ length: FIRST_CARDS }, (_, index) => ({
      id: cardId(slug, index),
      setId: `${slug}-harbour-k0`,
      productId: String((1000 + at) * 1000 + index),
    }));
  });
}
