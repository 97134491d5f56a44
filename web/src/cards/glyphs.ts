import type { Motif as MotifName } from '../../../src/domain/games/game.ts';
import { findGame } from '../../../src/domain/games.ts';

/** The shapes that represent games in small signs, as SVG path data in a square of 100 × 100. */
const GLYPHS: Readonly<Record<MotifName, string>> = {
  blades: 'M50 4L96 50L50 96L4 50Z',
  blossom: 'M50 6L88 28V72L50 94L12 72V28Z',
  circles: 'M84 16V84H16V16Z',
  compass: 'M50 2L61 39L98 50L61 61L50 98L39 61L2 50L39 39Z',
  orbits:
    'M23 50a27 27 0 1 0 54 0a27 27 0 1 0-54 0M96.5 31.6A50 13 338.4 0 1 3.5 68.4A50 13 338.4 0 1 96.5 31.6',
  pentagons: 'M50 6L92 36L76 86H24L8 36Z',
  sunrise:
    'M50 6L59 28L81 19L72 41L94 50L72 59L81 81L59 72L50 94L41 72L19 81L28 59L6 50L28 41L19 19L41 28Z',
  triangles: 'M50 90L8 18H92Z',
  waves: 'M10 50a40 40 0 1 0 80 0a40 40 0 1 0-80 0',
};

/** Returns the shape that represents a game in small signs, as the data of a path. */
export function glyphOf(game: string): string {
  return GLYPHS[motifNameOf(game)];
}

/** Returns the game as a part of class names: `other` for unknown games. */
export function gameClass(game: string): string {
  return findGame(game)?.slug ?? 'other';
}

/** Returns the name of a game's motif: circles for unknown games. */
export function motifNameOf(game: string): MotifName {
  return findGame(game)?.motif ?? 'circles';
}
