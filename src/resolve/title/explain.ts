import type { Card, CardSet } from '../../domain/card.ts';
import { facesOf, readSetName, withoutBrackets, withoutYear } from '../../domain/card-name.ts';
import { type GameSlug, rulesOf } from '../../domain/games.ts';
import { readName } from '../../domain/naming/comparable-name.ts';
import { foldText, foldWords } from '../../domain/text.ts';
import type { Facts, Phrase } from '../../search/index.ts';
import { isSameNumber } from '../numbers.ts';
import { isCode, labelsOf } from '../sets.ts';
import { areSimilar, misreadNumber } from '../similar.ts';
import { factsOf } from './facts.ts';
import { findSpans, type NumberSpan, overlap, type Span, type Title, wordsIn } from './title.ts';

/** How the words of a title are read for one card. */
export interface Explained {
  readonly card: Card;
  readonly name: Span & { readonly isSimilar: boolean };
  /** The variants and colours of the card that stand elsewhere in the title. */
  readonly variants: readonly string[];
  /** Where the card's set is named, or its code given. */
  readonly set: NamedSpan | undefined;
  readonly number: NumberSpan | undefined;
  /** What the other words mean; they do not overlap. */
  readonly phrases: readonly Phrase[];
  /** Indexes of the words that nothing explains. */
  readonly leftover: readonly number[];
  /** A set of the game that is named beside the card's name, and is not the card's. */
  readonly otherSet: OtherSet | undefined;
  /** Whether the name is there only as a part of the set's: `Luffy` in `Purple Luffy`. */
  readonly isNameInSet: boolean;
  readonly facts: Facts;
  readonly score: number;
}

/**
 * Reads a title as a description of a card; undefined where its name is not there. A name that is
 * only similar counts beside the card's number, and if `maySimilar`.
 */
export function explain(title: Title, card: Card, maySimilar: boolean): Explained | undefined {
  const number = findNumber(title, card);
  const isNear = maySimilar && number !== undefined;
  const taken: Span[] = number ? [number] : [];
  const alone = findName(title, card, taken, isNear);
  if (!alone) return undefined;
  const set = findSet(title, card, taken);
  const name = set ? findName(title, card, [...taken, set], isNear) : alone;
  if (name) return complete(title, card, name, set, number);
  const elsewhere = findSet(title, card, [...taken, alone]);
  return { ...complete(title, card, alone, elsewhere, number), isNameInSet: true };
}

function complete(
  title: Title,
  card: Card,
  name: Explained['name'],
  set: NamedSpan | undefined,
  number: NumberSpan | undefined,
): Explained {
  const taken: Span[] = [name, ...(set ? [set] : []), ...(number ? [number] : [])];
  const variants = findVariants(title, card, taken);
  taken.push(...variants);
  const facts = factsOf(card);
  const phrases = choosePhrases(title, facts, taken);
  taken.push(...phrases);
  const leftover = title.words
    .map((_, at) => at)
    .filter((at) => !taken.some(({ from, to }) => from <= at && at < to))
    .filter((at) => !isSetWord(title.words[at] ?? '', card));
  const other = { set, taken: [name, ...variants, ...(number ? [number] : [])] };
  const otherSet = findOtherSet(title, card, other, leftover);
  const agreed = phrases.reduce((sum, phrase) => sum + agreement(phrase, facts), 0);
  const score =
    (name.isSimilar ? 2 : 4) +
    (name.to - name.from) +
    (number ? 4 : 0) +
    (set && !otherSet ? 3 : 0) -
    (otherSet ? 3 : 0) +
    agreed -
    0.7 * leftover.length;
  const told = variants.map((span) => wordsIn(title, span));
  return {
    ...{ card, name, variants: told, number, phrases, leftover, otherSet, facts, score },
    set: otherSet ? undefined : set,
    isNameInSet: false,
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
    numbers.find(({ text }) => isOwn(misreadNumber(text)))
  );
}

/** Finds the longest of a card's names that is in a title, else a similar one, else its title. */
function findName(
  { words }: Title,
  card: Card,
  taken: readonly Span[],
  maySimilar: boolean,
): Explained['name'] | undefined {
  const isFree = (span: Span) => !taken.some((other) => overlap(span, other));
  const names = namesOf(card);
  for (const folded of names) {
    const span = findSpans(words, folded).find(isFree);
    if (span) return { ...span, isSimilar: false };
  }
  const similar = maySimilar
    ? findSimilar(words, foldWords(withoutBrackets(card.name)), isFree)
    : undefined;
  if (similar) return { ...similar, isSimilar: true };
  const { title } = readName(rulesOf(card.set.game), withoutYear(card.name), null);
  const part = findSpans(words, title).find(isFree);
  return part && { ...part, isSimilar: false };
}

/** What a card may be called, folded; the longest first. */
function namesOf({ name }: Card): string[] {
  const plain = withoutBrackets(withoutYear(name));
  const names = [name, plain, withoutBrackets(name), ...facesOf(plain)].map(foldText);
  return [...new Set(names)].sort((a, b) => b.length - a.length);
}

/** Finds the words of a card's variants and of its colour, which may stand anywhere. */
function findVariants({ words }: Title, card: Card, taken: readonly Span[]): Span[] {
  const { variants, rest } = readName(rulesOf(card.set.game), withoutYear(card.name), null);
  return [...variants, rest].flatMap((phrase) => {
    const spans = findSpans(words, foldText(phrase));
    return spans.filter((span) => !taken.some((other) => overlap(span, other))).slice(0, 1);
  });
}

/** Chooses what the words mean that are nothing of the card: the longest phrases, none twice. */
function choosePhrases({ phrases }: Title, facts: Facts, taken: readonly Span[]): Phrase[] {
  const chosen: Phrase[] = [];
  const free = phrases.filter((phrase) => {
    // Other sets contradict the card: their names are not explained.
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

/** Whether a phrase may be said of cards of a game: `V` is a rarity of one game alone. */
function isOfGame({ as, games }: Phrase, game: GameSlug): boolean {
  return as === 'game' || games === undefined || games.includes(game);
}

/** Where a set is named, and how. */
interface NamedSpan extends Span {
  readonly by: 'name' | 'code' | 'similar name';
}

/** Finds the name or a code of a card's set. */
function findSet(title: Title, card: Card, taken: readonly Span[]): NamedSpan | undefined {
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
function findOtherSet(
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
type OtherSet = { readonly setId: string } | { readonly set: string };

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
function isSetWord(word: string, { set }: Card): boolean {
  return foldWords(set.name).includes(word);
}

/** Finds words that are a text but for a few letters: as many words, or one more or less. */
function findSimilar(
  words: readonly string[],
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
