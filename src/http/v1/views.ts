import type { CountedGame, CountedSet } from '../../catalog/catalog.ts';
import { type Card, defaultPrinting, type Printing, type ServedPrices } from '../../domain/card.ts';
import { formatDay, formatMoment } from '../../domain/day.ts';
import { type Cents, dollarsFromCents } from '../../domain/money.ts';
import { CONDITIONS, type DayPrices, GRADES, NO_PRICES } from '../../domain/price.ts';

/** Cards, sets and games as the API shows them: cents become dollars here and nowhere else. */

const UNPRICED: ServedPrices = {
  ...NO_PRICES,
  conditions: {},
  graded: {},
  sources: [],
  observedAt: null,
};

function dollars(cents: Cents | null | undefined): number | null {
  return cents === null || cents === undefined ? null : dollarsFromCents(cents);
}

function amounts<Name extends string>(
  names: readonly Name[],
  cents: Readonly<Partial<Record<Name, Cents>>>,
): Record<Name, number | null> {
  const entries = names.map((name) => [name, dollars(cents[name])]);
  return Object.fromEntries(entries) as Record<Name, number | null>;
}

function priceView(prices: ServedPrices) {
  return {
    market: dollars(prices.market),
    low: dollars(prices.low),
    mid: dollars(prices.mid),
    high: dollars(prices.high),
    conditions: amounts(CONDITIONS, prices.conditions),
    graded: amounts(GRADES, prices.graded),
  };
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
      conditions: amounts(['near_mint', 'lightly_played'], prices.conditions),
    },
  };
}

/** A card with all that is known of it. */
export function cardDetail(card: Card) {
  const shown = defaultPrinting(card);
  const prices = shown?.prices ?? UNPRICED;
  return {
    id: card.id,
    name: card.name,
    game: card.set.game,
    set: card.set.name,
    setCode: card.set.code,
    number: card.number,
    rarity: card.rarity,
    image: card.image,
    currency: 'USD',
    printing: shown?.name ?? null,
    prices: priceView(prices),
    printings: card.printings.map(printingView),
    ...provenance(prices),
  };
}

function printingView({ name, prices }: Printing) {
  return { name, prices: priceView(prices), ...provenance(prices) };
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

/** One observed day of a history. */
export function historyItem({ day, market, low, high }: DayPrices) {
  return {
    date: formatDay(day),
    market: dollars(market),
    low: dollars(low),
    high: dollars(high),
  };
}

export function setItem({ set, cardCount }: CountedSet) {
  const { code, name, game, releaseDate } = set;
  return { code, name, game, cardCount, releaseDate };
}

export function gameItem({ game, cardCount, setCount }: CountedGame) {
  return { id: game.slug, name: game.name, cardCount, setCount };
}
