import type { GameSlug } from '../../domain/games.ts';

/** How a game differs from others at Cardmarket. */
export interface CardmarketGame {
  /** The game's number in the names of its files. */
  readonly number: number;
  readonly slug: GameSlug;
  /** The printing of the plain prices; undefined is the default printing. */
  readonly plain: string | undefined;
  /** The printing of the foil prices; null where it is unknown or there are several. */
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

/** Returns the game in a file's name, `price_guide_1.json` or `price_guide_1 (2).json`. */
export function gameOfFile(name: string): CardmarketGame | undefined {
  const [, number] = /price_guide_(\d{1,3})(?!\d)/.exec(name) ?? [];
  return CARDMARKET_GAMES.find((game) => String(game.number) === number);
}
