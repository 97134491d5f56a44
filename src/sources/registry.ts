import { CARDMARKET } from './cardmarket/source.ts';
import type { FeedSource, SourceEntry } from './contract/source.ts';
import { FAB_CUBE } from './fab-cube/source.ts';
import { JUSTTCG } from './justtcg/source.ts';
import { LORCAST } from './lorcast/source.ts';
import { MTGJSON } from './mtgjson/source.ts';
import { POKEMONTCG } from './pokemontcg/source.ts';
import { PRICECHARTING } from './pricecharting/source.ts';
import { QUOTES } from './quotes/source.ts';
import { SCRYFALL } from './scryfall/source.ts';
import { SWU_DB } from './swu-db/source.ts';
import { TCGCSV } from './tcgcsv/source.ts';
import { TCGCSV_ARCHIVE } from './tcgcsv-archive/source.ts';
import { TCGCSV_CSV } from './tcgcsv-csv/source.ts';
import { YGOPRODECK } from './ygoprodeck/source.ts';

/**
 * All sources, in the order in which commands list them. A source describes itself in its folder.
 * Those without `open` have a command of their own.
 */
export const SOURCES: readonly (SourceEntry | FeedSource)[] = [
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
];

/** The sources that `cardprice import <name>` reads as feeds. */
export const FEED_SOURCES: readonly FeedSource[] = SOURCES.filter((source) => 'open' in source);

/** Returns the source of this name that is read as a feed, or undefined. */
export function findFeedSource(name: string): FeedSource | undefined {
  return FEED_SOURCES.find((source) => source.name === name);
}
