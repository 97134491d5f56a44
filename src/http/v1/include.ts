import type { Static } from 'typebox';
import { type Card, defaultPrinting, type Printing } from '../../domain/card.ts';
import { type Day, dayOf, PERIODS, windowOf } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Feature } from '../../domain/plans.ts';
import type { HistoryDay } from '../../domain/price.ts';
import { STATISTIC_DAYS, statisticsOf } from '../../history/statistics.ts';
import { invalidParameter } from '../errors.ts';
import { type CurrencyQuery, localPricesOf, Words } from '../parameters.ts';
import { type INCLUDED, INCLUDES } from '../schemas.ts';
import { askedPast, newestDay, type Past, type PastQuery } from './as-of.ts';
import type { PlanHistory, Resources } from './endpoint.ts';
import { historyItems, localDays, statisticsView } from './history-view.ts';
import { printingItems } from './views.ts';

/** Optional parts of cards in lists and batches. */

export const IncludeParameter = Words(
  'What each card also has: every printing, the history of 30 days, statistics of its price, or ' +
    'its facts. `history` and `statistics` require the Trader plan or above.',
  INCLUDES,
);

/** The features that words of the parameter require. */
export const INCLUDE_FEATURES: Readonly<Record<string, Feature>> = {
  'include=history': 'history',
  'include=statistics': 'history',
};

type Include = (typeof INCLUDES)[number];

const HISTORY_DAYS = PERIODS['30d'];

/** The fewest days of history that each part needs. */
const DAYS_NEEDED: Readonly<Record<Include, number>> = {
  printings: 0,
  history: HISTORY_DAYS,
  statistics: STATISTIC_DAYS,
  facts: 0,
};

/** Most cards on a page with optional parts. */
export const MAX_CARDS = 100;

interface IncludeQuery extends Static<typeof CurrencyQuery>, PastQuery {
  readonly include?: readonly Include[];
  readonly limit?: number;
}

type Included = { readonly [Part in Include]?: Static<(typeof INCLUDED)[Part]> };

/**
 * Returns the included parts of each of some cards or products, in their order; an empty list if
 * the query includes none. `printingOf` returns the printing whose prices the list shows.
 * @throws ApiError PLAN_RESTRICTION if the caller's plan does not include the history.
 * @throws ApiError INVALID_PARAMETER if a page may have too many cards for this.
 */
export async function includedParts(
  resources: Resources,
  history: PlanHistory,
  query: IncludeQuery,
  cards: readonly Card[],
  printingOf: (card: Card) => Printing | undefined = defaultPrinting,
): Promise<readonly Included[]> {
  const { include = [], limit = 0 } = query;
  if (include.length === 0) return [];
  if (limit > MAX_CARDS) {
    throw invalidParameter('limit', `With include, it must be at most ${MAX_CARDS}.`);
  }
  const { catalog, estimates } = resources;
  const past = await askedPast(resources, history, query);
  const today = past.day ?? dayOf(resources.clock());
  const local = localPricesOf(query, catalog, today);
  // The newest day of products is the newest day of their game's cards, if there are any.
  const newestOf = (card: Card) => catalog.products.asOf(card.set.game);
  const ends = await endsOf(resources, past, cards, newestOf);
  const listed = cards.map((card): Listed => {
    const game = card.set.game;
    const asOf = past.day === undefined ? undefined : (ends.get(game) ?? past.day);
    return { card, printing: printingOf(card), newest: newestOf(card), asOf };
  });
  const printings = include.includes('printings')
    ? cards.map((card) => printingItems(local?.card(card) ?? card, { estimates, today }))
    : [];
  const { days: read, included } = await readPast(history, include, listed);
  const facts = include.includes('facts')
    ? await resources.facts(cards.map(({ rowId }) => rowId))
    : undefined;
  return listed.map(({ card, printing, newest, asOf }, index) => {
    const known = (printing && read.get(printing.rowId)) ?? [];
    const days = local && printing ? localDays(known, local.currencyOf(printing), local) : known;
    const end = asOf ?? newest ?? today;
    const { from } = windowOf(HISTORY_DAYS, end);
    const parts = {
      printings: () => printings[index] ?? [],
      history: () => historyItems(days.filter(({ day }) => day >= from)),
      statistics: () => statisticsView(statisticsOf(days, end, included)),
      facts: () => facts?.get(card.rowId) ?? {},
    };
    return Object.fromEntries(include.map((part) => [part, parts[part]()])) as Included;
  });
}

/** Returns the last day to read of each game; null without figures. */
async function endsOf(
  resources: Resources,
  past: Past,
  cards: readonly Card[],
  newestOf: (card: Card) => Day | null,
): Promise<ReadonlyMap<GameSlug, Day | null>> {
  const ends = new Map<GameSlug, Day | null>();
  for (const card of cards) {
    const { game } = card.set;
    if (ends.has(game)) continue;
    ends.set(game, past.asOf ?? (await newestDay(resources, past, game, newestOf(card))));
  }
  return ends;
}

/**
 * Returns the items of a list with their parts. Build the items before reading the parts, because a
 * publication may arrive in between.
 */
export function withParts<Item extends object>(
  items: readonly Item[],
  parts: readonly Included[],
): (Item & Included)[] {
  return items.map((item, index) => ({ ...item, ...parts[index] }));
}

/** A card of a list, with the listed printing and the newest day of its game. */
interface Listed {
  readonly card: Card;
  readonly printing: Printing | undefined;
  readonly newest: Day | null;
  /** The day of the prices; undefined for current ones. */
  readonly asOf: Day | undefined;
}

/** The days of the printings of a list. */
interface ReadDays {
  /** As many days as the parts of a list need, by row id. */
  readonly days: ReadonlyMap<number, readonly HistoryDay[]>;
  /** How many days the plan includes up to the last one; null for all. */
  readonly included: number | null;
}

async function readPast(
  history: PlanHistory,
  include: readonly Include[],
  listed: readonly Listed[],
): Promise<ReadDays> {
  const ages = listed.map(({ newest, asOf }) => (newest ?? 0) - (asOf ?? newest ?? 0));
  const needed = Math.max(...include.map((part) => DAYS_NEEDED[part]));
  const included = include.includes('statistics')
    ? history.longest(needed, Math.max(0, ...ages))
    : needed;
  const printings = listed.flatMap(({ printing, newest, asOf }) => {
    return printing && newest !== null ? [{ printing: printing.rowId, newest, asOf }] : [];
  });
  return { days: await history.lastOfEach(included, printings), included };
}
