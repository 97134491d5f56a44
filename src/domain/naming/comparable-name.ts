import {
  bracketsOf,
  facesOf,
  hasBrackets,
  withoutBrackets,
  withoutNumberOfTotal,
  withSizeInBrackets,
} from '../card-name.ts';
import { foldText, foldWords, isJapanese } from '../text.ts';
import { type GameRules, PRINTING, SPECIAL_ISSUE, spell } from './game-rules.ts';

/** A card's name, split into the parts that are compared. Everything is folded. */
export interface ComparableName {
  /** The whole name, including variants. */
  readonly full: string;
  /** Without variants, second face and subtitle. */
  readonly title: string;
  /** The second face or the subtitle; empty if there is none or it is omitted. */
  readonly rest: string;
  /** The variants, one phrase each, that distinguish it from cards with the same name: `staff`. */
  readonly variants: readonly string[];
}

/** Reads a name, with the variant from a source's separate field. */
export function readName(rules: GameRules, name: string, variant: string | null): ComparableName {
  const bare = withSizeInBrackets(withoutNumberOfTotal(name));
  const written = variant === null ? bare : `${bare} ${bracketed(variant)}`;
  const full = foldName(rules, written);
  const [title, rest] = splitTitle(rules, written);
  // Most names are only a title, and many are in memory: sharing the text saves memory.
  if (title === written) return { full, title: full, rest: '', variants: NONE };
  return {
    full,
    title: foldName(rules, title),
    rest: rest === '' ? '' : foldName(rules, rest),
    variants: hasBrackets(written) ? variantsOf(rules, written, rest) : NONE,
  };
}

const NONE: readonly string[] = [];

function bracketed(variant: string): string {
  if (hasBrackets(variant)) return variant;
  return variant
    .split(/[,;|+]/)
    .map((part) => `(${part.trim()})`)
    .join(' ');
}

/** Returns the title and the rest: the other faces, the subtitle or the colour. */
function splitTitle(rules: GameRules, name: string): [title: string, rest: string] {
  const [front = '', ...others] = facesOf(name);
  const back = others.join(' // ');
  if (front !== '' && back !== '') return [withoutBrackets(front), withoutBrackets(back)];
  const [, title = '', rest = ''] = rules.subtitle?.exec(name) ?? [];
  if (title !== '') return [withoutBrackets(title), withoutBrackets(rest)];
  return [withoutBrackets(name), ''];
}

function variantsOf(rules: GameRules, name: string, rest: string): string[] {
  // A name that consists only of brackets has no variant: `(Fish Recipe)`.
  if (withoutBrackets(name) === name) return [];
  return bracketsOf(name).flatMap((text) => {
    const phrase = spell(foldWords(text).join(' '), rules.variants);
    return phrase === '' || phrase === foldWords(rest).join(' ') ? [] : [phrase];
  });
}

/** Folds a part of a name. A part that consists only of signs stays: `_____`. */
function foldName({ cardNames }: GameRules, text: string): string {
  if (cardNames.length === 0) return foldText(text) || text.trim();
  return spell(foldWords(text).join(' '), cardNames).replaceAll(' ', '') || text.trim();
}

/**
 * Compares two names without their variants. Returns `whole` if all parts that both have agree, and
 * `part` if one of them omits the second face or the subtitle.
 */
export function compareNames(
  one: ComparableName,
  other: ComparableName,
): 'whole' | 'part' | 'other' {
  if (one.full === other.full) return 'whole';
  // Joined, because `Name, Version` and `Name - Version` are the same name.
  if (one.title + one.rest === other.title + other.rest) return 'whole';
  return one.title === other.title && (one.rest === '' || other.rest === '') ? 'part' : 'other';
}

/** Whether two names cannot be compared, because one is missing or in another script. */
export function areIncomparable(one: ComparableName, other: ComparableName): boolean {
  if (one.title === '' || other.title === '') return true;
  return isJapanese(one.title) !== isJapanese(other.title);
}

/** Whether two names have a word in common that is longer than two letters. */
export function shareWord(one: string, other: string): boolean {
  const words = new Set(foldWords(withoutBrackets(one)).filter((word) => word.length > 2));
  return foldWords(withoutBrackets(other)).some((word) => words.has(word));
}

/**
 * Returns the words of variants in a fixed order, so `[Staff] (League)` equals `(League Staff)`.
 * Staff cards omit `Prerelease`, because it makes no difference for them.
 */
export function variantWords(variants: readonly string[]): string {
  if (variants.length === 0) return '';
  const words = new Set(variants.flatMap((phrase) => phrase.split(' ')));
  if (words.has('staff')) words.delete('prerelease');
  return [...words].sort().join(' ');
}

/** Returns the variants that are not printings of a card. */
export function withoutPrintings(variants: readonly string[]): readonly string[] {
  return variants.length === 0 ? variants : variants.filter((phrase) => !PRINTING.test(phrase));
}

/** Returns the variants that neither the number nor the rarity implies. */
export function withoutArts({ arts }: GameRules, variants: readonly string[]): readonly string[] {
  if (arts === null || variants.length === 0) return variants;
  return variants.filter((phrase) => !arts.test(phrase));
}

/** Whether a variant is a special issue: stamped, given away, oversized, foiled … */
export function isSpecialIssue(phrase: string): boolean {
  return SPECIAL_ISSUE.test(phrase);
}
