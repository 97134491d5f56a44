import type { Card, CardSet } from '../../domain/card.ts';
import { readSetName } from '../../domain/card-name.ts';
import type { GameSlug } from '../../domain/games.ts';
import { foldText, foldWords } from '../../domain/text.ts';
import {
  areSimilar,
  type Facts,
  misreadDigits,
  overlap,
  type Phrase,
  type Span,
} from '../../search/index.ts';
import { isSameNumber } from '../numbers.ts';
import { isCode, labelsOf, wordsOf } from '../sets.ts';
import type { NumberSpan, Title, TitleCandidate } from './title.ts';

/** How the words of a title are read for one card. */
export interface Explained {
  readonly card: Card;
  readonly facts: Facts;
  readonly name: Span & { readonly isSimilar: boolean };
  /** The card's variants and colours elsewhere in the title. */
  readonly variants: readonly string[];
  /** The position of the name or code of the card's set in the title. */
  readonly set: NamedSpan | undefined;
  readonly number: NumberSpan | undefined;
  /** The meanings of other words. They do not overlap. */
  readonly phrases: readonly Phrase[];
  /** The indexes of unexplained words. */
  readonly leftover: readonly number[];
  /** Another set of the game that the title names. */
  readonly otherSet: OtherSet | undefined;
  /** Whether the name occurs only as part of the set's name: `Luffy` in `Purple Luffy`. */
  readonly isNameInSet: boolean;
  readonly score: number;
}

/**
 * Reads a title as a description of a card. Returns undefined if the card's name is missing. With
 * `maySimilar`, a similar name is enough if the title also has the card's number.
 */
export function explain(
  title: Title,
  one: TitleCandidate,
  maySimilar: boolean,
): Explained | undefined {
  const number = findNumber(title, one.card);
  const isNear = maySimilar && number !== undefined;
  const taken: Span[] = number ? [number] : [];
  const alone = findName(title, one, taken, isNear);
  if (!alone) return undefined;
  const set = findSet(title, one, taken);
  const name = set ? findName(title, one, [...taken, set], isNear) : alone;
  if (name) return complete(title, one, name, set, number);
  const elsewhere = findSet(title, one, [...taken, alone]);
  return { ...complete(title, one, alone, elsewhere, number), isNameInSet: true };
}

function complete(
  title: Title,
  one: TitleCandidate,
  name: Explained['name'],
  set: NamedSpan | undefined,
  number: NumberSpan | undefined,
): Explained {
  const { card, facts } = one;
  const taken: Span[] = [name, ...(set ? [set] : []), ...(number ? [number] : [])];
  const variants = findVariants(title, one, taken);
  taken.push(...variants);
  const phrases = choosePhrases(title, facts, taken);
  taken.push(...phrases);
  const leftover = title.words
    .map((_, at) => at)
    .filter((at) => !taken.some(({ from, to }) => from <= at && at < to))
    .filter((at) => !wordsOf(card.set).has(title.words[at] ?? ''));
  const other = { set, taken: [name, ...variants, ...(number ? [number] : [])] };
  const otherSet = findOtherSet(title, one, other, leftover);
  const agreed = phrases.reduce((sum, phrase) => sum + agreement(phrase, facts), 0);
  const score =
    (name.isSimilar ? 2 : 4) +
    (name.to - name.from) +
    (number ? 4 : 0) +
    (set && !otherSet ? 3 : 0) -
    (otherSet ? 3 : 0) +
    agreed -
    0.7 * leftover.length;
  return {
    card,
    facts,
    name,
    variants: variants.map((span) => title.wordsIn(span)),
    set: otherSet ? undefined : set,
    number,
    phrases,
    leftover,
    otherSet,
    isNameInSet: false,
    score,
  };
}

function agreement({ fits }: Phrase, facts: Facts): number {
  if (!fits) return 0;
  return fits(facts) ? 0.5 : -1;
}

function findNumber({ numbers }: Title, { number, set }: Card): NumberSpan | undefined {
  if (number === null) return undefined;
  const isOwn = (text: string) => isSameNumber(text, number, set.code);
  return (
    numbers.find(({ text }) => isOwn(text)) ??
    numbers.find(({ text }) => isOwn(misreadDigits(text)))
  );
}

/**
 * Finds the longest of a card's names in a title, otherwise a similar name, otherwise the bare
 * name.
 */
function findName(
  title: Title,
  one: TitleCandidate,
  taken: readonly Span[],
  maySimilar: boolean,
): Explained['name'] | undefined {
  const isFree = (span: Span) => !taken.some((other) => overlap(span, other));
  for (const folded of one.names) {
    const span = title.spansOf(folded).find(isFree);
    if (span) return { ...span, isSimilar: false };
  }
  const similar = maySimilar ? findSimilar(title, one.words, isFree) : undefined;
  if (similar) return { ...similar, isSimilar: true };
  const part = title.spansOf(one.parts.title).find(isFree);
  return part && { ...part, isSimilar: false };
}

/** Finds a card's variants and colour, which may be anywhere in the title. */
function findVariants(title: Title, { parts }: TitleCandidate, taken: readonly Span[]): Span[] {
  return [...parts.variants, parts.rest].flatMap((phrase) => {
    const spans = title.spansOf(foldText(phrase));
    return spans.filter((span) => !taken.some((other) => overlap(span, other))).slice(0, 1);
  });
}

/** Chooses phrases for the words that are not the card's: the longest first, without overlap. */
function choosePhrases({ phrases }: Title, facts: Facts, taken: readonly Span[]): Phrase[] {
  const chosen: Phrase[] = [];
  const free = phrases.filter((phrase) => {
    // The names of other sets contradict the card, so they stay unexplained.
    const isPossible = phrase.as !== 'set' && isOfGame(phrase, facts.game);
    return isPossible && !taken.some((other) => overlap(phrase, other));
  });
  const weighed = free.map((phrase) => {
    return { phrase, weight: 10 * (phrase.to - phrase.from) + agreement(phrase, facts) };
  });
  for (const { phrase } of weighed.toSorted((one, other) => other.weight - one.weight)) {
    if (!chosen.some((other) => overlap(phrase, other))) chosen.push(phrase);
  }
  return chosen;
}

/** Whether a phrase may describe cards of a game: `V` is a rarity of only one game. */
function isOfGame({ as, games }: Phrase, game: GameSlug): boolean {
  const isOfAny = as === 'game' || as === 'language' || games === undefined;
  return isOfAny || games.includes(game);
}

/** The words that name a set, and how they do so. */
interface NamedSpan extends Span {
  readonly by: 'name' | 'code' | 'similar name';
}

/** Finds the name or a code of a card's set. */
function findSet(
  title: Title,
  { card: { set }, facts }: TitleCandidate,
  taken: readonly Span[],
): NamedSpan | undefined {
  // The code in another card's number does not name this card's set.
  const isInNumber = (span: Span) => title.numbers.some((number) => contains(number, span));
  const isFree = (span: Span) => !isInNumber(span) && !taken.some((one) => overlap(span, one));
  const labels = labelsOf(set);
  for (const label of labels) {
    if (isNameMark(label)) continue;
    const span = title.spansOf(label).find(isFree);
    if (span) return { ...span, by: isCode(label, set) ? 'code' : 'name' };
  }
  // `Ninth Edition` and `Tenth Edition` are similar, but different sets.
  const isOther = title.sets.some((one) => {
    const [name = ''] = labelsOf(one);
    return one.game === set.game && name.length > 4;
  });
  const short = title.phrases.find((phrase) => isShortName(phrase, facts) && isFree(phrase));
  if (short) return { from: short.from, to: short.to, by: 'similar name' };
  if (isOther) return undefined;
  const similar = findSimilar(title, foldWords(readSetName(set.name).name), isFree);
  return similar && { ...similar, by: 'similar name' };
}

/** Marks after a Pokémon's name that make it another card. `EX` is also a set code. */
export function isNameMark(word: string): boolean {
  return /^(?:ex|gx|v|vmax|vstar|break|prime|lvx|legend)$/.test(word);
}

/** Whether a phrase is a nickname of the card's set: `evolving skies`, `evs`. */
function isShortName({ as, fits }: Phrase, facts: Facts): boolean {
  return as === 'set' && fits?.(facts) === true;
}

/**
 * Finds another set of the card's game that the title means. A name counts if its words are not
 * part of the card and do not describe it. A code or a short name counts if its words are
 * unexplained.
 *
 * @param own The words of the card. A set name that contains the card's set name is another set.
 * @param leftover The indexes of unexplained words.
 */
function findOtherSet(
  title: Title,
  { card: { set }, facts }: TitleCandidate,
  own: { readonly set: NamedSpan | undefined; readonly taken: readonly Span[] },
  leftover: readonly number[],
): OtherSet | undefined {
  const isLeft = (span: Span) => indexesOf(span).every((at) => leftover.includes(at));
  const isNamed = (span: Span) => {
    if (own.taken.some((other) => overlap(span, other))) return false;
    if (own.set && own.set.by !== 'code') return contains(span, own.set);
    return !indexesOf(span).every((at) => isTrueOf(title, at, set, facts));
  };
  const other = title.sets.find((one) => {
    if (one.game !== set.game || one.rowId === set.rowId || isCrew(one)) return false;
    return labelsOf(one).some((label) => {
      const isMeant = isCode(label, one) ? isLeft : isNamed;
      return label.length > 2 && title.spansOf(label).some(isMeant);
    });
  });
  if (other) return { setId: other.id };
  const short = title.phrases.find((phrase) => {
    const isOther = phrase.as === 'set' && phrase.games?.includes(set.game);
    return isOther && title.wordsIn(phrase).length > 2 && isLeft(phrase);
  });
  return short && { set: short.means };
}

/** Whether a set has the name of a One Piece crew or type, which cards also have printed. */
function isCrew({ game, name }: CardSet): boolean {
  return game === 'onepiece' && /crew|pirates|generation|warlords|film/i.test(name);
}

/** A set that a title names but the card is not in, as fields of an item. */
type OtherSet = { readonly setId: string } | { readonly set: string };

function contains(outer: Span, inner: Span): boolean {
  return outer.from <= inner.from && inner.to <= outer.to && !isEqual(outer, inner);
}

function isEqual(one: Span, other: Span): boolean {
  return one.from === other.from && one.to === other.to;
}

/** Whether a word belongs to the card's set, rarity, printings or treatments. */
function isTrueOf({ words, phrases }: Title, at: number, set: CardSet, facts: Facts): boolean {
  if (wordsOf(set).has(words[at] ?? '')) return true;
  return phrases.some(({ as, from, to, fits }) => {
    return ATTRIBUTES.has(as) && from <= at && at < to && fits?.(facts) === true;
  });
}

const ATTRIBUTES: ReadonlySet<Phrase['as']> = new Set(['rarity', 'printing', 'treatment']);

function indexesOf({ from, to }: Span): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/** Finds words similar to `wanted`: the same number of words, or one more or less. */
function findSimilar(
  { words }: Title,
  wanted: readonly string[],
  isFree: (span: Span) => boolean,
): Span | undefined {
  const count = wanted.length;
  for (const length of [count, count + 1, count - 1]) {
    for (let from = 0; length > 0 && from + length <= words.length; from++) {
      const span = { from, to: from + length };
      if (isFree(span) && areSimilar(words.slice(from, span.to), wanted)) return span;
    }
  }
  return undefined;
}
