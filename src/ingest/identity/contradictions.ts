import { compareNumbers } from '../../domain/collector-number.ts';
import {
  areIncomparable,
  compareNames,
  isSpecialIssue,
  readName,
  shareWord,
  withoutArts,
  withoutPrintings,
} from '../../domain/naming/comparable-name.ts';
import type { GameRules } from '../../domain/naming/game-rules.ts';
import { isOversized, nameInSet } from '../../domain/oversized.ts';
import { foldWords } from '../../domain/text.ts';
import type { CardReference } from '../../sources/contract/feed.ts';
import type { KnownCard } from '../../store/catalogue/identities.ts';

/**
 * Finds what speaks against a card that an id of a reference points to. Ids are misused: several
 * promos share the id of one, a card has the id of its neighbour.
 */

/** Compares the name and number of a reference with those of the card that its id points to. */
export function compareWithCard(
  rules: GameRules,
  reference: CardReference,
  card: KnownCard,
): 'agrees' | 'other name' | 'other number' {
  const numbers =
    reference.number === card.number ? 'same' : compareNumbers(reference.number, card.number);
  const names = reference.name === card.name ? 'whole' : compareName(rules, reference, card);
  if (names === 'other' && (numbers !== 'same' || !shareWord(reference.name, card.name))) {
    return 'other name';
  }
  return numbers === 'other' ? 'other number' : 'agrees';
}

function compareName(rules: GameRules, { name, variant }: CardReference, card: KnownCard) {
  const [one, other] = [readName(rules, name, variant), readName(rules, card.name, null)];
  return areIncomparable(one, other) ? 'unknown' : compareNames(one, other);
}

/** Whether the two have different variants, or the card is a special issue and the reference not. */
export function differsInVariant(
  rules: GameRules,
  { name, variant }: CardReference,
  card: KnownCard,
): boolean {
  if (variant === null && name === card.name) return false;
  const [own = [], ours = []] = [
    readName(rules, name, variant),
    readName(rules, card.name, null),
  ].map(({ variants }) => withoutArts(rules, withoutPrintings(variants)));
  if (own.some((phrase) => !ours.includes(phrase))) return true;
  return ours.some((phrase) => isSpecialIssue(phrase) && !own.includes(phrase));
}

/** Words of variants that a card of ours or its set always has in its name. */
const ALWAYS_NAMED = new Set(['staff', 'serial', 'serialized', 'jumbo', 'metal', 'sealed']);

/** Whether a reference is a special issue that our card, of the set of this name, is not. */
export function lacksSpecialIssue(
  rules: GameRules,
  { name, variant }: CardReference,
  card: KnownCard,
  setName: string,
): boolean {
  const own = wordsOf(readName(rules, name, variant).variants);
  const ours = wordsOf([...readName(rules, card.name, null).variants, setName]);
  return own.some((word) => ALWAYS_NAMED.has(word) && !ours.includes(word));
}

/** Whether our card is oversized, and the reference names a card without saying so. */
export function lacksSize({ name, variant }: CardReference, card: KnownCard): boolean {
  return name !== '' && isOversized(card.name) && !isOversized(withVariant(name, variant));
}

/** Returns a reference whose name says that its card is oversized if its set's name does. */
export function withSize(reference: CardReference): CardReference {
  const { name, variant, setName } = reference;
  if (setName === null || name === '' || isOversized(withVariant(name, variant))) return reference;
  const sized = nameInSet(setName, name);
  return sized === name ? reference : { ...reference, name: sized };
}

function withVariant(name: string, variant: string | null): string {
  return variant === null ? name : `${name} (${variant})`;
}

function wordsOf(phrases: readonly string[]): string[] {
  return phrases.flatMap(foldWords);
}
