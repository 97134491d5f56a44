import { findGame, rarityLabel } from '../../domain/games.ts';
import { foldWords } from '../../domain/text.ts';
import type { CardReference } from '../../sources/contract/feed.ts';
import { type GameRules, spell } from './game-rules.ts';
import { totalOf } from './numbers.ts';
import { type CardName, compareNames, withoutArts, withoutPrintings, wordsOf } from './reading.ts';
import type { ReadCard } from './set-cards.ts';

/** Which of the cards of one set and number a reference means. */

/** A reference with its name taken apart. */
export interface ReadReference {
  readonly reference: CardReference;
  readonly name: CardName;
  readonly rules: GameRules;
}

/**
 * Those among `cards`, all of the set and number that are told, which the reference can mean:
 * none if it means another variant, several if it does not tell which.
 */
export function chooseByNumber(wanted: ReadReference, cards: readonly ReadCard[]): ReadCard[] {
  const named = cards.filter(({ name }) => compareNames(wanted.name, name) !== 'other');
  const possible = named.filter((card) => !contradictsRarity(wanted, card));
  const whole = possible.filter(({ name }) => compareNames(wanted.name, name) === 'whole');
  if (isPatternUntold(wanted, whole)) return whole;
  return settle(wanted, chooseVariant(wanted, whole.length > 0 ? whole : possible));
}

/**
 * Those among `cards`, all of the set and title that are told, which the reference can mean by
 * its name alone. Where there are several arts it has to say which one.
 */
export function chooseByName(wanted: ReadReference, cards: readonly ReadCard[]): ReadCard[] {
  const named = cards.filter(({ name }) => compareNames(wanted.name, name) === 'whole');
  // A title alone may be any of those with a subtitle; that there is one of them proves nothing.
  if (named.length === 0 && wanted.name.rest === '') return cards.length > 1 ? [...cards] : [];
  const told = wordsOf(withoutPrintings(wanted.name.variants));
  if (told === '' && named.length > 1) return [...named];
  const possible = named.filter((card) => !contradictsRarity(wanted, card));
  return settle(wanted, sameVariant(wanted.name, possible));
}

/** Whether there are foils of several patterns, of which the reference tells nothing. */
function isPatternUntold({ name, rules }: ReadReference, cards: readonly ReadCard[]): boolean {
  if (!rules.patterns || cards.length < 2 || name.variants.length > 0) return false;
  return cards.some((card) => card.name.variants.some((phrase) => rules.patterns?.test(phrase)));
}

/** The cards of the variant that is told, the most literal reading first. */
function chooseVariant({ name, rules }: ReadReference, cards: readonly ReadCard[]): ReadCard[] {
  const literal = sameVariant(name, cards);
  if (literal.length > 0) return literal;
  const kept = withoutPrintings(name.variants);
  const [told, untold] = [wordsOf(kept), wordsOf(withoutArts(rules, kept))];
  return cards.filter((card) => card.untold === (card.isMixed ? told : untold));
}

function sameVariant(name: CardName, cards: readonly ReadCard[]): ReadCard[] {
  const full = cards.filter((card) => card.name.full === name.full);
  if (full.length > 0) return full;
  const told = wordsOf(name.variants);
  const same = cards.filter((card) => wordsOf(card.name.variants) === told);
  if (same.length > 0) return same;
  const kept = wordsOf(withoutPrintings(name.variants));
  return kept === told ? [] : cards.filter((card) => wordsOf(card.name.variants) === kept);
}

/** Narrows several down by rarity, then by how many cards their set has. */
function settle(wanted: ReadReference, cards: ReadCard[]): ReadCard[] {
  if (cards.length < 2) return cards;
  const rarity = toldRarity(wanted);
  const rare = cards.filter((card) => rarity !== '' && rarityOf(wanted, card) === rarity);
  const left = rare.length > 0 ? rare : cards;
  const total = totalOf(wanted.reference.number);
  const counted = left.filter(({ card }) => total !== '' && totalOf(card.number) === total);
  return counted.length > 0 ? counted : left;
}

function contradictsRarity(wanted: ReadReference, card: ReadCard): boolean {
  const telling = wanted.rules.tellingRarities;
  if (!telling) return false;
  const [told, own] = [toldRarity(wanted), rarityOf(wanted, card)];
  if (told === '' || own === '' || told === own) return false;
  return telling.test(told) || telling.test(own);
}

function toldRarity({ reference, name, rules }: ReadReference): string {
  return rarityKey(rules, reference, reference.rarity, name);
}

function rarityOf({ reference, rules }: ReadReference, { card, name }: ReadCard): string {
  return rarityKey(rules, reference, card.rarity, name);
}

/** The rarity as it is compared: as it is told, or as the variant that it is told as. */
function rarityKey(
  rules: GameRules,
  { game }: CardReference,
  rarity: string | null,
  { variants }: CardName,
): string {
  const known = findGame(game);
  const label = rarity !== null && known ? rarityLabel(known, rarity) : rarity;
  const words = label === null ? '' : foldWords(label).join(' ');
  const told = words || variants.find((phrase) => rules.rarityVariants?.test(phrase)) || '';
  return spell(told, rules.rarities);
}
