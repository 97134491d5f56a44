import type { Confidence, Dispute } from './confidence.ts';
import type { Conversion } from './conversion.ts';
import type { Currency } from './currencies.ts';
import type { Millis } from './day.ts';
import { type GameSlug, gameBySlug, isFoilRarity } from './games.ts';
import type { Grade } from './grade-names.ts';
import {
  type LanguageCode,
  languageInName,
  languageOfPrinting,
  withoutLanguage,
} from './languages.ts';
import type { Cents } from './money.ts';
import { type Condition, hasPrice, type PriceFigures } from './price.ts';
import type { BasePrices } from './price-changes.ts';
import { compareText, foldWords } from './text.ts';
import type { ServedTrade } from './trade.ts';

/** A card set, as printed and sold under one code. */
export interface CardSet {
  /** The store's row id. */
  readonly rowId: number;
  /** The setId, which never changes. */
  readonly id: string;
  readonly game: GameSlug;
  readonly code: string;
  readonly name: string;
  /** `YYYY-MM-DD`, or null if no source gives it. */
  readonly releaseDate: string | null;
}

/** The current prices of a printing, in cents. */
export interface ServedPrices extends PriceFigures {
  readonly conditions: Readonly<Partial<Record<Condition, Cents>>>;
  readonly graded: Readonly<Partial<Record<Grade, Cents>>>;
  /** The sources of these numbers, in alphabetical order. */
  readonly sources: readonly string[];
  /** When the four figures were observed at their source: their day in the history. */
  readonly figuresAt: Millis | null;
  /** When the conditions were observed at their source. */
  readonly conditionsAt: Millis | null;
  /** When the oldest of the grades was observed at its source. */
  readonly gradedAt: Millis | null;
}

/** The marketplaces of a printing's prices. */
export interface Origins {
  readonly figures: string | null;
  readonly conditions: string | null;
  /** In alphabetical order. */
  readonly graded: readonly string[];
}

/** Reports about a printing in a currency other than US dollars. */
export interface NativePrices {
  readonly currency: Currency;
  /** In hundredths of the currency's unit. */
  readonly prices: ServedPrices;
  /** Undefined if all prices are from one marketplace. */
  readonly origins?: Origins | undefined;
  /** Whether the four figures in dollars were converted from these. */
  readonly isServed: boolean;
}

/** The parts of the prices of a printing, which may be from different sources. */
export type PricePart = 'figures' | 'conditions' | 'graded';

/** The currency of prices that were converted for a caller. */
export interface PriceMoney {
  readonly currency: Currency;
  /** How prices were converted; undefined if none were. */
  readonly conversion?: Conversion | undefined;
  /** The converted parts; undefined for all. */
  readonly convertedParts?: readonly PricePart[] | undefined;
  /** Why prices are missing; undefined if they could be converted. */
  readonly reason?: string | undefined;
  /** Converts changes, which are known only in US dollars; undefined for no conversion. */
  readonly fromDollars?: Conversion | undefined;
  /** The same printing in US dollars. */
  readonly dollars: Printing;
}

/** A finish or edition under which one card is priced (docs/glossary.md#printing). */
export interface Printing {
  readonly rowId: number;
  readonly name: string;
  readonly prices: ServedPrices;
  /** Undefined if no base is known. */
  readonly bases?: BasePrices | undefined;
  /** How sure the prices are; undefined without a price. */
  readonly confidence?: Confidence | undefined;
  /** Undefined if all prices are from one marketplace. */
  readonly origins?: Origins | undefined;
  /** Undefined unless a source reports a price that is in quarantine. */
  readonly dispute?: Dispute | undefined;
  /** By currency; undefined if all sources report dollars. */
  readonly native?: readonly NativePrices[] | undefined;
  /** Undefined if no source reports buy prices or sales. */
  readonly trade?: ServedTrade | undefined;
  /** Only for prices in a caller's currency. */
  readonly money?: PriceMoney | undefined;
  /** Only for prices of an earlier day, whose confidence nobody judged. */
  readonly isPast?: true | undefined;
}

/** One collectable single of a set. */
export interface Card {
  /** The store's row id. */
  readonly rowId: number;
  /** The public id, which never changes. */
  readonly id: string;
  readonly set: CardSet;
  readonly name: string;
  /** As printed: `004/102`, `OP01-025`, `TG12/TG30`. */
  readonly number: string | null;
  readonly rarity: string | null;
  readonly image: string | null;
  /** Plainest first. */
  readonly printings: readonly Printing[];
}

/**
 * TCGplayer's names of printings, which the catalogue uses, from the plainest to the fanciest.
 * Others come after these, by name.
 */
export const PRINTING_NAMES: readonly string[] = [
  'Normal',
  'Unlimited',
  'Unlimited Edition Normal',
  '1st Edition',
  '1st Edition Normal',
  'Limited',
  'Holofoil',
  'Unlimited Holofoil',
  '1st Edition Holofoil',
  'Foil',
  'Rainbow Foil',
  'Unlimited Edition Rainbow Foil',
  '1st Edition Rainbow Foil',
  'Cold Foil',
  '1st Edition Cold Foil',
  'Reverse Holofoil',
  'Etched',
];

/** The name of the printing for a card whose printings no source gives. */
export const UNSPECIFIED = 'Unspecified';

/** Returns the marketplaces of a printing's prices, even if there is only one. */
export function originsOf({ prices, origins }: Pick<Printing, 'prices' | 'origins'>): Origins {
  if (origins) return origins;
  const { sources, figuresAt, conditionsAt, gradedAt } = prices;
  const only = sources[0] ?? null;
  return {
    figures: figuresAt === null ? null : only,
    conditions: conditionsAt === null ? null : only,
    graded: gradedAt === null ? [] : sources.slice(0, 1),
  };
}

/** Orders printing names from the plainest to the fanciest; those of other languages come last. */
export function comparePrintings(a: string, b: string): number {
  return plainness(a) - plainness(b) || compareText(a, b);
}

function plainness(name: string): number {
  if (languageOfPrinting(name) !== undefined) {
    return PRINTING_NAMES.length + 2 + plainness(withoutLanguage(name));
  }
  if (name === UNSPECIFIED) return PRINTING_NAMES.length + 1;
  const rank = PRINTING_NAMES.indexOf(name);
  return rank === -1 ? PRINTING_NAMES.length : rank;
}

/** The parts of a card that decide its shown price. */
export type PricedParts = Pick<Card, 'set' | 'rarity' | 'printings'>;

/**
 * Returns the printing whose prices the card shows: one in the language of the card. Undefined for
 * a card without such printings.
 */
export function defaultPrinting({ set, rarity, printings }: PricedParts): Printing | undefined {
  const only = printings.length < 2 ? printings[0] : undefined;
  if (only && languageOfPrinting(only.name) === undefined) return only;
  return printingInFront(printings, isFoilRarity(set.game, rarity));
}

/**
 * Returns the printing that collectors mean by the card's name: the plainest with a market price,
 * otherwise the plainest with any price, otherwise the plainest. Undefined if there are no
 * printings, or only printings in other languages.
 *
 * @param all From the plainest to the fanciest.
 * @param isFoil Whether the rarity is a foil rarity. Then foils come before all other printings.
 */
export function printingInFront<P extends { readonly name: string; readonly prices: PriceFigures }>(
  all: readonly P[],
  isFoil: boolean,
): P | undefined {
  let best: P | undefined;
  let lowest = Number.POSITIVE_INFINITY;
  for (const printing of all) {
    const { name, prices } = printing;
    if (languageOfPrinting(name) !== undefined) continue;
    const rank = priceRank(prices) + (isFoil && !isPlainFoil(name) ? 1 : 0);
    if (rank === 0) return printing;
    if (rank < lowest) [best, lowest] = [printing, rank];
  }
  return best;
}

/**
 * Ranks prices by even numbers. Odd numbers are for printings of the wrong kind with such prices.
 */
function priceRank(prices: PriceFigures): number {
  if (prices.market !== null) return 0;
  return hasPrice(prices) ? 2 : 4;
}

/**
 * Whether a card has a price in its language. If any printing has one, the default printing does.
 */
export function isPriced({ printings }: Pick<Card, 'printings'>): boolean {
  return printings.some(({ name, prices }) => {
    return hasPrice(prices) && languageOfPrinting(name) === undefined;
  });
}

/**
 * Returns the printing that "this card in this language" means. In the card's language this is the
 * default printing. Otherwise it is the translation of the default printing or, without one, the
 * plainest printing in that language. Undefined if no such printing is known.
 */
export function printingInLanguageOf(
  card: PricedParts & Pick<Card, 'name'>,
  language: LanguageCode | undefined,
): Printing | undefined {
  const plain = defaultPrinting(card);
  if (language === undefined || isOwnLanguage(card, language)) return plain;
  const translated = printingsIn(card, language);
  return translated.find(({ name }) => withoutLanguage(name) === plain?.name) ?? translated[0];
}

/** Whether any amount is known: a figure, or the price of a condition or a grade. */
export function hasAmount({ prices }: Pick<Printing, 'prices'>): boolean {
  const copies = [...Object.values(prices.conditions), ...Object.values(prices.graded)];
  return hasPrice(prices) || copies.length > 0;
}

/** Returns the printings in the language of the card in the catalogue, plainest first. */
export function ownPrintings({ printings }: Pick<Card, 'printings'>): readonly Printing[] {
  return printings.filter(({ name }) => languageOfPrinting(name) === undefined);
}

/**
 * Returns the language in which a card is catalogued and priced: its game's, unless its name gives
 * another one.
 */
export function languageOfCard({ name, set }: Pick<Card, 'name' | 'set'>): LanguageCode {
  return languageInName(name) ?? gameBySlug(set.game).language;
}

/** Whether a card is catalogued in a language. */
export function isOwnLanguage(card: Pick<Card, 'name' | 'set'>, language: LanguageCode): boolean {
  return languageOfCard(card) === language;
}

/**
 * Returns the translations of a card in a language, plainest first. Chinese in an unknown script
 * counts as either script, if the card has only one of them.
 */
export function printingsIn(
  { printings }: Pick<Card, 'printings'>,
  language: LanguageCode,
): readonly Printing[] {
  const of = (code: string) => printings.filter(({ name }) => languageOfPrinting(name) === code);
  const exact = of(language);
  if (language !== 'zh' || exact.length > 0) return exact;
  const [simplified, traditional] = [of('zhs'), of('zht')];
  if (simplified.length > 0 && traditional.length > 0) return [];
  return [...simplified, ...traditional];
}

/** Returns the market price by which cards are ordered, in cents; null if there is none. */
export function marketPrice(card: PricedParts): Cents | null {
  return defaultPrinting(card)?.prices.market ?? null;
}

/**
 * The kinds of foil, longest names first. `any` is a foil of no particular kind. The `own` kinds
 * never stand for another kind: a card may have both although only one of them is in the catalogue.
 */
const FOILS: readonly (readonly [name: string, kind: 'any' | 'cold' | 'rainbow' | 'own'])[] = [
  ['reverse holofoil', 'own'],
  ['cold foil', 'cold'],
  ['rainbow foil', 'rainbow'],
  ['holofoil', 'any'],
  ['etched', 'own'],
  ['foil', 'any'],
];

/**
 * Whether a printing is a foil in the sense of foil rarities. A reverse holo or an etched card is
 * not: it is a variant of a card that also has another printing.
 */
export function isPlainFoil(name: string): boolean {
  return /foil/i.test(name) && !/reverse|etched/i.test(name);
}

/** A printing's name, taken apart. */
interface ParsedPrinting {
  readonly name: string;
  /** All folded words except those for the foil: the edition, or `normal`. */
  readonly words: readonly string[];
  readonly foil: (typeof FOILS)[number] | undefined;
}

/**
 * Returns the printing of a card that a source's name means: the one with this name; otherwise the
 * only one with all its words (`1st Edition` is `1st Edition Holofoil`) and, if it names a foil,
 * with that foil; otherwise the only foil of the card, unless the two are different kinds of foil
 * (Lorcana's `Holofoil` is the `Cold Foil`). Returns the name itself if that is not certain.
 */
export function meantPrinting(name: string, known: readonly string[]): string {
  if (known.includes(name)) return name;
  const wanted = parsePrinting(name);
  if (wanted.words.length === 0 && !wanted.foil) return name;
  const all = known.map(parsePrinting);
  const fitting = all.filter(({ words }) => wanted.words.every((word) => words.includes(word)));
  const { foil } = wanted;
  const named = foil ? fitting.filter((one) => one.foil === foil) : fitting;
  if (named.length > 0) return named.length === 1 && named[0] ? named[0].name : name;
  const [only, ...others] = all.filter((one) => one.foil);
  const isOnly = only && others.length === 0 && fitting.includes(only);
  return isOnly && mayBeSameFoil(wanted, only) ? only.name : name;
}

/** Whether two foils may be the same: one of their names gives no kind. */
function mayBeSameFoil({ foil: a }: ParsedPrinting, { foil: b }: ParsedPrinting): boolean {
  const kinds = [a?.[1], b?.[1]];
  return !kinds.includes(undefined) && !kinds.includes('own') && kinds.includes('any');
}

function parsePrinting(name: string): ParsedPrinting {
  const words = ` ${foldWords(name).join(' ')} `;
  const foil = FOILS.find(([phrase]) => words.includes(` ${phrase} `));
  const rest = foil ? words.replace(` ${foil[0]} `, ' ') : words;
  return { name, words: rest.split(' ').filter((word) => word !== ''), foil };
}
