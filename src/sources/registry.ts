import { openCardmarket } from './cardmarket/read.ts';
import { CARDMARKET_REMOTE } from './cardmarket/remote.ts';
import type { OpenFeed } from './contract/feed.ts';
import type { Remote } from './contract/remote.ts';
import { openFabCube } from './fab-cube/read.ts';
import { FAB_CUBE_REMOTE } from './fab-cube/remote.ts';
import { openJustTcg } from './justtcg/read.ts';
import { JUSTTCG_REMOTE } from './justtcg/remote.ts';
import { openLorcast } from './lorcast/read.ts';
import { LORCAST_REMOTE } from './lorcast/remote.ts';
import { openMtgjson } from './mtgjson/read.ts';
import { MTGJSON_REMOTE } from './mtgjson/remote.ts';
import { openPokemonTcg } from './pokemontcg/read.ts';
import { POKEMONTCG_REMOTE } from './pokemontcg/remote.ts';
import { openPriceCharting } from './pricecharting/read.ts';
import { PRICECHARTING_REMOTE } from './pricecharting/remote.ts';
import { openScryfall } from './scryfall/read.ts';
import { SCRYFALL_REMOTE } from './scryfall/remote.ts';
import { openSwuDb } from './swu-db/read.ts';
import { SWU_DB_REMOTE } from './swu-db/remote.ts';
import { openYgoprodeck } from './ygoprodeck/read.ts';
import { YGOPRODECK_REMOTE } from './ygoprodeck/remote.ts';

/** A source that there is, and what people are told of it. */
export interface RegisteredSource {
  readonly name: string;
  /** What it is, in a sentence. */
  readonly summary: string;
  /** What `cardprice import` is told besides its name, such as `cardinfo.json`. */
  readonly example: string;
}

/** A source that is read by `cardprice import` as all such are. */
export interface FeedSource extends RegisteredSource {
  readonly open: OpenFeed;
  /** What can be opened, in words. */
  readonly takes: string;
  /** Further files, by their names as flags: what each is. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether it has grades of no particular company. */
  readonly hasGenericGrades?: boolean;
  /** Where `cardprice sync` gets it, if it can. */
  readonly remote?: Remote;
}

/** Sources with a command of their own. */
const OTHERS: readonly RegisteredSource[] = [
  {
    name: 'tcgcsv',
    summary: "TCGplayer's catalogue and prices of every game, day by day: the backbone.",
    example: 'https://tcgcsv.com',
  },
  {
    name: 'tcgcsv-archive',
    summary: 'Past days of TCGCSV, packed one in a file.',
    example: './archive',
  },
  {
    name: 'tcgcsv-csv',
    summary: 'Groups of TCGCSV as CSV files.',
    example: './csv --observed 2026-01-28',
  },
  {
    name: 'quotes',
    summary: 'Prices of your own, or of anybody, as CSV or JSON lines.',
    example: 'prices.csv',
  },
];

/** Sources that are read alike, one entry each: a new one is a folder, an entry and a fixture. */
export const FEED_SOURCES: readonly FeedSource[] = [
  {
    name: 'scryfall',
    summary: 'Cards of Magic with the market prices of TCGplayer and the trend of Cardmarket.',
    takes: 'The bulk file default_cards, plain or packed with gzip.',
    example: 'default-cards.json.gz',
    open: openScryfall,
    remote: SCRYFALL_REMOTE,
  },
  {
    name: 'mtgjson',
    summary: 'Prices of Magic at three markets, of today or of 90 days.',
    takes: 'AllPrices.json or AllPricesToday.json, plain or packed with gzip.',
    files: { identifiers: "MTGJSON's AllIdentifiers.json, which tells whose prices they are." },
    example: 'AllPricesToday.json.gz --identifiers AllIdentifiers.json.gz',
    open: openMtgjson,
    remote: MTGJSON_REMOTE,
  },
  {
    name: 'pricecharting',
    summary: 'What cards sold for, ungraded and graded.',
    takes: 'A price guide as CSV, which subscribers can download.',
    example: 'pokemon-cards.csv --grade grade_9=psa_9',
    open: openPriceCharting,
    hasGenericGrades: true,
    remote: PRICECHARTING_REMOTE,
  },
  {
    name: 'justtcg',
    summary: 'Prices by condition and printing, of every game.',
    takes: "Answers of JustTCG's API: one, several in a list, or one a line.",
    example: 'cards.json',
    open: openJustTcg,
    remote: JUSTTCG_REMOTE,
  },
  {
    name: 'ygoprodeck',
    summary: 'Cards of Yu-Gi-Oh! in all of their sets, with the price of each rarity.',
    takes: 'cardinfo.json, plain or packed with gzip.',
    example: 'cardinfo.json',
    open: openYgoprodeck,
    remote: YGOPRODECK_REMOTE,
  },
  {
    name: 'pokemontcg',
    summary: 'English cards of Pokémon, with prices at TCGplayer and at Cardmarket.',
    takes: 'Pages of cards of the Pokémon TCG API, or files of pokemon-tcg-data, or a folder.',
    files: { sets: 'The list of sets, sets/en.json, for cards that come without theirs.' },
    example: './cards --sets sets.en.json',
    open: openPokemonTcg,
    remote: POKEMONTCG_REMOTE,
  },
  {
    name: 'lorcast',
    summary: 'Cards of Lorcana with the market prices of TCGplayer.',
    takes: 'Pages of cards of the Lorcast API, a file or a folder.',
    example: './lorcast',
    open: openLorcast,
    remote: LORCAST_REMOTE,
  },
  {
    name: 'swu-db',
    summary: 'Cards of Star Wars: Unlimited with prices of TCGplayer.',
    takes: "Sets of cards of SWU-DB's API, a file or a folder.",
    example: './swu-db',
    open: openSwuDb,
    remote: SWU_DB_REMOTE,
  },
  {
    name: 'fab-cube',
    summary: 'Cards of Flesh and Blood with their printings and pictures, without prices.',
    takes: 'The folder csvs/english of the-fab-cube, or card-printing.csv in it.',
    files: {
      cards: 'card.csv, when it is elsewhere.',
      sets: 'set.csv, when it is elsewhere.',
      'set-printings': 'set-printing.csv, when it is elsewhere.',
    },
    example: './csvs/english',
    open: openFabCube,
    remote: FAB_CUBE_REMOTE,
  },
  {
    name: 'cardmarket',
    summary: "Cardmarket's price guides, in euros.",
    takes: 'A price guide under the name that Cardmarket gives it, price_guide_1.json.',
    files: { products: 'The list of single cards, products_singles_1.json, which has names.' },
    example: 'price_guide_1.json --products products_singles_1.json',
    open: openCardmarket,
    remote: CARDMARKET_REMOTE,
  },
];

/** All sources, in the order in which people are told of them. */
export const SOURCES: readonly RegisteredSource[] = [...OTHERS, ...FEED_SOURCES];

/** The source of this name that is read as all feeds are, or undefined. */
export function findFeedSource(name: string): FeedSource | undefined {
  return FEED_SOURCES.find((source) => source.name === name);
}
