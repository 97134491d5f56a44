import type { Card, CardSet } from '../../domain/card.ts';
import { facesOf, hasBrackets, withoutBrackets, withoutYear } from '../../domain/card-name.ts';
import { rulesOf } from '../../domain/games.ts';
import { type ComparableName, readName } from '../../domain/naming/comparable-name.ts';
import { foldText, foldWords } from '../../domain/text.ts';
import { type Facts, type Lookup, type Phrase, type Span, Text } from '../../search/index.ts';
import type { KnownSets } from '../sets.ts';

/** A possible collector number, as typed. */
export interface NumberSpan extends Span {
  readonly text: string;
}

/** A text that may also have numbers and sets. */
export class Title extends Text {
  readonly numbers: readonly NumberSpan[];
  /** The sets whose name or code occurs in it. */
  readonly sets: readonly CardSet[];

  constructor(words: readonly string[], numbers: readonly NumberSpan[], sets: readonly CardSet[]) {
    super(words);
    this.numbers = numbers.filter((span) => !isOfPhrase(span, this.phrases));
    this.sets = sets;
  }
}

/** Not evidence: the year of a copyright, `HP 120` (not a condition) and `Mint?` (a question). */
const NO_FACTS =
  /(?:©|\(c\)) ?(?:19|20)\d\d(?:[-–](?:19|20)?\d\d)?|\bHP ?\d+|(?<![/\d])\d+ ?HP\b|\bmint\?/gi;

/** `4 / 102` is one number. */
const SPACED_SLASH = /(\d) ?\/ ?(?=[A-Za-z]{0,4}\d)/g;

/** Parses a text. */
export function readTitle(text: string, known: KnownSets): Title {
  const words: string[] = [];
  const numbers: NumberSpan[] = [];
  for (const piece of text.replace(NO_FACTS, ' ').replace(SPACED_SLASH, '$1/').split(/\s+/)) {
    const folded = foldWords(piece);
    if (folded.length === 0) continue;
    const span = { from: words.length, to: words.length + folded.length };
    words.push(...folded);
    const number = bareNumber(piece);
    if (isNumber(number, piece)) numbers.push({ ...span, text: number });
  }
  return new Title(words, numbers, known.within(words));
}

/** Returns a number without the signs around it: `4/102` of `#4/102,`. */
function bareNumber(piece: string): string {
  return piece.replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9★†]+$/g, '');
}

/** Whether a piece is a number with signs around it. Other letters make it a name: `カード151`. */
function isNumber(bare: string, piece: string): boolean {
  return /\d/.test(bare) && bare.length <= 20 && !/\p{L}/u.test(piece.replace(bare, ''));
}

/** Whether a number is a year, grade or quantity and not a collector number. */
function isOfPhrase({ from, to }: Span, phrases: readonly Phrase[]): boolean {
  return phrases.some((phrase) => {
    const isOther = phrase.as === 'year' || phrase.as === 'grade' || phrase.as === 'noise';
    return isOther && phrase.from <= from && phrase.to >= to;
  });
}

/** A card that a title may mean, in the forms that titles are compared with. */
export class TitleCandidate {
  readonly card: Card;
  readonly facts: Facts;
  #names: readonly string[] | undefined;
  #parts: ComparableName | undefined;
  #words: readonly string[] | undefined;

  constructor(card: Card, lookup: Lookup) {
    this.card = card;
    this.facts = lookup.factsOf(card);
  }

  /** The folded names, longest first: whole, without brackets, and of each face. */
  get names(): readonly string[] {
    this.#names ??= namesOf(this.card);
    return this.#names;
  }

  /** The name by the rules of its game. */
  get parts(): ComparableName {
    const { name, set } = this.card;
    this.#parts ??= readName(rulesOf(set.game), withoutYear(name), null);
    return this.#parts;
  }

  /** The words of the name without its brackets. */
  get words(): readonly string[] {
    this.#words ??= foldWords(withoutBrackets(this.card.name));
    return this.#words;
  }
}

function namesOf({ name }: Card): string[] {
  // Most names have only one form.
  if (!hasBrackets(name) && !name.includes(' // ')) return [foldText(name)];
  const plain = withoutBrackets(withoutYear(name));
  const names = new Set([name, plain, withoutBrackets(name), ...facesOf(plain)]);
  const folded = new Set([...names].map(foldText));
  return [...folded].sort((a, b) => b.length - a.length);
}
