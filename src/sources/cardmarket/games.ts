import type { GameSlug } from '../../domain/games.ts';

/** What is different from game to game at Cardmarket. */
export interface CardmarketGame {
  /** In the names of its files. */
  readonly number: number;
  readonly slug: GameSlug;
  /** The printing that its plain prices are of; undefined is the default one. */
  readonly plain: string | undefined;
  /**
   * The printing that its prices of foils are of. Null where Cardmarket does not sell finishes
   * apart, or it is not known which one is meant.
   */
  readonly foil: string | null;
}

export const CARDMARKET_GAMES: readonly CardmarketGame[] = [
  { number: 1, slug: 'mtg', plain: 'Normal', foil: 'Foil' },
  { number: 3, slug: 'yugioh', plain: undefined, foil: null },
  { number: 6, slug: 'pokemon', plain: undefined, foil: 'Reverse Holofoil' },
  { number: 16, slug: 'fab', plain: undefined, foil: null },
  { number: 18, slug: 'onepiece', plain: undefined, foil: null },
  { number: 19, slug: 'lorcana', plain: 'Normal', foil: 'Cold Foil' },
  { number: 21, slug: 'swu', plain: 'Normal', foil: 'Foil' },
];

/** The game whose file this is by its name, `price_guide_1.json` or `price_guide_1 (2).json`. */
export function gameOfFile(name: string): CardmarketGame | undefined {
  const [, number] = /price_guide_(\d{1,3})(?!\d)/.exec(name) ?? [];
  return CARDMARKET_GAMES.find((game) => String(game.number) === number);
}
