import { type Day, parseDay } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { findGame, GAMES, type Game } from '../domain/games.ts';

/** Parsers of the arguments that several commands take. */

/** The slugs of all games, for help and messages. */
export const GAME_LIST = GAMES.map((game) => game.slug).join(', ');

/** @throws OperatorError when no game has this slug or alias. */
export function requireGame(name: string): Game {
  const game = findGame(name);
  if (!game) throw new OperatorError(`There is no game "${name}"; the games are ${GAME_LIST}.`);
  return game;
}

/**
 * The day that a flag names.
 *
 * @throws OperatorError when it names none.
 */
export function requireDay(flag: string, text: string): Day {
  const day = parseDay(text);
  if (day === undefined) throw new OperatorError(`${flag} "${text}" is not a day YYYY-MM-DD.`);
  return day;
}

/**
 * The count, or the id, that a flag gives.
 *
 * @throws OperatorError when it is not a whole number from 1 to 999,999,999.
 */
export function readCount(flag: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new OperatorError(`${flag} "${text}" is not a whole number above 0.`);
}
