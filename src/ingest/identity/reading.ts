import { foldText, foldWords, isJapanese, withoutVariant } from '../../domain/text.ts';
import { type GameRules, PRINTING, SPECIAL_ISSUE, spell } from './game-rules.ts';

/** Names of cards as they are compared. */

/** A name taken apart; everything in it is folded. */
export interface CardName {
  /** All of it, its variant included. */
  readonly full: string;
  /** Without a variant, a second face, a subtitle. */
  readonly title: string;
  /** The second face or the subtitle; empty where there is none or it is not told. */
  readonly rest: string;
  /** What tells it from others of its name, a phrase each: `alternate art`, `staff`. */
  readonly variants: readonly string[];
}

const BRACKETS = /\(([^()]*)\)|\[([^[\]]*)\]|（([^（）]*)）/g;
/** The number, repeated in the name: `Ninetales -199/197`, `Great Tusk - 097/162 - 2024`. */
const REPEATED_NUMBER = /[\s—–-]+[A-Z]{0,4}\d+\/[A-Z]{0,4}\d+(?=$|\s*[([]|\s+-)/;
const TWO_FACES = /^(.+?) \/\/ (.+)$/;

/** Reads a name with the variant that is told beside it. */
export function readName(rules: GameRules, name: string, variant: string | null): CardName {
  const bare = name.includes('/') ? name.replace(REPEATED_NUMBER, '') : name;
  const written = variant === null ? bare : `${bare} ${bracketed(variant)}`;
  const full = keyOf(rules, written);
  const [title, rest] = partsOf(rules, written);
  // Most names are nothing but a title; there are many of them in memory.
  if (title === written) return { full, title: full, rest: '', variants: NONE };
  return {
    full,
    title: keyOf(rules, title),
    rest: rest === '' ? '' : keyOf(rules, rest),
    variants: /[([（]/.test(written) ? variantsOf(rules, written, rest) : NONE,
  };
}

const NONE: readonly string[] = [];

function bracketed(variant: string): string {
  if (/[([（]/.test(variant)) return variant;
  return variant
    .split(/[,;|+]/)
    .map((part) => `(${part.trim()})`)
    .join(' ');
}

/** The title and what follows it: the other face, the subtitle or the colour. */
function partsOf(rules: GameRules, name: string): [title: string, rest: string] {
  const [, front = '', back = ''] = TWO_FACES.exec(name) ?? [];
  if (front !== '') return [withoutVariant(front), withoutVariant(back)];
  const [, title = '', rest = ''] = rules.subtitle?.exec(name) ?? [];
  if (title !== '') return [withoutVariant(title), withoutVariant(rest)];
  return [withoutVariant(name), ''];
}

function variantsOf(rules: GameRules, name: string, rest: string): string[] {
  // A name that is nothing but brackets has no variant: `(Fish Recipe)`.
  if (withoutVariant(name) === name) return [];
  const phrases: string[] = [];
  for (const [, round, square, wide] of name.matchAll(BRACKETS)) {
    const phrase = foldWords(round ?? square ?? wide ?? '').join(' ');
    const meant = spell(phrase, rules.variants);
    if (meant !== '' && meant !== foldWords(rest).join(' ')) phrases.push(meant);
  }
  return phrases;
}

/** The key of a part of a name; the part itself where it is nothing but signs: `_____`. */
function keyOf({ cardNames }: GameRules, text: string): string {
  if (cardNames.length === 0) return foldText(text) || text.trim();
  return spell(foldWords(text).join(' '), cardNames).replaceAll(' ', '') || text.trim();
}

/**
 * Whether two names are one card's: `whole` when all that both tell agrees, `part` when one of
 * them leaves out the second face or the subtitle.
 */
export function compareNames(one: CardName, other: CardName): 'whole' | 'part' | 'other' {
  if (one.full === other.full) return 'whole';
  // Together, for some write `Name, Version` where others have `Name - Version`.
  if (one.title + one.rest === other.title + other.rest) return 'whole';
  return one.title === other.title && (one.rest === '' || other.rest === '') ? 'part' : 'other';
}

/** Whether nothing can be said of two names: one is missing, or in another script. */
export function isIncomparable(one: CardName, other: CardName): boolean {
  if (one.title === '' || other.title === '') return true;
  return isJapanese(one.title) !== isJapanese(other.title);
}

/** Whether two names have a word in common that is more than a letter or two. */
export function shareWord(one: string, other: string): boolean {
  const words = new Set(foldWords(withoutVariant(one)).filter((word) => word.length > 2));
  return foldWords(withoutVariant(other)).some((word) => words.has(word));
}

/**
 * Variants as a set of words, so that `[Staff] (League)` is `(League Staff)`. The staff of a
 * prerelease is its staff, whether the prerelease is told or not.
 */
export function wordsOf(variants: readonly string[]): string {
  if (variants.length === 0) return '';
  const words = new Set(variants.flatMap((phrase) => phrase.split(' ')));
  if (words.has('staff')) words.delete('prerelease');
  return [...words].sort().join(' ');
}

/** The variants that are not printings of a card. */
export function withoutPrintings(variants: readonly string[]): readonly string[] {
  return variants.length === 0 ? variants : variants.filter((phrase) => !PRINTING.test(phrase));
}

/** The variants that the number does not tell. */
export function withoutArts({ arts }: GameRules, variants: readonly string[]): readonly string[] {
  if (arts === null || variants.length === 0) return variants;
  return variants.filter((phrase) => !arts.test(phrase));
}

export function isSpecialIssue(phrase: string): boolean {
  return SPECIAL_ISSUE.test(phrase);
}
