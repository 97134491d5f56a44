import { GAMES } from '../../src/domain/games.ts';
import { cardStem, cardsIn } from './catalogue.ts';

/** How much of everything is in a body. */
export interface Extent {
  readonly cards: number;
  /** Prices that a publication sets; for a history, the prices of its last day. */
  readonly amounts: number;
  /** Numbers of cards: of sets, games and rarities. */
  readonly counts: number;
  /** Days of a history. */
  readonly days: number;
  /** Names that contain their publication. */
  readonly names: number;
}

/** What the expected extent of a body depends on. */
interface Found {
  readonly publication: number;
  /** The first name in the body, as it is in every publication. */
  readonly stem: string;
  readonly cards: number;
}

type Expecting = (found: Found) => Partial<Extent>;

/** The longest pages of a search, and of a completion. */
const SEARCH_LIMIT = 20;
const COMPLETIONS = 10;
const SET_LIMIT = 200;

/** How many letters of a name are completed. */
const PREFIX = 5;

/** The cards of each game that were cheaper on the day before. */
const MOVERS = 6;

/** How many cards a question for several names. */
const BATCH = 10;

const cardsWithPrices = (cards: number, prices = 1) => ({ cards, amounts: cards * prices });

const SEARCH: Expecting = ({ publication, stem }) => {
  const [word = ''] = stem.split(' ');
  const found = stemsIn(publication).filter((one) => one.split(' ')[0] === word);
  return cardsWithPrices(Math.min(SEARCH_LIMIT, GAMES.length * found.length));
};

/** The members of answers that depend on the publication, by endpoint. */
const OF_A_PUBLICATION: Readonly<Record<string, Expecting>> = {
  // Four prices of the card, and the same of its only printing.
  card: () => cardsWithPrices(1, 8),
  'external-id': () => cardsWithPrices(1, 8),
  search: SEARCH,
  'card-search': SEARCH,
  autocomplete: ({ publication, stem }) => {
    const start = stem.slice(0, PREFIX);
    const found = stemsIn(publication).filter((one) => one.startsWith(start));
    return { names: Math.min(COMPLETIONS, new Set(found).size) };
  },
  // Only the second card of a set follows a card without a predecessor.
  related: ({ cards, stem }) => cardsWithPrices(cards === 1 && stem === cardStem(1) ? 1 : 2),
  sets: () => ({ counts: GAMES.length }),
  set: () => ({ ...cardsWithPrices(5), counts: 2 }),
  'set-cards': ({ publication }) => cardsWithPrices(Math.min(SET_LIMIT, cardsIn(publication))),
  games: () => ({ counts: GAMES.length }),
  'sets-of-game': () => ({ counts: 1 }),
  rarities: () => ({ counts: GAMES.length }),
  movers: () => cardsWithPrices(GAMES.length * MOVERS, 2),
  batch: () => cardsWithPrices(BATCH),
  'batch-of-query': () => cardsWithPrices(BATCH),
  resolve: () => cardsWithPrices(1, 2),
};

/** The members of answers that do not. */
const OF_NONE: Readonly<Record<string, Partial<Extent>>> = {
  history: { days: 2, amounts: 3 },
  prices: { days: 2, amounts: 3 },
  explain: { amounts: 4 },
  'marketplace-changes': { cards: 0 },
};

/**
 * What a body lacks, or has too much of, for a whole one of its publication, as the end of a
 * sentence; null for nothing.
 */
export function lackOf(
  endpoint: string,
  found: Omit<Found, 'publication'> & { readonly publication: number | undefined },
  extent: Extent,
): string | null {
  const { publication } = found;
  const ofPublication = OF_A_PUBLICATION[endpoint];
  if (ofPublication && publication === undefined) return 'it shows no publication';
  const expected =
    ofPublication?.({ ...found, publication: publication ?? 0 }) ?? OF_NONE[endpoint];
  for (const [what, count] of Object.entries(expected ?? {})) {
    const has = extent[what as keyof Extent];
    if (has !== count) return `it has ${has} ${what} instead of ${count}`;
  }
  return null;
}

function stemsIn(publication: number): string[] {
  return Array.from({ length: cardsIn(publication) }, (_, index) => cardStem(index));
}
