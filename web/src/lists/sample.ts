import type { GameSlug } from '../../../src/domain/games.ts';

/** Lines that show what a list can contain: counts, sets, numbers, conditions, grades and doubt. */
const LINES: readonly (readonly [GameSlug, string])[] = [
  ['mtg', '4x Lightning Bolt (2ED) 162'],
  ['pokemon', '1 Charizard Base Set 4/102'],
  ['pokemon', '1 Umbreon VMAX Evolving Skies 215/203 PSA 10'],
  ['lorcana', '2 Elsa - Spirit of Winter (TFC) 207 NM'],
  ['pokemon', '4 Pikachu'],
  ['mtg', '1 Sol Ring (2ED) 270'],
  ['onepiece', '3 Trafalgar Law OP01-002'],
  ['yugioh', '1 Blue-Eyes Alternative Ultimate Dragon TN19-EN001'],
  ['swu', '2 Luke Skywalker - Faithful Friend SOR 005'],
];

/** Returns a list to try, with cards of the games that have any. */
export function sampleOf(games: readonly { readonly id: string; readonly cardCount: number }[]) {
  const known = new Set(games.filter(({ cardCount }) => cardCount > 0).map(({ id }) => id));
  return LINES.flatMap(([game, line]) => (known.has(game) ? line : [])).join('\n');
}
