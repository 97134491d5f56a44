import { type Card, languageOfCard } from '../domain/card.ts';
import { isOversizedSet, withoutBrackets, withoutYear } from '../domain/card-name.ts';
import { totalOf } from '../domain/collector-number.ts';
import { GAMES, gameBySlug, rulesOf } from '../domain/games.ts';
import { type LanguageCode, languageName } from '../domain/languages.ts';
import {
  areIncomparable,
  type ComparableName,
  compareNames,
  readName,
  withoutArts,
  withoutPrintings,
} from '../domain/naming/comparable-name.ts';
import { OVERSIZED } from '../domain/naming/game-rules.ts';
import { foldText, foldWords } from '../domain/text.ts';
import { isSimilarName } from '../search/index.ts';
import type { KnownIn } from './candidates.ts';
import { haveOtherTotals, isSameNumber } from './numbers.ts';
import type { Wanted } from './wanted.ts';

/** How an item's name matches a card's name. `none` if the item has no name. */
export type NameMatch = 'whole' | 'part' | 'similar' | 'other' | 'none';

/** A card compared with an item: what matches and what contradicts it. */
export interface Judged {
  readonly card: Card;
  readonly name: NameMatch;
  readonly parts: ComparableName;
  readonly isSetConfirmed: boolean;
  readonly isNumberConfirmed: boolean;
  readonly isIdConfirmed: boolean;
  /** Sentences; empty if the item may mean the card. */
  readonly contradictions: readonly string[];
}

/**
 * Compares a card with a wanted item, field by field.
 *
 * @param hasId Whether an external id of the item belongs to the card.
 */
export function judge(wanted: Wanted, card: Card, knownIn: KnownIn, hasId = false): Judged {
  const { set } = card;
  const parts = readName(rulesOf(set.game), withoutYear(card.name), null);
  const isSetConfirmed = wanted.sets?.rowIds.has(set.rowId) ?? false;
  const { number } = wanted;
  const isNumberConfirmed = number !== undefined && isSameNumber(number, card.number, set.code);
  const name = matchName(wanted, parts, card, knownIn.games.has(set.game));
  const found = { card, name, parts, isSetConfirmed, isNumberConfirmed, isIdConfirmed: hasId };
  return { ...found, contradictions: contradictionsOf(wanted, found, knownIn) };
}

type Compared = Omit<Judged, 'contradictions'>;

function matchName(
  wanted: Wanted,
  own: ComparableName,
  { name: cardName, set: { game } }: Card,
  isKnownName: boolean,
): NameMatch {
  if (wanted.name.trim() === '') return 'none';
  const given = wanted.nameIn(game);
  const match = compareNames(given, own);
  if (match !== 'other') return match;
  if (given.title === own.rest && given.rest === '') return 'part';
  // The name of another card is not a misspelling of this one: `Nidoran M` is not `Nidoran F`.
  if (isKnownName || areIncomparable(given, own)) return 'other';
  const words = foldWords(withoutBrackets(wanted.name));
  return isSimilarName(words, cardName) ? 'similar' : 'other';
}

function contradictionsOf(wanted: Wanted, found: Compared, knownIn: KnownIn): string[] {
  return [
    nameContradiction(wanted, found),
    gameContradiction(wanted, found),
    setContradiction(wanted, found),
    numberContradiction(wanted, found) ?? totalContradiction(wanted, found, knownIn),
    sizeContradiction(wanted, found),
    ...variantContradictions(wanted, found),
    rarityContradiction(wanted, found),
    yearContradiction(wanted, found),
    languageContradiction(wanted, found),
  ].filter((reason) => reason !== undefined);
}

function nameContradiction({ name: given }: Wanted, { name, card }: Compared): string | undefined {
  return name === 'other' ? `Its name is ${card.name}, and the item says ${given}.` : undefined;
}

function gameContradiction({ game }: Wanted, { card }: Compared): string | undefined {
  const own = card.set.game;
  if (game === undefined || game === own) return undefined;
  return `It is a card of ${GAMES.find(({ slug }) => slug === own)?.name ?? own}.`;
}

function setContradiction(wanted: Wanted, found: Compared): string | undefined {
  const { sets } = wanted;
  if (!sets || found.isSetConfirmed) return undefined;
  if (sets.sets.length > 0)
    return `It is in ${found.card.set.name}, and the item says ${sets.given}.`;
  // An id and a matching name do not need a known set.
  if (found.isIdConfirmed) return undefined;
  return `It is in ${found.card.set.name}; no set ${sets.given} is known.`;
}

function numberContradiction({ number }: Wanted, found: Compared): string | undefined {
  if (number === undefined) return undefined;
  const own = found.card.number;
  if (own === null) return `It has no number, and the item says ${number}.`;
  const isSame = found.isNumberConfirmed && !haveOtherTotals(number, own);
  return isSame ? undefined : `Its number is ${own}, and the item says ${number}.`;
}

/** A card without a total may have the item's total only if other cards of its set do. */
function totalContradiction(
  { number = '' }: Wanted,
  { card: { set, number: own } }: Compared,
  knownIn: KnownIn,
): string | undefined {
  if (totalOf(number) === '' || totalOf(own ?? '') !== '') return undefined;
  if (own === null || !gameBySlug(set.game).hasTotals) return undefined;
  if (/^\d+$/.test(own) && knownIn.hasTotal(set)) return undefined;
  return `Its number is ${own}, without a total, and the item says ${number}.`;
}

function sizeContradiction(wanted: Wanted, { card, parts }: Compared): string | undefined {
  const isLarge =
    parts.variants.some((phrase) => OVERSIZED.test(phrase)) || isOversizedSet(card.set.name);
  if (isLarge === (wanted.isOversized || isOversizedSet(wanted.sets?.sets[0]?.name ?? ''))) {
    return undefined;
  }
  return isLarge ? 'It is an oversized card.' : 'It is not an oversized card.';
}

/** Special issues, which an item must name because set and number do not imply them. */
const ALWAYS_SAID =
  /\b(?:staff|stamp(?:ed)?|judge|serial(?:ized)?|error|misprint|winner|champion|prerelease)\b/;

function variantContradictions(wanted: Wanted, { card, parts, ...found }: Compared): string[] {
  const { game } = card.set;
  const rules = rulesOf(game);
  const given = withoutPrintings(wanted.nameIn(game).variants);
  const isDecided = rules.isArtNumbered && found.isNumberConfirmed;
  const kept = isDecided ? withoutArts(rules, given) : given;
  const own = parts.variants;
  const isOwn = (phrase: string) => {
    return (
      own.some((variant) => mayMean(phrase, variant)) ||
      parts.rest.includes(foldText(phrase)) ||
      isRarity(phrase, card)
    );
  };
  const extra = kept.filter((phrase) => !isOwn(phrase));
  const missing = own.filter((phrase) => ALWAYS_SAID.test(phrase) && !given.includes(phrase));
  return [
    ...extra.map((phrase) => `It is not the card called ${phrase}.`),
    ...(found.isIdConfirmed ? [] : missing).map((phrase) => {
      return `It is a special issue, ${phrase}, and the item does not say so.`;
    }),
  ];
}

/** `alternate art` may also mean `alternate full art` and `alternate art secret`. */
function mayMean(given: string, own: string): boolean {
  const words = own.split(' ');
  const isAlternate = given.includes('alternate') === own.includes('alternate');
  return given === own || (isAlternate && given.split(' ').every((word) => words.includes(word)));
}

function isRarity(phrase: string, { rarity }: Card): boolean {
  return rarity !== null && foldText(rarity) === foldText(phrase);
}

/** In games where each rarity is a separate card, the rarity must match. */
function rarityContradiction({ item }: Wanted, { card }: Compared): string | undefined {
  const { rarity } = item;
  // Sellers use `RARE` for any rarity.
  if (rarity === undefined || card.rarity === null || /^rare$/i.test(rarity)) return undefined;
  if (!rulesOf(card.set.game).distinctRarities?.test(foldText(rarity))) return undefined;
  if (foldText(rarity) === foldText(card.rarity)) return undefined;
  return `Its rarity is ${card.rarity}, and the item says ${rarity}.`;
}

/** How many years a listing may be off, because cards show their copyright year. */
const YEARS_OFF = 1;

function yearContradiction({ item: { year } }: Wanted, { card }: Compared): string | undefined {
  const released = Number(card.set.releaseDate?.slice(0, 4));
  if (year === undefined || !released || Math.abs(released - year) <= YEARS_OFF) return undefined;
  return `Its set is from ${released}, and the item says ${year}.`;
}

/** The languages into which Japanese cards are translated: others translate the English cards. */
const FROM_JAPANESE: ReadonlySet<LanguageCode> = new Set(['ko', 'zh', 'zhs', 'zht', 'th', 'id']);

/**
 * A card may be sold in any language, unless another game of the catalogue has the cards of that
 * language.
 */
function languageContradiction({ item, language }: Wanted, { card }: Compared): string | undefined {
  const given = item.language?.trim() ?? '';
  const { language: ofGame, translation } = gameBySlug(card.set.game);
  const own = languageOfCard(card);
  if (given === '' || language === own) return undefined;
  const isOther = translation !== null && gameBySlug(translation).language === language;
  const isFromOther = ofGame === 'ja' && language !== undefined && !FROM_JAPANESE.has(language);
  if (language !== undefined && !isOther && !isFromOther) return undefined;
  return `It is the ${languageName(own)} card, and the item says ${given}.`;
}
