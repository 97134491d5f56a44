import { numberForms, readCollectorNumber } from '../../domain/collector-number.ts';
import { findGame, rarityLabel } from '../../domain/games.ts';
import {
  type ComparableName,
  compareNames,
  variantWords,
  withoutArts,
  withoutPrintings,
} from '../../domain/naming/comparable-name.ts';
import { type GameRules, spell } from '../../domain/naming/game-rules.ts';
import { foldWords } from '../../domain/text.ts';
import type { CardReference } from '../../sources/contract/feed.ts';
import type { KnownCard } from '../../store/catalogue/identities.ts';
import type { IndexedCard, IndexedSet } from './candidate-sets.ts';

/** The outcome of finding a card by its description. */
export type DescriptionMatch =
  | { readonly kind: 'found'; readonly card: KnownCard; readonly by: 'name and number' | 'name' }
  | {
      readonly kind: 'unknown set' | 'unknown card' | 'unknown variant' | 'ambiguous';
      /** The cards that come close. */
      readonly near: readonly KnownCard[];
    };

/** Finds a card of these sets by the number, name and variant that a source gives. */
export function findByDescription(
  wanted: ParsedReference,
  sets: readonly IndexedSet[],
): DescriptionMatch {
  if (sets.length === 0) return { kind: 'unknown set', near: [] };
  const { number } = wanted.reference;
  if (number === null || numberForms(number, '').length === 0) return findByName(wanted, sets);
  const candidates = sets.flatMap(({ index }) => index.withNumber(number));
  const chosen = chooseByNumber(wanted, candidates);
  if (chosen.length > 0) return matchOf(chosen, 'name and number');
  if (candidates.some(({ name }) => compareNames(wanted.name, name) !== 'other')) {
    return { kind: 'unknown variant', near: cardsOf(candidates) };
  }
  const byTitle = candidatesByTitle(wanted, sets);
  return (
    findUnnumbered(wanted, number, byTitle) ?? {
      kind: 'unknown card',
      near: cardsOf([...candidates, ...byTitle]),
    }
  );
}

function findByName(wanted: ParsedReference, sets: readonly IndexedSet[]): DescriptionMatch {
  const candidates = candidatesByTitle(wanted, sets);
  const chosen = chooseByName(wanted, candidates);
  if (chosen.length > 0) return matchOf(chosen, 'name');
  const kind = candidates.length === 0 ? 'unknown card' : 'unknown variant';
  return { kind, near: cardsOf(candidates) };
}

/**
 * Finds a card whose number we do not know by its name, if it is the only card of that name in its
 * set. A number such as `38b` shows that there are several.
 */
function findUnnumbered(
  wanted: ParsedReference,
  number: string,
  candidates: readonly IndexedCard[],
): DescriptionMatch | undefined {
  const [only, ...others] = candidates;
  if (!only || others.length > 0 || only.card.number !== null) return undefined;
  if (!/^\W*\d+$/.test(number)) return undefined;
  const chosen = chooseByName(wanted, candidates);
  return chosen.length === 0 ? undefined : matchOf(chosen, 'name');
}

function candidatesByTitle(
  { name }: ParsedReference,
  sets: readonly IndexedSet[],
): readonly IndexedCard[] {
  return sets.flatMap(({ index }) => index.withTitle(name.title));
}

function matchOf(chosen: readonly IndexedCard[], by: 'name and number' | 'name'): DescriptionMatch {
  const [one, ...others] = chosen;
  return one && others.length === 0
    ? { kind: 'found', card: one.card, by }
    : { kind: 'ambiguous', near: cardsOf(chosen) };
}

function cardsOf(indexed: readonly IndexedCard[]): KnownCard[] {
  return indexed.map(({ card }) => card);
}

/** A reference with its parsed name. */
export interface ParsedReference {
  readonly reference: CardReference;
  readonly name: ComparableName;
  readonly rules: GameRules;
}

/**
 * Narrows `candidates`, all cards with the set and number of the reference, to its possible cards:
 * none if it means another variant, several if it does not name the variant.
 */
export function chooseByNumber(
  wanted: ParsedReference,
  candidates: readonly IndexedCard[],
): IndexedCard[] {
  const named = candidates.filter(({ name }) => compareNames(wanted.name, name) !== 'other');
  const possible = named.filter((card) => !contradictsRarity(wanted, card));
  const whole = possible.filter(({ name }) => compareNames(wanted.name, name) === 'whole');
  if (isPatternOpen(wanted, whole)) return whole;
  return narrow(wanted, chooseVariant(wanted, whole.length > 0 ? whole : possible));
}

/**
 * Narrows `candidates`, all cards with the set and title of the reference, to its possible cards by
 * name alone. If there are several arts, the reference must name one.
 */
export function chooseByName(
  wanted: ParsedReference,
  candidates: readonly IndexedCard[],
): IndexedCard[] {
  const named = candidates.filter(({ name }) => compareNames(wanted.name, name) === 'whole');
  // A title alone can mean any card that adds a subtitle to it. Finding only one proves nothing.
  if (named.length === 0 && wanted.name.rest === '') {
    return candidates.length > 1 ? [...candidates] : [];
  }
  const given = variantWords(withoutPrintings(wanted.name.variants));
  if (given === '' && named.length > 1) return [...named];
  const possible = named.filter((card) => !contradictsRarity(wanted, card));
  return narrow(wanted, withSameVariant(wanted.name, possible));
}

/** Whether there are foils of several patterns and the reference does not name one. */
function isPatternOpen({ name, rules }: ParsedReference, cards: readonly IndexedCard[]): boolean {
  const { foilPatterns } = rules;
  if (!foilPatterns || cards.length < 2 || name.variants.length > 0) return false;
  return cards.some((card) => card.name.variants.some((phrase) => foilPatterns.test(phrase)));
}

/** Returns the cards of the given variant, by the most literal reading that matches any. */
function chooseVariant(
  { name, rules }: ParsedReference,
  cards: readonly IndexedCard[],
): IndexedCard[] {
  const literal = withSameVariant(name, cards);
  if (literal.length > 0) return literal;
  const kept = withoutPrintings(name.variants);
  const [all, withoutArt] = [variantWords(kept), variantWords(withoutArts(rules, kept))];
  return cards.filter((card) => card.ownWords === (card.isMixed ? all : withoutArt));
}

function withSameVariant(name: ComparableName, cards: readonly IndexedCard[]): IndexedCard[] {
  const full = cards.filter((card) => card.name.full === name.full);
  if (full.length > 0) return full;
  const all = variantWords(name.variants);
  const same = cards.filter((card) => variantWords(card.name.variants) === all);
  if (same.length > 0) return same;
  const kept = variantWords(withoutPrintings(name.variants));
  return kept === all ? [] : cards.filter((card) => variantWords(card.name.variants) === kept);
}

/** Narrows several cards down by rarity, then by the total of their numbers. */
function narrow(wanted: ParsedReference, cards: IndexedCard[]): IndexedCard[] {
  if (cards.length < 2) return cards;
  const rarity = givenRarity(wanted);
  const rare = cards.filter((card) => rarity !== '' && rarityOf(wanted, card) === rarity);
  const left = rare.length > 0 ? rare : cards;
  const total = totalOf(wanted.reference);
  const counted = left.filter(({ card }) => total !== '' && totalOf(card) === total);
  return counted.length > 0 ? counted : left;
}

function totalOf({ number }: { readonly number: string | null }): string {
  return number === null ? '' : readCollectorNumber(number).total;
}

function contradictsRarity(wanted: ParsedReference, card: IndexedCard): boolean {
  const { distinctRarities } = wanted.rules;
  if (!distinctRarities) return false;
  const [given, own] = [givenRarity(wanted), rarityOf(wanted, card)];
  if (given === '' || own === '' || given === own) return false;
  return distinctRarities.test(given) || distinctRarities.test(own);
}

function givenRarity({ reference, name, rules }: ParsedReference): string {
  return comparableRarity(rules, reference, reference.rarity, name);
}

function rarityOf({ reference, rules }: ParsedReference, { card, name }: IndexedCard): string {
  return comparableRarity(rules, reference, card.rarity, name);
}

/**
 * Returns a rarity in comparable form. Without a rarity, returns the variant that represents it.
 */
function comparableRarity(
  rules: GameRules,
  { game }: CardReference,
  rarity: string | null,
  { variants }: ComparableName,
): string {
  const known = findGame(game);
  const label = rarity !== null && known ? rarityLabel(known, rarity) : rarity;
  const words = label === null ? '' : foldWords(label).join(' ');
  const given = words || variants.find((phrase) => rules.rarityVariants?.test(phrase)) || '';
  return spell(given, rules.rarities);
}
