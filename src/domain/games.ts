import { FAB } from './games/fab.ts';
import type { GameDefinition } from './games/game.ts';
import { LORCANA } from './games/lorcana.ts';
import { MTG } from './games/mtg.ts';
import { ONEPIECE } from './games/onepiece.ts';
import { POKEMON } from './games/pokemon.ts';
import { POKEMONJP } from './games/pokemonjp.ts';
import { SWU } from './games/swu.ts';
import { YUGIOH } from './games/yugioh.ts';
import type { GameRules } from './naming/game-rules.ts';

const ALL = [POKEMON, POKEMONJP, MTG, YUGIOH, LORCANA, ONEPIECE, SWU, FAB] as const;

/** A game's name in ids, filters and addresses. */
export type GameSlug = (typeof ALL)[number]['slug'];

export type Game = GameDefinition<GameSlug, GameSlug>;

/** All games, in the order in which the service lists them. */
export const GAMES: readonly Game[] = ALL;

export const GAME_SLUGS: readonly GameSlug[] = ALL.map(({ slug }) => slug);

const BY_NAME = new Map(
  GAMES.flatMap((game) => [game.slug, ...game.aliases].map((name) => [name, game] as const)),
);

/** Returns the game with this slug or alias, or undefined. Letter case counts. */
export function findGame(name: string): Game | undefined {
  return BY_NAME.get(name);
}

const BY_SLUG = Object.fromEntries(GAMES.map((game) => [game.slug, game])) as Readonly<
  Record<GameSlug, Game>
>;

/** Returns the game with this slug. */
export function gameBySlug(slug: GameSlug): Game {
  return BY_SLUG[slug];
}

/** Returns the rules for comparing names of a game's cards and sets. */
export function rulesOf(slug: GameSlug): GameRules {
  return BY_SLUG[slug].naming;
}

/**
 * Returns the label of a rarity that a source of `game` sends: codes become words (`M` is `Mythic`)
 * and each word starts with a capital (`Illustration rare` is `Illustration Rare`).
 */
export function rarityLabel(game: Game, raw: string): string {
  const label = (Object.hasOwn(game.rarityLabels, raw) && game.rarityLabels[raw]) || raw;
  return label.replace(/(^|\s)(\p{Ll})/gu, (_, space: string, letter: string) => {
    return space + letter.toUpperCase();
  });
}

const FOIL_RARITIES = new Map(
  GAMES.map(({ slug, foilRarities }) => [slug, new Set(foilRarities)] as const),
);

/** Returns whether cards with this rarity label are foils; false for unknown rarities. */
export function isFoilRarity(game: GameSlug, rarity: string | null): boolean {
  return rarity !== null && FOIL_RARITIES.get(game)?.has(rarity) === true;
}
