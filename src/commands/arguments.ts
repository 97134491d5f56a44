import { type Day, parseDay } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { findGame, GAMES, type Game } from '../domain/games.ts';
import { countsAs, findSource, PRICE_SOURCES } from '../domain/sources.ts';

/** Parsers of the arguments that several commands take. */

/** The slugs of all games, for help and messages. */
export const GAME_LIST = GAMES.map((game) => game.slug).join(', ');

/** @throws OperatorError if no game has this slug or alias. */
export function requireGame(name: string): Game {
  const game = findGame(name);
  if (!game) throw new OperatorError(`There is no game "${name}"; the games are ${GAME_LIST}.`);
  return game;
}

/**
 * Returns the day in the value of a flag.
 *
 * @throws OperatorError if the value is not a day.
 */
export function requireDay(flag: string, text: string): Day {
  const day = parseDay(text);
  if (day === undefined) throw new OperatorError(`${flag} "${text}" is not a day YYYY-MM-DD.`);
  return day;
}

/**
 * Returns the count or the id in the value of a flag.
 *
 * @throws OperatorError if it is not a whole number from 1 to 999,999,999.
 */
export function readCount(flag: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new OperatorError(`${flag} "${text}" is not a whole number above 0.`);
}

/**
 * Returns the name of a source of prices.
 *
 * @throws OperatorError if there is no such source, or if its prices count as another source's.
 */
export function requireSource(name: string): string {
  if (findSource(name)) return name;
  const original = countsAs(name);
  if (original !== name) {
    throw new OperatorError(
      `Prices from ${name} count as prices of ${original}. Use --source ${original}.`,
    );
  }
  const names = PRICE_SOURCES.map((source) => source.name).join(', ');
  throw new OperatorError(`There is no source "${name}"; the sources are ${names}.`);
}
