/**
 * Oversized cards: larger prints of cards, under the same name and number, that nobody plays with.
 * Their set or their name says what they are. Box toppers are not oversized as such: those of Magic
 * and One Piece have the size of all cards.
 */

const SET = /\b(jumbo|oversized?)(?: cards?| promos?)?\)?$/i;
const IN_BRACKETS = /[([（][^)\]）]*\b(?:jumbo|oversized?)\b/i;
/** Without brackets, as in `Mabosstiff ex - Jumbo Card`. `Jumbo Cactuar` is a creature. */
const AT_END = /(?: -)? (?:jumbo card|oversized?(?: card)?|(?<=- )jumbo)(?=$| [([])/i;

/** Whether a card is oversized, which its name says: `Charizard (Jumbo)`. */
export function isOversized(name: string): boolean {
  return IN_BRACKETS.test(name) || AT_END.test(name);
}

/** Whether all cards of a set are oversized, which its name says: `Jumbo Cards`. */
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

/** Returns a name that says without brackets that its card is oversized as one with brackets. */
export function withSizeInBrackets(name: string): string {
  return name.replace(AT_END, ' (Jumbo)');
}
