export const GAME_SLUGS = [
  'pokemon',
  'pokemonjp',
  'mtg',
  'yugioh',
  'lorcana',
  'onepiece',
  'swu',
  'fab',
] as const;

/** A game's name in ids, filters and addresses. */
export type GameSlug = (typeof GAME_SLUGS)[number];

/** What differs between games, as far as the whole program has to know. */
export interface Game {
  readonly slug: GameSlug;
  readonly name: string;
  /** Other spellings of the slug that callers may send. */
  readonly aliases: readonly string[];
  /** The game's category at TCGplayer, which TCGCSV mirrors. */
  readonly tcgplayerCategory: number;
  /** Words for the rarity codes that sources of this game send. */
  readonly rarityLabels: Readonly<Record<string, string>>;
}

/** The games that the service knows, one row each. */
export const GAMES: readonly Game[] = [
  game('pokemon', 'Pokemon TCG (English)', 3),
  game('pokemonjp', 'Pokemon (Japanese)', 85, {}, ['pokemon-jp']),
  game('mtg', 'Magic: The Gathering', 1, {
    C: 'Common',
    U: 'Uncommon',
    R: 'Rare',
    M: 'Mythic',
    S: 'Special',
    B: 'Bonus',
    L: 'Land',
    T: 'Token',
    P: 'Promo',
  }),
  game('yugioh', 'Yu-Gi-Oh!', 2, { StR: 'Starlight Rare', UR: 'Ultra Rare' }),
  game('lorcana', 'Disney Lorcana', 71),
  game('onepiece', 'One Piece Card Game', 68, {
    SuperRare: 'Super Rare',
    SecretRare: 'Secret Rare',
    TreasureRare: 'Treasure Rare',
    C: 'Common',
    UC: 'Uncommon',
    R: 'Rare',
    SR: 'Super Rare',
    SEC: 'Secret Rare',
    L: 'Leader',
    P: 'Promo',
    PR: 'Promo',
    TR: 'Treasure Rare',
    'DON!!': 'DON!!',
  }),
  game('swu', 'Star Wars: Unlimited', 79),
  game('fab', 'Flesh and Blood', 62),
];

function game(
  slug: GameSlug,
  name: string,
  tcgplayerCategory: number,
  rarityLabels: Readonly<Record<string, string>> = {},
  aliases: readonly string[] = [],
): Game {
  return { slug, name, aliases, tcgplayerCategory, rarityLabels };
}

const BY_NAME = new Map(
  GAMES.flatMap((entry) => [entry.slug, ...entry.aliases].map((name) => [name, entry] as const)),
);

/** Returns the game of this slug or alias, or undefined. Letter case counts. */
export function findGame(name: string): Game | undefined {
  return BY_NAME.get(name);
}

/**
 * Returns the label of a rarity that a source of `game` sends: codes become words (`M` is `Mythic`)
 * and each word starts with a capital (`Illustration rare` is `Illustration Rare`).
 */
export function rarityLabel(game: Game, raw: string): string {
  const label = game.rarityLabels[raw] ?? raw;
  return label.replace(/(^|\s)(\p{Ll})/gu, (_, space: string, letter: string) => {
    return space + letter.toUpperCase();
  });
}
