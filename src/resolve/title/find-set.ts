import type { Card, CardSet } from '../../domain/card.ts';
import { readSetName } from '../../domain/card-name.ts';
import { foldText, foldWords } from '../../domain/text.ts';
import type { Facts, Phrase } from '../../search/index.ts';
import { isCode, labelsOf } from '../set-labels.ts';
import { factsOf } from './facts.ts';
import { findSimilar } from './find-similar.ts';
import { findSpans, overlap, type Span, type Title, wordsIn } from './title.ts';

/** Where a set is named, and how. */
export interface NamedSpan extends Span {
  readonly by: 'name' | 'code' | 'similar name';
}

/** Finds the name or a code of a card's set. */
export function findSet(title: Title, card: Card, taken: readonly Span[]): NamedSpan | undefined {
  const { words, sets } = title;
  const { set } = card;
  // The code in the number of another card says nothing of this one.
  const isInNumber = (span: Span) => title.numbers.some((number) => contains(number, span));
  const isFree = (span: Span) => !isInNumber(span) && !taken.some((one) => overlap(span, one));
  const labels = labelsOf(set);
  for (const label of labels) {
    if (isNameMark(label)) continue;
    const span = findSpans(words, label).find(isFree);
    if (span) return { ...span, by: isCode(label, set) ? 'code' : 'name' };
  }
  // `Ninth Edition` is another set than `Tenth Edition`, however similar they are.
  const isOther = sets.some(({ game, name }) => game === set.game && foldText(name).length > 4);
  const short = title.phrases.find((phrase) => isShortName(phrase, card) && isFree(phrase));
  if (short) return { from: short.from, to: short.to, by: 'similar name' };
  if (isOther) return undefined;
  const similar = findSimilar(words, foldWords(readSetName(set.name).name), isFree);
  return similar && { ...similar, by: 'similar name' };
}

/** What stands behind names of Pokémon and makes another card of them; `EX` is also a set code. */
export function isNameMark(word: string): boolean {
  return /^(?:ex|gx|v|vmax|vstar|break|prime|lvx|legend)$/.test(word);
}

/** Whether collectors call the card's set so: `evolving skies`, `evs`. */
function isShortName({ as, fits }: Phrase, card: Card): boolean {
  return as === 'set' && fits?.(factsOf(card)) === true;
}

/**
 * Finds another set of the card's game that the title means: by its name, where the words are no part
 * of the card and say nothing that is true of it, or by a code or a short name that nothing explains.
 *
 * @param own What the title says of the card. A longer name of a set than the card's is another set.
 * @param leftover Whether nothing explains a word.
 */
export function findOtherSet(
  title: Title,
  card: Card,
  own: { readonly set: NamedSpan | undefined; readonly taken: readonly Span[] },
  leftover: readonly number[],
): OtherSet | undefined {
  const { set } = card;
  const facts = factsOf(card);
  const isLeft = (span: Span) => indexesOf(span).every((at) => leftover.includes(at));
  const isNamed = (span: Span) => {
    if (own.taken.some((other) => overlap(span, other))) return false;
    if (own.set && own.set.by !== 'code') return contains(span, own.set);
    return !indexesOf(span).every((at) => isTrueOf(title, at, card, facts));
  };
  const other = title.sets.find((one) => {
    if (one.game !== set.game || one.rowId === set.rowId || isCrew(one)) return false;
    return labelsOf(one).some((label) => {
      const isMeant = isCode(label, one) ? isLeft : isNamed;
      return label.length > 2 && findSpans(title.words, label).some(isMeant);
    });
  });
  if (other) return { setId: other.id };
  const short = title.phrases.find((phrase) => {
    const isOther = phrase.as === 'set' && phrase.games?.includes(set.game);
    return isOther && wordsIn(title, phrase).length > 2 && isLeft(phrase);
  });
  return short && { set: short.means };
}

/** Whether a set is called like a crew or another type of One Piece, which is printed on cards. */
function isCrew({ game, name }: CardSet): boolean {
  return game === 'onepiece' && /crew|pirates|generation|warlords|film/i.test(name);
}

/** A set that a title names and the card is not in, as items give sets. */
export type OtherSet = { readonly setId: string } | { readonly set: string };

function contains(outer: Span, inner: Span): boolean {
  return outer.from <= inner.from && inner.to <= outer.to && !isEqual(outer, inner);
}

function isEqual(one: Span, other: Span): boolean {
  return one.from === other.from && one.to === other.to;
}

/** Whether a word is of the card's set, or of a rarity, printing or treatment that the card has. */
function isTrueOf({ words, phrases }: Title, at: number, card: Card, facts: Facts): boolean {
  if (isSetWord(words[at] ?? '', card)) return true;
  return phrases.some(({ as, from, to, fits }) => {
    return ATTRIBUTES.has(as) && from <= at && at < to && fits?.(facts) === true;
  });
}

const ATTRIBUTES: ReadonlySet<Phrase['as']> = new Set(['rarity', 'printing', 'treatment']);

function indexesOf({ from, to }: Span): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/** Whether a word is one of the name of a card's set. */
export function isSetWord(word: string, { set }: Card): boolean {
  return foldWords(set.name).includes(word);
}
