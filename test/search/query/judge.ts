import { type Card, type CardSet, marketPrice } from '../../../src/domain/card.ts';
import type { Day } from '../../../src/domain/day.ts';
import { GAME_SLUGS, type GameSlug } from '../../../src/domain/games.ts';
import type { SearchIndex } from '../../../src/search/index.ts';
import { joinTrees } from '../../../src/search/query/tree.ts';
import { conditionOf, isTrue } from './brute-force.ts';
import type { MadeQuery } from './made-queries.ts';

/** More than all cards. */
const ALL = 1_000_000;

interface Judged {
  readonly index: SearchIndex;
  readonly cards: readonly Card[];
  /** The sets of the cards. */
  readonly sets: readonly CardSet[];
  readonly today: Day;
}

/**
 * Compares the cards that a query finds with those that its words find and for which its condition
 * is true. Returns what differs; undefined if they are the same cards in the right order.
 */
export function judge({ q, words, sort }: MadeQuery, judged: Judged): string | undefined {
  const { index, cards, sets, today } = judged;
  const search = (text: string, game?: GameSlug) => {
    const page = { sort: 'relevance', limit: ALL, offset: 0 } as const;
    return index.search({ q: text, ...(game && { game }), ...page, today });
  };
  const { cards: found, understood } = search(q);
  const means = (understood?.filters ?? []).map((filter) => filter.means);
  const problem = understood?.problems?.find(({ message }) => !message.startsWith('No set'));
  if (problem) return `${q}: ${problem.message}`;
  const conditions = means.filter((one) => !one.startsWith('sort:')).map(conditionOf);
  const condition = joinTrees('all', conditions);
  if (!condition && sort === undefined) return `${q}: no condition`;
  const candidates =
    words === ''
      ? cards
      : search(
          words,
          GAME_SLUGS.find((slug) => means.includes(`game:${slug}`)),
        ).cards;
  const expected = candidates.filter((card) => {
    return !condition || isTrue(condition, card, sets, today);
  });
  if (!isSame(found, expected)) {
    return `${q} (${means.join(' ')}): ${found.length} instead of ${expected.length}`;
  }
  return isInOrder(found, sort) ? undefined : `${q}: not in order`;
}

function isSame(found: readonly Card[], expected: readonly Card[]): boolean {
  const ids = new Set(expected.map(({ id }) => id));
  return found.length === ids.size && found.every(({ id }) => ids.has(id));
}

function isInOrder(found: readonly Card[], sort: MadeQuery['sort']): boolean {
  if (sort === undefined) return true;
  const keys = found.map((card) => {
    if (sort === 'newest') return -Date.parse(card.set.releaseDate ?? '0001-01-01');
    const price = marketPrice(card);
    if (price === null) return Number.POSITIVE_INFINITY;
    return sort === 'price_asc' ? price : -price;
  });
  return keys.every((key, i) => i === 0 || (keys[i - 1] ?? key) <= key);
}

/** Returns the sets of cards, each once. */
export function setsIn(cards: readonly Card[]): CardSet[] {
  return [...new Map(cards.map(({ set }) => [set.id, set])).values()];
}
