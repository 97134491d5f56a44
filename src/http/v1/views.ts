import type { Catalog, CountedGame, CountedSet } from '../../catalog/catalog.ts';
import {
  type Card,
  defaultPrinting,
  isOwnLanguage,
  originsOf,
  type Printing,
  printingInLanguageOf,
  type ServedPrices,
} from '../../domain/card.ts';
import type { Conversion } from '../../domain/conversion.ts';
import { type NamedCopy, priceOfCopy } from '../../domain/copy.ts';
import { type Day, dayOf, formatDay, formatMoment, type Millis } from '../../domain/day.ts';
import type { ContractGrade, Grade } from '../../domain/grade-names.ts';
import { levelOfGrade, partsOfGrade } from '../../domain/grades.ts';
import { type LanguageCode, languageOfPrinting } from '../../domain/languages.ts';
import type { LocalPrices } from '../../domain/local-prices.ts';
import { marketplaceLinks } from '../../domain/marketplaces.ts';
import { type Cents, dollarsFromCents } from '../../domain/money.ts';
import { type Condition, estimateConditions, NO_PRICES } from '../../domain/price.ts';
import { type BasePrices, type ChangeWindow, percentBetween } from '../../domain/price-changes.ts';
import type { Product, ProductFacts } from '../../domain/products.ts';
import { CARD_ID_SPACES, type ExternalId } from '../../domain/sources.ts';
import { areStale } from '../../domain/staleness.ts';
import { compareText } from '../../domain/text.ts';
import type { ForeignName } from '../../search/index.ts';
import type { MarketplaceChange } from '../../store/catalogue/marketplace-changes.ts';
import { confidenceView, detailedConfidence } from './confidence-view.ts';
import { difference, moneyView } from './money-view.ts';
import { tradeView } from './trade-view.ts';

/** The views of cards, sets and games. Hundredths become dollars, or another currency, here. */

/** The prices of a printing without any source. */
export const UNPRICED: ServedPrices = {
  ...NO_PRICES,
  conditions: {},
  graded: {},
  sources: [],
  figuresAt: null,
  conditionsAt: null,
  gradedAt: null,
};

/** Converts cents into dollars; null if there is no amount. */
export function dollars(cents: Cents | null | undefined): number | null {
  return cents === null || cents === undefined ? null : dollarsFromCents(cents);
}

type Amounts<Name extends string> = Record<Name, number | null>;

// Written out, because an object literal takes half the time of a loop.
function conditionView(cents: ServedPrices['conditions']): Amounts<Condition> {
  return {
    near_mint: dollars(cents.near_mint),
    lightly_played: dollars(cents.lightly_played),
    moderately_played: dollars(cents.moderately_played),
    heavily_played: dollars(cents.heavily_played),
    damaged: dollars(cents.damaged),
  };
}

function gradeView(cents: ServedPrices['graded']): Amounts<ContractGrade> {
  return {
    psa_10: dollars(cents.psa_10),
    psa_9: dollars(cents.psa_9),
    bgs_9_5: dollars(cents.bgs_9_5),
    cgc_9_5: dollars(cents.cgc_9_5),
  };
}

/** Returns every grade with a price, by grader and level; nothing if there is none. */
function allGradesView(cents: ServedPrices['graded']) {
  let allGrades: Record<string, Record<string, number>> | undefined;
  for (const grade in cents) {
    const parts = partsOfGrade(grade);
    const amount = cents[grade as Grade];
    if (!parts || amount === undefined) continue;
    allGrades ??= {};
    const own = allGrades[parts.grader.slug] ?? {};
    own[levelOfGrade(parts)] = dollarsFromCents(amount);
    allGrades[parts.grader.slug] = own;
  }
  return allGrades && { allGrades };
}

const NO_CHANGES = { '1d': null, '7d': null, '30d': null } as const;

/** Returns the change of a printing's market price; null if it is unknown or in doubt. */
function changesView(printing: Printing | undefined) {
  if (!printing?.bases || printing.prices.market === null) return NO_CHANGES;
  const { money } = printing;
  // Only the amount is converted: rounded prices would change the percentage.
  const market = money?.dollars.prices.market ?? printing.prices.market;
  return {
    '1d': changeView(printing.bases, '1d', market, money?.fromDollars),
    '7d': changeView(printing.bases, '7d', market, money?.fromDollars),
    '30d': changeView(printing.bases, '30d', market, money?.fromDollars),
  };
}

function changeView(bases: BasePrices, window: ChangeWindow, market: Cents, to?: Conversion) {
  const base = bases[window];
  if (base === null || bases.doubts[window] !== undefined) return null;
  return {
    amount: dollarsFromCents(difference(base, market, to)),
    percent: percentBetween(base, market),
  };
}

/** Formats the prices of a printing. The day (UTC) decides whether they are stale. */
function priceView(prices: ServedPrices, today: Day) {
  return {
    market: dollars(prices.market),
    low: dollars(prices.low),
    mid: dollars(prices.mid),
    high: dollars(prices.high),
    conditions: conditionView(prices.conditions),
    graded: gradeView(prices.graded),
    ...allGradesView(prices.graded),
    stale: areStale(prices, today),
  };
}

/** Formats prices with estimates for the conditions that no source prices. */
function estimatedView(prices: ServedPrices, today: Day) {
  const estimates = estimateConditions(prices.conditions, prices.market);
  const conditions = { ...prices.conditions, ...estimates };
  return { ...priceView({ ...prices, conditions }, today), estimated: Object.keys(estimates) };
}

/**
 * Returns the sources of prices and when the prices were observed; `updatedAt` is the time of the
 * figures.
 */
function provenance({ sources, figuresAt, conditionsAt, gradedAt }: ServedPrices) {
  const updatedAt = moment(figuresAt);
  return {
    sources,
    updatedAt,
    figuresAt: updatedAt,
    conditionsAt: moment(conditionsAt),
    gradedAt: moment(gradedAt),
  };
}

/** Formats a moment; null if there is none. */
export function moment(at: Millis | null | undefined): string | null {
  return at === null || at === undefined ? null : formatMoment(at);
}

/** The fields of a card that do not depend on prices. */
function cardFields(card: Card) {
  return {
    id: card.id,
    name: card.name,
    game: card.set.game,
    set: card.set.name,
    setId: card.set.id,
    setCode: card.set.code,
    number: card.number,
    rarity: card.rarity,
    image: card.image,
  };
}

/** A card in a search result, as of a day (UTC), with the prices of one of its printings. */
export function cardSummary(card: Card, today: Day, printing = defaultPrinting(card)) {
  return summaryOf(card, today, printing);
}

/**
 * A card in a search result for a language. In another language than the catalogue's, the prices
 * are for that language, or null.
 */
export function cardSummaryIn(language: LanguageCode | undefined, card: Card, today: Day) {
  const printing = printingInLanguageOf(card, language);
  return { ...summaryOf(card, today, printing), ...languageView(language, card) };
}

/** The language of the prices, unless it is the card's language in the catalogue. */
function languageView(language: LanguageCode | undefined, card: Card) {
  return language === undefined || isOwnLanguage(card, language) ? {} : { language };
}

function summaryOf(card: Card, today: Day, printing: Printing | undefined) {
  const prices = printing?.prices ?? UNPRICED;
  return {
    ...cardFields(card),
    printing: printing?.name ?? null,
    prices: {
      market: dollars(prices.market),
      conditions: {
        near_mint: dollars(prices.conditions.near_mint),
        lightly_played: dollars(prices.conditions.lightly_played),
      },
      stale: areStale(prices, today),
      changes: changesView(printing),
      ...confidenceView(printing, today),
      ...moneyView(printing),
    },
  };
}

/** Options for a card's details. */
export interface DetailOptions {
  /** Whether to estimate prices of conditions that no source gives. */
  readonly estimates: boolean;
  /** The current day (UTC). */
  readonly today: Day;
}

/** The day of past figures; nothing for current ones. */
function asOfView({ isPast, prices }: Partial<Pick<Printing, 'isPast' | 'prices'>> = {}) {
  if (!isPast) return {};
  const at = prices?.figuresAt ?? null;
  return { asOf: at === null ? null : dateOf(dayOf(at)) };
}

/** All prices of a printing, with their qualifiers. Without a printing, the card is unpriced. */
function detailedPrices(printing: Printing | undefined, { estimates, today }: DetailOptions) {
  const view = estimates ? estimatedView : priceView;
  return {
    ...view(printing?.prices ?? UNPRICED, today),
    changes: changesView(printing),
    ...detailedConfidence(printing, today),
    ...moneyView(printing),
    ...tradeView(printing),
    ...asOfView(printing),
  };
}

/** A card with all of its prices, and its ids at the sources. */
export function cardDetail(card: Card, externalIds: readonly ExternalId[], options: DetailOptions) {
  const printing = defaultPrinting(card);
  const prices = printing?.prices ?? UNPRICED;
  const ids = idsBySpace(externalIds);
  return {
    ...cardFields(card),
    externalIds: ids,
    links: marketplaceLinks(card.set.game, ids),
    currency: printing?.money?.currency ?? ('USD' as const),
    printing: printing?.name ?? null,
    prices: detailedPrices(printing, options),
    printings: printingItems(card, options),
    ...provenance(prices),
    origins: originsOf(printing ?? { prices }),
  };
}

/** All printings of a card with all of their prices. */
export function printingItems({ printings }: Card, options: DetailOptions) {
  return printings.map((one) => ({
    name: one.name,
    ...translationView(one),
    prices: detailedPrices(one, options),
    ...provenance(one.prices),
    origins: originsOf(one),
  }));
}

/** The names of a card by language; nothing if there are none. */
export function namesView(names: readonly ForeignName[]) {
  if (names.length === 0) return {};
  const byLanguage: Partial<Record<LanguageCode, string>> = {};
  for (const { language, name } of names) byLanguage[language] = name;
  return { names: byLanguage };
}

/** The fields of a product in place of a card's number and rarity. */
function productFields({ type, upc }: ProductFacts) {
  return { kind: 'product' as const, type, upc };
}

/** A product in a list, as of a day (UTC), with prices in the caller's currency if there is one. */
export function productSummary(product: Product, today: Day, local?: LocalPrices) {
  const { number: _, rarity: __, ...fields } = cardSummary(local?.card(product) ?? product, today);
  return { ...fields, ...productFields(product) };
}

/** A product with all of its prices, and its ids at the sources. */
export function productDetail(
  product: Product,
  externalIds: readonly ExternalId[],
  options: DetailOptions,
  local?: LocalPrices,
) {
  const priced = local?.card(product) ?? product;
  const { number: _, rarity: __, ...fields } = cardDetail(priced, externalIds, options);
  return { ...fields, ...productFields(product) };
}

/** The language of a printing, unless it is the card's language in the catalogue. */
function translationView({ name }: Printing) {
  const language = languageOfPrinting(name);
  return language === undefined ? {} : { language };
}

/** The price of a copy of a printing, in dollars, with a description of the copy. */
export function copyView(
  printing: Printing | null | undefined,
  copy: NamedCopy,
  { estimates }: Pick<DetailOptions, 'estimates'>,
) {
  const found = priceOfCopy(printing, copy, estimates);
  const { condition, grade, language } = copy;
  const priceOf = {
    printing: printing?.name ?? null,
    ...(language && { language }),
    condition: grade === null ? condition : null,
    grade,
  };
  if (found.price === null) return { price: null, priceOf, noPrice: found.noPrice };
  const estimated = found.isEstimated ? { estimated: true as const } : {};
  return { price: dollarsFromCents(found.price), priceOf: { ...priceOf, ...estimated } };
}

/** Groups ids by space, in the order of the id spaces. */
export function idsBySpace(ids: readonly ExternalId[]): Record<string, string[]> {
  const bySpace: Record<string, string[]> = {};
  for (const space of CARD_ID_SPACES.keys()) {
    const own = ids.filter((one) => one.space === space).map(({ id }) => id);
    if (own.length > 0) bySpace[space] = own.sort(compareText);
  }
  return bySpace;
}

/** A card in a batch result, as of a day (UTC). */
export function batchCard(card: Card, today: Day) {
  return batchItem(card, today, defaultPrinting(card));
}

/** A card like {@link batchCard}, with its prices in a language. */
export function batchCardIn(language: LanguageCode | undefined, card: Card, today: Day) {
  const printing = printingInLanguageOf(card, language);
  return { ...batchItem(card, today, printing), ...languageView(language, card) };
}

function batchItem(card: Card, today: Day, printing: Printing | undefined) {
  const prices = printing?.prices ?? UNPRICED;
  return {
    id: card.id,
    name: card.name,
    game: card.set.game,
    setId: card.set.id,
    setCode: card.set.code,
    number: card.number,
    printing: printing?.name ?? null,
    prices: {
      market: dollars(prices.market),
      stale: areStale(prices, today),
      ...confidenceView(printing, today),
      ...moneyView(printing),
      ...asOfView(printing),
    },
  };
}

/** A change of the marketplace that provides the figures of a printing. */
export function marketplaceChangeItem(change: MarketplaceChange) {
  const { card, name, game, set, printing, from, to, day, changedAt } = change;
  const moment = { day: dateOf(day), changedAt: formatMoment(changedAt) };
  return { id: card, name, game, set, printing, from, to, ...moment };
}

/** Caches days as text: all histories share the same few thousand days. */
const DATES = new Map<Day, string>();

/** `YYYY-MM-DD`. */
export function dateOf(day: Day): string {
  let date = DATES.get(day);
  if (date === undefined) {
    date = formatDay(day);
    DATES.set(day, date);
  }
  return date;
}

/** A set of the catalogue, with its counts. */
export function setItem(catalog: Catalog, { set, cardCount }: CountedSet) {
  const { id: setId, code, name, game, releaseDate } = set;
  const pricedCount = catalog.pricedCount(set);
  const value = dollars(catalog.value(set));
  const productCount = catalog.products.countOf(set);
  return { setId, code, name, game, cardCount, productCount, pricedCount, value, releaseDate };
}

export function gameItem({ game, cardCount, setCount }: CountedGame) {
  return { id: game.slug, name: game.name, cardCount, setCount };
}
