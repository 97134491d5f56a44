import { GAME_SLUGS, GAMES, type GameSlug } from './games.ts';

/** The sources of prices, with everything that determines the weight of their prices. */

export type DataKind =
  | 'catalogue'
  | 'market'
  | 'listings'
  | 'conditions'
  | 'graded'
  | 'history'
  | 'rates';

export interface PriceSource {
  readonly name: string;
  readonly games: readonly GameSlug[];
  readonly gives: readonly DataKind[];
  /**
   * How many days its price may be older than the printing's newest price. Older prices rank after
   * all fresh ones.
   */
  readonly freshDays: number;
  /**
   * How many days its price may be older than the printing's newest price and still keep the
   * printing at its marketplace.
   */
  readonly holdDays: number;
}

/** The properties that decide between observations of several sources. */
export type SourceWeight = Pick<PriceSource, 'freshDays' | 'holdDays'> & {
  /** 0 for the first. */
  readonly rank: number;
};

/**
 * A printing stays at its marketplace during an outage of sources, because two marketplaces may
 * differ far more than one of them moves in a month.
 */
const HOLD_DAYS = 30;

/** The weight of a source that is not in the table. */
export const UNKNOWN_SOURCE: SourceWeight = {
  rank: Number.MAX_SAFE_INTEGER,
  freshDays: 7,
  holdDays: HOLD_DAYS,
};

/**
 * The sources in order of trust: if two have prices that are new enough, the first one's price is
 * served.
 */
export const PRICE_SOURCES: readonly PriceSource[] = [
  // Your own prices count as long as you keep them up to date, and so does your marketplace.
  source('quotes', GAME_SLUGS, ['market', 'listings', 'conditions', 'graded', 'history'], 2, 2),
  source('tcgcsv', GAME_SLUGS, ['catalogue', 'market', 'listings', 'history'], 7),
  source('justtcg', knownTo('justtcg'), ['conditions'], 7),
  source('scryfall', ['mtg'], ['market'], 7),
  source('lorcast', ['lorcana'], ['market'], 7),
  source('pokemontcg', ['pokemon'], ['market', 'listings'], 7),
  source('swu-db', ['swu'], ['market', 'listings'], 7),
  source('mtgjson', ['mtg'], ['market', 'history'], 7),
  source('ygoprodeck', ['yugioh'], ['market'], 7),
  source('pricecharting', knownTo('pricecharting'), ['market', 'graded'], 14),
  source('cardmarket', knownTo('cardmarket'), ['market', 'listings'], 7),
  source('fab-cube', ['fab'], ['catalogue'], 0, 0),
  source('ecb', [], ['rates'], 0, 0),
];

function source(
  name: string,
  games: readonly GameSlug[],
  gives: readonly DataKind[],
  freshDays: number,
  holdDays = HOLD_DAYS,
): PriceSource {
  return { name, games, gives, freshDays, holdDays };
}

/** Returns the games of a source, by their names in its files. */
function knownTo(name: 'justtcg' | 'pricecharting' | 'cardmarket'): GameSlug[] {
  return GAMES.filter((game) => game[name] !== null).map(({ slug }) => slug);
}

const BY_NAME = new Map(PRICE_SOURCES.map((entry, rank) => [entry.name, { ...entry, rank }]));

/** A source of the table with its rank, 0 for the first, or undefined. */
export function findSource(name: string): (PriceSource & SourceWeight) | undefined {
  return BY_NAME.get(name);
}

/** Sources whose prices are copies of another source's, and count as that source's. */
const COPIES: Readonly<Record<string, string>> = {
  starter: 'tcgcsv',
  'tcgcsv-archive': 'tcgcsv',
  'tcgcsv-csv': 'tcgcsv',
};

/**
 * The source to which the prices of an import are attributed, by its name in the table of sources.
 */
export function countsAs(name: string): string {
  return (Object.hasOwn(COPIES, name) && COPIES[name]) || name;
}

/** An id of a card in the numbering of a source or marketplace. */
export interface ExternalId {
  /** The id space by its name for callers: `tcgplayer`, `scryfall`. */
  readonly space: string;
  readonly id: string;
}

/** The marketplaces whose ids a source uses as its own, by source. */
const TAKEN_FROM: Readonly<Record<string, string>> = { tcgcsv: 'tcgplayer' };

/**
 * The id spaces by which callers may name cards (docs/glossary.md#id-space), each with the source
 * under whose name the store keeps its ids.
 */
export const CARD_ID_SPACES: ReadonlyMap<string, string> = new Map(
  PRICE_SOURCES.filter(({ games }) => games.length > 0).map(({ name }) => [
    TAKEN_FROM[name] ?? name,
    name,
  ]),
);

/** The callers' names of id spaces, by the source under whose name the store keeps the ids. */
export const ID_SPACES_BY_SOURCE: ReadonlyMap<string, string> = new Map(
  [...CARD_ID_SPACES].map(([space, source]) => [source, space]),
);
