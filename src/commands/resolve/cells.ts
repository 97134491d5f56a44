import { findGame, type GameSlug } from '../../domain/games.ts';
import { CONDITION_NAMES } from '../../domain/price.ts';
import { splitConsoleName } from '../../sources/pricecharting/names.ts';

/** Reads cells of tables that programs write, each in its own way. */

/** Returns the game that a cell names in any of the usual ways; undefined for another. */
export function readGame(cell: string): GameSlug | undefined {
  const known = findGame(cell.toLowerCase());
  if (known) return known.slug;
  if (/^pok[eé]mon\b.*\bjap/i.test(cell)) return 'pokemonjp';
  const console = splitConsoleName(cell);
  return typeof console === 'string' ? undefined : console.game;
}

const YES = ['true', 'yes', 'y', 'x', '1', 'foil'];
const NO = ['false', 'no', 'n', '0', '-', 'none'];
const PLAIN = ['normal', 'nonfoil', 'non-foil'];

/** The foils of Flesh and Blood, and the first of its editions. */
const SHORTENED: ReadonlyMap<string, string> = new Map([
  ['rainbow', 'Rainbow Foil'],
  ['cold', 'Cold Foil'],
  ['first', '1st Edition'],
]);

/** Returns the printing in a cell; `yes` is what a cell means that only says yes. */
export function readPrinting(cell: string, yes: string): string | undefined {
  const folded = cell.toLowerCase();
  if (YES.includes(folded)) return yes;
  if (PLAIN.includes(folded)) return 'Normal';
  return NO.includes(folded) ? undefined : (SHORTENED.get(folded) ?? cell);
}

/** A condition, and the printing that TCGplayer's sellers get in the same cell. */
export interface ConditionCell {
  readonly condition: string;
  readonly printing?: string;
}

/** Splits `Near Mint 1st Edition Holofoil`; takes what is in brackets: `Good (Lightly Played)`. */
export function readCondition(cell: string): ConditionCell {
  const condition = /\(([^()]+)\)$/.exec(cell)?.[1] ?? cell;
  const folded = condition.toLowerCase();
  const known = CONDITION_WORDS.find((words) => folded.startsWith(`${words} `));
  if (known === undefined) return { condition };
  const printing = condition.slice(known.length + 1);
  return { condition: condition.slice(0, known.length), printing };
}

const CONDITION_WORDS = Object.values(CONDITION_NAMES).map((name) => name.toLowerCase());

/** Returns the grade, with the company of its own column; undefined for an ungraded card. */
export function readGrade(cell: string, company: string | undefined): string | undefined {
  if (/^(?:un-?graded|not graded|raw|none|no|-)$/i.test(cell)) return undefined;
  const number = /^(?:grade[d]? )?(\d{1,2}(?:\.\d)?)$/i.exec(cell)?.[1];
  return number !== undefined && company !== undefined ? `${company} ${number}` : cell;
}

/** Returns the count in a cell such as `4`, `4x` or `1,000`; undefined when it is none. */
export function readQuantity(cell: string): number | undefined {
  const digits = /^x? ?(-?\d{1,3}(?:,?\d{3})*)(?:\.0+)? ?x?$/i.exec(cell)?.[1];
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''));
}

/** Cardmarket's conditions by code and by number, in the words of the American scale. */
const CARDMARKET_CONDITIONS: readonly (readonly [code: string, condition: string])[] = [
  ['MT', 'Near Mint'],
  ['NM', 'Near Mint'],
  ['EX', 'Lightly Played'],
  ['GD', 'Moderately Played'],
  ['LP', 'Moderately Played'],
  ['PL', 'Heavily Played'],
  ['PO', 'Damaged'],
];

export function readCardmarketCondition(cell: string): string {
  const found = CARDMARKET_CONDITIONS.find(([code], index) => {
    return cell.toUpperCase() === code || cell === String(index + 1);
  });
  return found?.[1] ?? cell;
}

/** Cardmarket's languages by their numbers, from 1. */
const CARDMARKET_LANGUAGES = [
  'English',
  'French',
  'German',
  'Spanish',
  'Italian',
  'Simplified Chinese',
  'Japanese',
  'Portuguese',
  'Russian',
  'Korean',
  'Traditional Chinese',
];

export function readCardmarketLanguage(cell: string): string {
  return CARDMARKET_LANGUAGES[Number(cell) - 1] ?? cell;
}

/** The sets that Dreamborn and the cards themselves number, from 1. */
const LORCANA_SETS = [
  'The First Chapter',
  'Rise of the Floodborn',
  'Into the Inklands',
  "Ursula's Return",
  'Shimmering Skies',
  'Azurite Sea',
  "Archazia's Island",
  'Reign of Jafar',
  'Fabled',
  'Whispers in the Well',
];

/** Returns the name of a set by its number; undefined for a newer one, whose name is not known. */
export function readLorcanaSet(cell: string): string | undefined {
  return /^\d+$/.test(cell) ? LORCANA_SETS[Number(cell) - 1] : cell;
}
