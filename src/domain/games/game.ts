import type { GameRules } from '../naming/game-rules.ts';

/** The sizes in which pictures of cards are served, by their width in pixels. */
export const PICTURE_WIDTHS = {
  /** For rows: sharp up to 40 px on screens with four pixels per px. */
  thumb: 160,
  /** For grids, and for the page of a card on screens with one pixel per px. */
  small: 360,
  /** For the page of a card. */
  large: 720,
} as const;

export type PictureSize = keyof typeof PICTURE_WIDTHS;

/**
 * Everything that differs between games. The compiler requires every part from a new game. `Other`
 * contains the slugs of the games that it refers to.
 */
export interface GameDefinition<Slug extends string, Other extends string> {
  /** The game's name in ids, filters and addresses. */
  readonly slug: Slug;
  readonly name: string;
  /** Other spellings of the slug that callers may send. */
  readonly aliases: readonly string[];
  /** The language of its cards. */
  readonly language: 'en' | 'ja';
  /** The slug of the game that prints the same cards in another language. */
  readonly translation: Other | null;
  /** The game's category at TCGplayer, which TCGCSV mirrors. */
  readonly tcgplayerCategory: number;
  /** Words for the rarity codes that sources of this game send. */
  readonly rarityLabels: Readonly<Record<string, string>>;
  /**
   * The labels of rarities whose cards exist only as foils, for at least nine in ten priced cards.
   * The exceptions are theme deck cards and mistakes, which collectors do not mean by the card.
   */
  readonly foilRarities: readonly string[];
  /** Whether the catalogue has collector numbers with totals, as in `4/102`. */
  readonly hasTotals: boolean;
  readonly search: GameWords<Other>;
  /** How names of its cards and sets are compared. */
  readonly naming: GameRules;
  readonly justtcg: JusttcgGame | null;
  readonly pricecharting: PricechartingGame | null;
  readonly cardmarket: CardmarketGame | null;
  /**
   * Where its sources keep pictures, in addition to TCGplayer. Pictures from other addresses are
   * not fetched.
   */
  readonly pictureHosts: readonly PictureHost[];
  readonly motif: Motif;
  readonly colors: GameColors;
  readonly example: ExampleQuery;
}

/** The words of a query that name a game. */
export interface GameWords<Other extends string> {
  /** The game's name in explanations of a query. */
  readonly label: string;
  /** Words that name only the game. They exclude cards of other games. */
  readonly names: readonly string[];
  /** Words of card names as well. They rank the cards of the game higher. */
  readonly hints: readonly string[];
  /** Slugs of other games that the words also mean. */
  readonly alsoMeans: readonly Other[];
}

/** JustTCG's names and ids of a game, in lower case and without punctuation. */
export type JusttcgGame = readonly string[];

export interface PricechartingGame {
  /** The first words of PriceCharting's "consoles" of the game. The rest is the name of the set. */
  readonly console: RegExp;
  /** A code in the place of the number in names of products, without a `#`. */
  readonly code: RegExp | null;
  /** The printing that `[Foil]` means. */
  readonly foil: string;
}

export interface CardmarketGame {
  /** The game in addresses of Cardmarket's pages. */
  readonly page: string;
  /** Cardmarket's price guide of the game; null if another game's guide contains its cards. */
  readonly priceGuide: {
    /** The game's number in the names of Cardmarket's files. */
    readonly number: number;
    /** The printing of the plain prices; undefined is the default printing. */
    readonly plain: string | undefined;
    /** The printing of the foil prices; null if it is unknown or there are several. */
    readonly foil: string | null;
  } | null;
}

/** A location where sources keep pictures. */
export interface PictureHost {
  /** The common prefix of its addresses. */
  readonly prefix: string;
  /** The part of an address that selects a size, and its value for each of our sizes. */
  readonly sizes?: {
    readonly pattern: RegExp;
    readonly names: Readonly<Record<PictureSize, string>>;
  };
}

/** The drawing that replaces a missing picture; defined in `web/src/cards/motifs.ts`. */
export type Motif =
  | 'blades'
  | 'blossom'
  | 'circles'
  | 'compass'
  | 'orbits'
  | 'pentagons'
  | 'sunrise'
  | 'triangles'
  | 'waves';

/** Colors of the drawn cards of a game, on light and dark pages: behind the motif, and in it. */
export interface GameColors {
  readonly sky: string;
  readonly accent: string;
}

/** A search that the home page suggests. */
export interface ExampleQuery {
  readonly q: string;
  /** Its position among the examples of all games. The page shows the first three. */
  readonly place: number;
}

/** Returns the game. Its type keeps the slugs as literals. */
export function defineGame<const Slug extends string, const Other extends string = never>(
  game: GameDefinition<Slug, Other>,
): GameDefinition<Slug, Other> {
  return game;
}

/** The folders of Scryfall's sizes (146, 488 and 672 pixels wide), which Lorcast copies. */
export const SCRYFALL_SIZES: NonNullable<PictureHost['sizes']> = {
  pattern: /\/(?:small|normal|large)\//,
  names: { thumb: '/small/', small: '/normal/', large: '/large/' },
};
