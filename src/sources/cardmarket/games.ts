import { GAMES, type GameSlug } from '../../domain/games.ts';

/** A game with its price guide at Cardmarket: `src/domain/games/` says what the fields mean. */
export interface CardmarketGame {
  readonly slug: GameSlug;
  readonly number: number;
  readonly plain: string | undefined;
  readonly foil: string | null;
}

/** The games that Cardmarket publishes a price guide of. */
export const CARDMARKET_GAMES: readonly CardmarketGame[] = GAMES.flatMap(({ slug, cardmarket }) =>
  cardmarket?.priceGuide ? [{ slug, ...cardmarket.priceGuide }] : [],
);

/** Returns the game in a file's name, `price_guide_1.json` or `price_guide_1 (2).json`. */
export function gameOfFile(name: string): CardmarketGame | undefined {
  const [, number] = /price_guide_(\d{1,3})(?!\d)/.exec(name) ?? [];
  return CARDMARKET_GAMES.find((game) => String(game.number) === number);
}
