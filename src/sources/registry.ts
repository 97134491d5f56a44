import { CARDMARKET } from './cardmarket/read.ts';
import type { RatesSource } from './contract/rates.ts';
import type { FeedSource, SourceEntry } from './contract/source.ts';
import { ECB } from './ecb.ts';
import { FAB_CUBE } from './fab-cube/read.ts';
import { JUSTTCG } from './justtcg/read.ts';
import { LORCAST } from './lorcast.ts';
import { MTGJSON } from './mtgjson/read.ts';
import { POKEMONTCG } from './pokemontcg.ts';
import { PRICECHARTING } from './pricecharting/read.ts';
import { SCRYFALL } from './scryfall/read.ts';
import { SWU_DB } from './swu-db.ts';
import { YGOPRODECK } from './ygoprodeck.ts';

export const TCGCSV: SourceEntry = {
  name: 'tcgcsv',
  summary: "TCGplayer's catalogue and prices of every game, day by day: the backbone.",
  example: 'https://tcgcsv.com',
};

export const TCGCSV_CSV: SourceEntry = {
  name: 'tcgcsv-csv',
  summary: 'Groups of TCGCSV as CSV files.',
  example: './csv --observed 2026-01-28',
};

export const TCGCSV_ARCHIVE: SourceEntry = {
  name: 'tcgcsv-archive',
  summary: 'Past days of TCGCSV, one packed file per day.',
  example: './archive',
};

export const QUOTES: SourceEntry = {
  name: 'quotes',
  summary: 'Prices of your own, or of anybody, as CSV or JSON lines.',
  example: 'prices.csv',
};

/**
 * All sources, in the order in which commands list them. A source describes itself in its folder.
 * Sources without `open` have their own command.
 */
export const SOURCES: readonly (SourceEntry | FeedSource | RatesSource)[] = [
  TCGCSV,
  TCGCSV_ARCHIVE,
  TCGCSV_CSV,
  QUOTES,
  SCRYFALL,
  MTGJSON,
  PRICECHARTING,
  JUSTTCG,
  YGOPRODECK,
  POKEMONTCG,
  LORCAST,
  SWU_DB,
  FAB_CUBE,
  CARDMARKET,
  ECB,
];

/** The sources that `cardprice import <name>` reads as feeds. */
export const FEED_SOURCES: readonly FeedSource[] = SOURCES.filter((source) => 'open' in source);

/** The sources that `cardprice import <name>` reads as exchange rates. */
export const RATES_SOURCES: readonly RatesSource[] = [ECB];

/** Returns the source of this name that is read as a feed, or undefined. */
export function findFeedSource(name: string): FeedSource | undefined {
  return FEED_SOURCES.find((source) => source.name === name);
}
