import type { Card, CardSet } from '../../domain/card.ts';
import { readSetName } from '../../domain/card-name.ts';
import { rulesOf } from '../../domain/naming/rules.ts';
import { codesOf, setNames } from '../../domain/naming/set-names.ts';
import { foldText, foldWords } from '../../domain/text.ts';
import type { Phrase } from '../../search/index.ts';
import { factsOf } from './facts.ts';
import { findSimilar } from './find-similar.ts';
import { findSpans, overlap, type Span, type Title } from './title.ts';

/** Where a set is named, and how. */
export interface NamedSpan extends Span {
  readonly by: 'name' | 'code' | 'similar name';
}

/** Finds the name or a code of a card's set. */
export function findSet(title: Title, card: Card, taken: readonly Span[]): NamedSpan | undefined {
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

/** Finds a set that words name which nothing else explains; two letters are no code. */
export function findOtherSet(
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

/** Whether a word is one of the name of a card's set. */
export function isSetWord(word: string, { set }: Card): boolean {
  return foldWords(set.name).includes(word);
}
