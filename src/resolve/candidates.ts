import type { Card, CardSet } from '../domain/card.ts';
import type { SearchIndex } from '../search/index.ts';
import { isSameNumber, lookupForms } from './numbers.ts';
import type { Wanted } from './wanted.ts';

/** Returns the cards that bear an item's name, or its number in its set. */
export function findCandidates(wanted: Wanted, { lookup }: SearchIndex): Card[] {
  const { sets, game } = wanted;
  const isMeant = (set: CardSet) => {
    if (game !== undefined && set.game !== game) return false;
    return !sets || sets.sets.length === 0 || sets.rowIds.has(set.rowId);
  };
  const named = wanted.name.trim() === '' ? [] : lookup.named(wanted.name);
  const ofName = named.filter(({ set }) => isMeant(set));
  const numbered = findNumbered(wanted, lookup, ofName, isMeant);
  const both = numbered.filter((card) => ofName.includes(card));
  // A number that a card of the name has leaves nothing to be compared but these.
  if (both.length > 0) return both;
  return [...new Set([...numbered, ...(ofName.length > 0 ? ofName : named)])];
}

/** The cards of the item's number: in its sets, else of its name, else those of a number with a code. */
function findNumbered(
  { number, sets }: Wanted,
  lookup: SearchIndex['lookup'],
  ofName: readonly Card[],
  isMeant: (set: CardSet) => boolean,
): Card[] {
  if (number === undefined) return [];
  const isSame = (card: Card) => isSameNumber(number, card.number, card.set.code);
  const hasSets = sets !== undefined && sets.sets.length > 0;
  if (!hasSets && ofName.length > 0) return ofName.filter(isSame);
  if (!hasSets && !/[A-Za-z]/.test(number)) return [];
  for (const form of lookupForms(number)) {
    const cards = lookup.numbered(form, isMeant).filter(isSame);
    if (cards.length > 0) return cards;
  }
  return [];
}
