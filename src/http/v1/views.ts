import type { CountedGame, CountedSet } from '../../catalog/catalog.ts';
import { type Card, defaultPrinting, type ServedPrices } from '../../domain/card.ts';
import { type Day, formatDay, formatMoment } from '../../domain/day.ts';
import { estimateConditions } from '../../domain/estimates.ts';
import { type Cents, dollarsFromCents } from '../../domain/money.ts';
import { type Condition, type Grade, type HistoryDay, NO_PRICES } from '../../domain/price.ts';

/** The bodies of cards, sets and games. Cents become dollars here. */

const UNPRICED: ServedPrices = {
  ...NO_PRICES,
  conditions: {},
  graded: {},
  sources: [],
  observedAt: null,
  figuresAt: null,
};

function dollars(cents: Cents | null | undefined): number | null {
  return cents === null || cents === undefined ? null : dollarsFromCents(cents);
}

type Amounts<Name extends string> = Record<Name, number | null>;

// Written out, because an object literal is made in half the time of a loop.
function conditionView(cents: ServedPrices['conditions']): Amounts<Condition> {
  return {
    near_mint: dollars(cents.near_mint),
    lightly_played: dollars(cents.lightly_played),
    moderately_played: dollars(cents.moderately_played),
    heavily_played: dollars(cents.heavily_played),
    damaged: dollars(cents.damaged),
  };
}

function gradeView(cents: ServedPrices['graded']): Amounts<Grade> {
  return {
    psa_10: dollars(cents.psa_10),
    psa_9: dollars(cents.psa_9),
    bgs_9_5: dollars(cents.bgs_9_5),
    cgc_9_5: dollars(cents.cgc_9_5),
  };
}

function priceView(prices: ServedPrices) {
  return {
    market: dollars(prices.market),
    low: dollars(prices.low),
    mid: dollars(prices.mid),
    high: dollars(prices.high),
    conditions: conditionView(prices.conditions),
    graded: gradeView(prices.graded),
  };
}

/** Prices with estimates for the conditions that no source prices. */
function estimatedView(prices: ServedPrices) {
  const estimates = estimateConditions(prices.conditions, prices.market);
  const conditions = { ...prices.conditions, ...estimates };
  return { ...priceView({ ...prices, conditions }), estimated: Object.keys(estimates) };
}

function provenance({ sources, observedAt }: ServedPrices) {
  return { sources, updatedAt: observedAt === null ? null : formatMoment(observedAt) };
}

/** A card in a search result. */
export function cardSummary(card: Card) {
  const prices = defaultPrinting(card)?.prices ?? UNPRICED;
  return {
    id: card.id,
    name: card.name,
    game: card.set.game,
    set: card.set.name,
    rarity: card.rarity,
    prices: {
      market: dollars(prices.market),
      conditions: {
        near_mint: dollars(prices.conditions.near_mint),
        lightly_played: dollars(prices.conditions.lightly_played),
      },
    },
  };
}

/** A card with all of its prices; with `estimates` also for conditions that no source prices. */
export function cardDetail(card: Card, estimates: boolean) {
  const view = estimates ? estimatedView : priceView;
  const printing = defaultPrinting(card);
  const prices = printing?.prices ?? UNPRICED;
  return {
    id: card.id,
    name: card.name,
    game: card.set.game,
    set: card.set.name,
    setCode: card.set.code,
    number: card.number,
    rarity: card.rarity,
    image: card.image,
    currency: 'USD' as const,
    printing: printing?.name ?? null,
    prices: view(prices),
    printings: card.printings.map(({ name, prices: own }) => ({
      name,
      prices: view(own),
      ...provenance(own),
    })),
    ...provenance(prices),
  };
}

/** A card in a batch result. */
export function batchCard(card: Card) {
  const prices = defaultPrinting(card)?.prices ?? UNPRICED;
  return {
    id: card.id,
    name: card.name,
    game: card.set.game,
    prices: { market: dollars(prices.market) },
  };
}

/** Days as text: all histories share the same few thousand days. */
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

/** One observed day of a history. */
export function historyItem({ day, market, low, high, provenance }: HistoryDay) {
  return {
    date: dateOf(day),
    market: dollars(market),
    low: dollars(low),
    high: dollars(high),
    source: provenance?.source ?? null,
    marketplace: provenance?.marketplace ?? null,
    ...(provenance?.repeated && { repeated: true }),
  };
}

/** A set, of which `pricedCount` cards have a price. */
export function setItem({ set, cardCount }: CountedSet, pricedCount: number) {
  const { code, name, game, releaseDate } = set;
  return { code, name, game, cardCount, pricedCount, releaseDate };
}

export function gameItem({ game, cardCount, setCount }: CountedGame) {
  return { id: game.slug, name: game.name, cardCount, setCount };
}
