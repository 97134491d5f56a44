import type { Card, CardSet } from '../domain/card.ts';
import { totalOf } from '../domain/collector-number.ts';
import type { GameSlug } from '../domain/games.ts';
import { isSimilarName, readText, type SearchIndex } from '../search/index.ts';
import { isSameNumber, lookupForms } from './numbers.ts';
import type { Wanted } from './wanted.ts';

/** Cards that an item may mean. */
export interface Found {
  readonly cards: readonly Card[];
  readonly knownIn: KnownIn;
}

/** Whether the catalogue contains the item's name and total. */
export interface KnownIn {
  /** The games with a card of exactly this name, in which the name is not a misspelling. */
  readonly games: ReadonlySet<GameSlug>;
  /** Whether most cards of a set have the total of the number: 102 of `4/102`. */
  readonly hasTotal: (set: CardSet) => boolean;
}

/**
 * Finds the cards with an item's name, or with its number in its set. If there are none and the
 * name `mayBeMisspelt`, searches for similar names, which takes about as long as all else.
 */
export function findCandidates(wanted: Wanted, search: SearchIndex, mayBeMisspelt = true): Found {
  const { lookup } = search;
  const named = wanted.name.trim() === '' ? [] : lookup.named(wanted.name);
  const games = new Set(named.map(({ set }) => set.game));
  const total = totalOf(wanted.number ?? '');
  const hasTotal = (set: CardSet) => lookup.hasTotal(set, total);
  const cards = choose(wanted, named, lookup);
  const isDone = cards.length > 0 || !mayBeMisspelt || wanted.name.trim() === '';
  return { cards: isDone ? cards : misspelt(wanted, search), knownIn: { games, hasTotal } };
}

/** The most search results that may have a similar name. */
const MOST_FOUND = 10;

/** Finds the cards with a similar name, in the item's game. */
function misspelt({ name, game }: Wanted, search: SearchIndex): Card[] {
  const text = readText(name);
  return search.best({ text, ...(game && { game }), limit: MOST_FOUND }).filter((card) => {
    return isSimilarName(text.words, card.name);
  });
}

function choose(wanted: Wanted, named: readonly Card[], lookup: SearchIndex['lookup']): Card[] {
  const { sets, game } = wanted;
  const isMeant = (set: CardSet) => {
    if (game !== undefined && set.game !== game) return false;
    return !sets || sets.sets.length === 0 || sets.rowIds.has(set.rowId);
  };
  const ofName = named.filter(({ set }) => isMeant(set));
  const numbered = findNumbered(wanted, lookup, ofName, isMeant);
  if (wanted.codeSets.length > 0)
    numbered.push(...ofName.filter((card) => hasNumber(wanted, card)));
  const both = numbered.filter((card) => ofName.includes(card));
  // If a card has both name and number, no other card needs to be compared.
  if (both.length > 0) return [...new Set(both)];
  return [...new Set([...numbered, ...(ofName.length > 0 ? ofName : named)])];
}

/** Finds the cards with the item's number: in its sets, with its name, or anywhere. */
function findNumbered(
  { number, sets, codeSets }: Wanted,
  lookup: SearchIndex['lookup'],
  ofName: readonly Card[],
  isMeant: (set: CardSet) => boolean,
): Card[] {
  if (number === undefined) return [];
  const isSame = (card: Card) => isSameNumber(number, card.number, card.set.code);
  const hasSets = sets !== undefined && sets.sets.length > 0;
  const places = hasSets ? sets.sets : codeSets;
  if (places.length === 0 && ofName.length > 0) return ofName.filter(isSame);
  const total = totalOf(number);
  if (places.length === 0 && total === '' && !/[A-Za-z]/.test(number)) return [];
  const isWanted = (card: Card) => isMeant(card.set) && isSame(card);
  const inPlaces = lookup.numberedIn(number, places).filter(isWanted);
  if (hasSets) return inPlaces;
  // Sets of reprints keep the numbers of other sets, including their codes.
  const elsewhere = lookupForms(number).flatMap((form) => lookup.numbered(form, total));
  return [...new Set([...inPlaces, ...elsewhere.filter(isWanted)])];
}

function hasNumber({ number }: Wanted, card: Card): boolean {
  return number !== undefined && isSameNumber(number, card.number, card.set.code);
}
