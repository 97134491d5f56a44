import type { GameSlug } from '../../domain/games.ts';
import type { Entry } from './entry.ts';

/**
 * Makes an entry of a set, by its name as sources give it.
 *
 * @param others What other sources call it.
 */
export function set(game: GameSlug, name: string, words: string, ...others: string[]): Entry {
  return sets(game, name, words, [name, ...others]);
}

/** Makes an entry of several sets that people call by one name. */
export function sets(game: GameSlug, means: string, words: string, names: string[]): Entry {
  return { as: 'set', means, words, games: [game], evidence: { sets: names } };
}
