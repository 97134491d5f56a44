import { Option } from 'commander';
import { SETTINGS, type Setting, type SettingName } from '../config/settings.ts';
import { WANTED_CURRENCIES, type WantedCurrency } from '../domain/currencies.ts';
import { type Day, parseDay } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { findGame, GAMES, type Game, type GameSlug } from '../domain/games.ts';
import { countsAs, findSource, PRICE_SOURCES } from '../domain/sources.ts';
import { findSets } from '../store/catalogue/catalogue.ts';
import type { StoredSet } from '../store/catalogue/records.ts';
import type { Store } from '../store/connect.ts';

/** Returns the flag of a setting, with its description. Reading the settings checks the value. */
export function settingOption(name: SettingName): Option {
  const { flag, description, variable, default: fallback }: Setting<unknown> = SETTINGS[name];
  if (!flag) throw new Error(`the setting ${name} has no flag`);
  return new Option(flag, `${description} (${variable}, default ${fallback})`);
}

/** The value of {@link jsonOption}. */
export interface JsonFlag {
  readonly json?: boolean;
}

/** Returns the `--json` flag, for commands that also serve programs. */
export function jsonOption(): Option {
  return new Option('--json', 'Print JSON.');
}

/** The value of {@link currencyOption}. */
export interface CurrencyFlag {
  readonly currency?: WantedCurrency;
}

/** Returns the `--currency` flag, for commands that print served prices. */
export function currencyOption(): Option {
  const description = 'The currency of prices, as the API has it. Default: US dollars.';
  return new Option('--currency <currency>', description).choices(WANTED_CURRENCIES);
}

/** The value of {@link rawOption}. */
export interface RawFlag {
  readonly raw?: boolean;
}

/** Returns the `--raw` flag, for commands that write CSV. */
export function rawOption(): Option {
  return new Option(
    '--raw',
    'Write CSV for programs: texts that a spreadsheet could run as formulas stay as they are.',
  );
}

/** Returns an option whose value is a day (UTC, YYYY-MM-DD). */
export function dayOption(flags: string, description: string): Option {
  return parsedOption(flags, description, requireDay);
}

/** Returns an option whose value is a whole number above 0. */
export function countOption(flags: string, description: string): Option {
  return parsedOption(flags, description, readCount);
}

/** Returns an option whose value is the slug of a game. */
export function gameOption(flags: string, description: string): Option {
  return parsedOption(flags, description, (_flag, text) => requireGame(text).slug);
}

function parsedOption(
  flags: string,
  description: string,
  parse: (flag: string, text: string) => unknown,
): Option {
  const option = new Option(flags, description);
  return option.argParser((text) => parse(option.long ?? flags, text));
}

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

/**
 * Returns the sets that a text names, like the filters of the API: the set with this setId, or all
 * sets with this code or name.
 *
 * @throws OperatorError if there is none.
 */
export async function requireSets(
  { db }: Store,
  text: string,
  game?: GameSlug,
): Promise<StoredSet[]> {
  const found = await findSets(db, text, game);
  if (found.length === 0) throw new OperatorError(`There is no set "${text}".`);
  return found;
}
