import { OperatorError } from '../../domain/errors.ts';
import type { GameSlug } from '../../domain/games.ts';

/**
 * Checks that the only game of a source is among the wanted games; null wants all.
 *
 * @throws OperatorError when it is not.
 */
export function requireGame(
  { name, game }: { readonly name: string; readonly game: GameSlug },
  wanted: readonly GameSlug[] | null,
): void {
  if (wanted === null || wanted.includes(game)) return;
  throw new OperatorError(`${name} has no cards of ${wanted.join(', ')}, only of ${game}.`);
}
