import { repeatsNumber } from './collector-number.ts';

/**
 * Reads the names of cards and sets as sources write them: a plain name, faces, variants in
 * brackets, a repeated number, a set code in front. No other module parses names. `text.ts`
 * compares the results.
 */

const BRACKET = /[([（]/;
const BRACKETS = /\(([^()]*)\)|\[([^[\]]*)\]|（([^（）]*)）/g;

/** Whether a name has brackets of any kind. */
export function hasBrackets(name: string): boolean {
  return BRACKET.test(name);
}

/**
 * Returns a name without its brackets: `Pack Hunt` for `Pack Hunt (Yellow)`. A name that consists
 * only of brackets stays: `(Hazmat Suit)`.
 */
export function withoutBrackets(name: string): string {
  if (!hasBrackets(name)) return name;
  const plain = name.replace(/\s*(?:\([^()]*\)|\[[^[\]]*\]|（[^（）]*）)/g, '').trim();
  return plain === '' ? name : plain;
}

/** Returns the contents of a name's brackets, in order: `Yellow` for `Pack Hunt (Yellow)`. */
export function bracketsOf(name: string): string[] {
  return [...name.matchAll(BRACKETS)].map(
    ([, round, square, wide]) => round ?? square ?? wide ?? '',
  );
}

/** Returns the faces of a card, front first: one, or the two of `Fire // Ice`. */
export function facesOf(name: string): string[] {
  return name.split(' // ');
}

/**
 * Returns a name without the number that TCGplayer repeats in it: `Kangaskhan ex - 190/165` and
 * `Brock's Sandshrew (72)` lose theirs, while `Tropical Wind - DP05 (Worlds 07)` keeps the part
 * that distinguishes it from other cards. A name that consists only of the number stays.
 */
export function withoutNumber(name: string, number: string): string {
  const unlessOwn = (whole: string, repeated: string) => {
    return repeatsNumber(repeated, number) ? '' : whole;
  };
  const bare = name
    .replace(/ - ([^\s([]+)(?=$| [([])/, unlessOwn)
    .replace(/ \(([^\s()]+)\)/, unlessOwn);
  return bare.trim() || name;
}

/**
 * Returns a name without the year of a championship: `Iono (Vance Kelley)` for
 * `Iono - 2023 (Vance Kelley)`.
 */
export function withoutYear(name: string): string {
  return name.replace(/ - (?:19|20)\d\d(?= \()/, '');
}

const NUMBER_OF_TOTAL = /[\s—–-]+[A-Z]{0,4}\d+\/[A-Z]{0,4}\d+(?=$|\s*[([]|\s+-)/;

/**
 * Returns a name without any number and total that a source left in it: `Ninetales -199/197`,
 * `Great Tusk - 097/162 - 2024`.
 */
export function withoutNumberOfTotal(name: string): string {
  return name.includes('/') ? name.replace(NUMBER_OF_TOTAL, '') : name;
}

/** A set's name, split from the code in front of it. */
export interface SetName {
  /** As written; empty if there is none. */
  readonly code: string;
  readonly name: string;
}

const LEADING_CODE = /^([A-Z][A-Z0-9]{0,6}[a-z]?(?:-[A-Z])?)(?:: +| +[-–] +|—)(?=\S)/;

/** Reads the name of a set: `SV02: Paldea Evolved`, `SM - Team Up`, `HS—Undaunted`. */
export function readSetName(text: string): SetName {
  const [whole = '', code = ''] = LEADING_CODE.exec(text) ?? [];
  return { code, name: text.slice(whole.length) };
}

/**
 * Oversized cards: larger prints of cards, with the same name and number, that are not legal in
 * play. The name of the card or its set says that it is oversized. Not all box toppers are
 * oversized: those of Magic and One Piece have the normal size.
 */

const SET = /\b(jumbo|oversized?)(?: cards?| promos?)?\)?$/i;
const IN_BRACKETS = /[([（][^)\]）]*\b(?:jumbo|oversized?)\b/i;
/** Without brackets, as in `Mabosstiff ex - Jumbo Card`. `Jumbo Cactuar` is a creature. */
const AT_END = /(?: -)? (?:jumbo card|oversized?(?: card)?|(?<=- )jumbo)(?=$| [([])/i;

/** Whether the name of a card says that it is oversized: `Charizard (Jumbo)`. */
export function isOversized(name: string): boolean {
  return IN_BRACKETS.test(name) || AT_END.test(name);
}

/** Whether the name of a set says that all its cards are oversized: `Jumbo Cards`. */
export function isOversizedSet(setName: string): boolean {
  return SET.test(setName);
}

/**
 * Returns the name of a card of a set: `Charizard (Jumbo)` for a Charizard in a set of oversized
 * cards. Keeps a name that already says so.
 */
export function nameInSet(setName: string, name: string): string {
  const size = SET.exec(setName)?.[1];
  if (size === undefined || isOversized(name)) return name;
  return `${name} (${/^jumbo$/i.test(size) ? 'Jumbo' : 'Oversized'})`;
}

/** Moves the size in a name into brackets: `Charizard - Jumbo Card` to `Charizard (Jumbo)`. */
export function withSizeInBrackets(name: string): string {
  return name.replace(AT_END, ' (Jumbo)');
}
