import type { Card, CardSet } from '../../domain/card.ts';
import { facesOf, readSetName, withoutBrackets, withoutYear } from '../../domain/card-name.ts';
import { readName } from '../../domain/naming/comparable-name.ts';
import { rulesOf } from '../../domain/naming/rules.ts';
import { codesOf, setNames } from '../../domain/naming/set-names.ts';
import { foldText, foldWords } from '../../domain/text.ts';
import type { Facts, Phrase } from '../../search/index.ts';
import { isSameNumber } from '../numbers.ts';
import { areSimilar, misreadNumber } from '../similar.ts';
import { findSpans, type NumberSpan, overlap, type Span, type Title, wordsIn } from './title.ts';

/** Where a set is named, and how. */
interface NamedSpan extends Span {
  readonly by: 'name' | 'code' | 'similar name';
}

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
  readonly otherSet: CardSet | undefined;
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
  const set = findSet(title, card, taken);
  const name = findName(title, card, set ? [...taken, set] : taken, isNear);
  if (name) return complete(title, card, name, set, number);
  // The name may stand in what was read as the set: `Luffy` in `Purple Luffy`.
  const alone = findName(title, card, taken, isNear);
  return alone && complete(title, card, alone, findSet(title, card, [...taken, alone]), number);
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
  const phrases = choosePhrases(title, card, taken);
  taken.push(...phrases);
  const leftover = title.words
    .map((_, at) => at)
    .filter((at) => !taken.some(({ from, to }) => from <= at && at < to))
    .filter((at) => !isSetWord(title.words[at] ?? '', card));
  const isTrait = card.set.game === 'onepiece' && number !== undefined;
  // Cards of One Piece bear the names of crews, which are names of sets as well.
  const otherSet = set || isTrait ? undefined : findOtherSet(title, card, leftover);
  const score =
    (name.isSimilar ? 2 : 4) +
    (name.to - name.from) +
    (number ? 4 : 0) +
    (set ? 3 : 0) -
    (otherSet ? 3 : 0) +
    phrases.reduce((sum, phrase) => sum + agreement(phrase, card), 0) -
    0.7 * leftover.length;
  const told = variants.map((span) => wordsIn(title, span));
  return { card, name, variants: told, set, number, phrases, leftover, otherSet, score };
}

function agreement({ fits }: Phrase, card: Card): number {
  if (!fits) return 0;
  return fits(factsOf(card)) ? 0.5 : -1;
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

/** Finds the name or a code of a card's set. */
function findSet(title: Title, card: Card, taken: readonly Span[]): NamedSpan | undefined {
  const { words, sets } = title;
  const { set } = card;
  const isFree = (span: Span) => !taken.some((other) => overlap(span, other));
  const labels = labelsOf(set);
  for (const label of labels) {
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

/** Whether collectors call the card's set so: `evolving skies`, `evs`. */
function isShortName({ as, fits }: Phrase, card: Card): boolean {
  return as === 'set' && fits?.(factsOf(card)) === true;
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
function choosePhrases({ phrases }: Title, card: Card, taken: readonly Span[]): Phrase[] {
  const chosen: Phrase[] = [];
  const free = phrases.filter((phrase) => {
    // Other sets contradict the card: their names are not explained.
    return phrase.as !== 'set' && !taken.some((other) => overlap(phrase, other));
  });
  const weight = (phrase: Phrase) => 10 * (phrase.to - phrase.from) + agreement(phrase, card);
  for (const phrase of free.toSorted((a, b) => weight(b) - weight(a))) {
    if (!chosen.some((other) => overlap(phrase, other))) chosen.push(phrase);
  }
  return chosen;
}

/** Finds a set that words name which nothing else explains; two letters are no code. */
function findOtherSet(
  title: Title,
  { set }: Card,
  leftover: readonly number[],
): CardSet | undefined {
  const isLeft = ({ from, to }: Span) => {
    const letters = title.words.slice(from, to).join('').length;
    return letters > 2 && range(from, to).every((at) => leftover.includes(at));
  };
  return title.sets.find((other) => {
    if (other.game !== set.game || other.rowId === set.rowId) return false;
    return labelsOf(other).some((label) => findSpans(title.words, label).some(isLeft));
  });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

function isCode(label: string, set: CardSet): boolean {
  return label === foldText(set.code) || codesOf(set).includes(label);
}

const LABELS = new WeakMap<CardSet, readonly string[]>();

/** What a set may be called in one word, as written first. */
function labelsOf(set: CardSet): readonly string[] {
  const known = LABELS.get(set);
  if (known) return known;
  const names = setNames(rulesOf(set.game), set.name).map((name) => name.replaceAll(' ', ''));
  const written = [set.name, readSetName(set.name).name].map(foldText);
  const labels = [...written, ...names, foldText(set.code), ...codesOf(set)];
  LABELS.set(set, labels);
  return labels;
}

function isSetWord(word: string, { set }: Card): boolean {
  return foldWords(set.name).includes(word);
}

/** What the tables of words compare with a card. */
export function factsOf({ name, number, rarity, printings, set }: Card): Facts {
  const released = Number(set.releaseDate?.slice(0, 4));
  return {
    game: set.game,
    rarity: rarity === null ? null : foldText(rarity),
    printings: printings.map((printing) => printing.name),
    nameTerms: foldWords(name),
    setTerms: foldWords(set.name),
    setCode: foldText(set.code),
    releaseYear: released || null,
    number: number ?? '',
  };
}
