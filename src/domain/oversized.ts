/**
 * Oversized cards: larger prints of cards, with the same name and number, that are not played with.
 * The name of the card or its set says so. Not all box toppers are oversized: those of Magic and
 * One Piece have the normal size.
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
 * cards. A name that says so already stays.
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
