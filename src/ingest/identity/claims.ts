import { foldWords } from '../../domain/text.ts';
import type { CardReference } from '../../sources/contract/feed.ts';
import type { KnownCard } from '../../store/identities.ts';
import type { GameRules } from './game-rules.ts';
import { compareNumbers } from './numbers.ts';
import {
  compareNames,
  isIncomparable,
  isSpecialIssue,
  readName,
  shareWord,
  withoutArts,
  withoutPrintings,
} from './reading.ts';

/**
 * Whether a reference can be the card that it says it is by an id. Ids are misused: several promos
 * share the id of one, a card has that of its neighbour.
 */
export function compareWithClaim(
  rules: GameRules,
  reference: CardReference,
  card: KnownCard,
): 'agrees' | 'other name' | 'other number' {
  const numbers =
    reference.number === card.number ? 'same' : compareNumbers(reference.number, card.number);
  const names = reference.name === card.name ? 'whole' : compare(rules, reference, card);
  if (names === 'other' && (numbers !== 'same' || !shareWord(reference.name, card.name))) {
    return 'other name';
  }
  return numbers === 'other' ? 'other number' : 'agrees';
}

function compare(rules: GameRules, reference: CardReference, card: KnownCard) {
  const own = readName(rules, reference.name, reference.variant);
  const ours = readName(rules, card.name, null);
  return isIncomparable(own, ours) ? 'unknown' : compareNames(own, ours);
}

/** Whether the two tell different variants, or only one of them tells that it is a special one. */
export function differsInVariant(
  rules: GameRules,
  { name, variant }: CardReference,
  card: KnownCard,
): boolean {
  if (variant === null && name === card.name) return false;
  const [own, ours] = [readName(rules, name, variant), readName(rules, card.name, null)].map(
    ({ variants }) => withoutArts(rules, withoutPrintings(variants)),
  );
  const isNotIn =
    (others: readonly string[] = []) =>
    (one: string) =>
      !others.includes(one);
  if (own?.some(isNotIn(ours))) return true;
  return ours?.filter(isSpecialIssue).some(isNotIn(own)) ?? false;
}

/** Words of variants that a card of ours or its set is always called by. */
const ALWAYS_TOLD = new Set(['staff', 'serial', 'serialized', 'jumbo', 'metal', 'sealed']);

/** Whether a reference tells a special issue that our card, of the set of this name, is not. */
export function missesIssue(
  rules: GameRules,
  { name, variant }: CardReference,
  card: KnownCard,
  setName: string,
): boolean {
  const told = wordsIn(readName(rules, name, variant).variants);
  const ours = wordsIn([...readName(rules, card.name, null).variants, setName]);
  return told.some((word) => ALWAYS_TOLD.has(word) && !ours.includes(word));
}

function wordsIn(phrases: readonly string[]): string[] {
  return phrases.flatMap(foldWords);
}
