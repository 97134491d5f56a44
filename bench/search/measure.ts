import type { Card } from '../../src/domain/card.ts';
import { SearchIndex } from '../../src/search/index.ts';
import { isHit, type KnownQuery } from './queries.ts';

/** How many cards a search returns. */
const PAGE = 5;

/** What the search answered to a query. */
export interface Outcome {
  readonly query: KnownQuery;
  /** At most five. */
  readonly found: readonly Card[];
  /** How many cards come before the first that is meant; undefined when none is. */
  readonly rank: number | undefined;
  readonly milliseconds: number;
}

/** The index of some cards, with what it costs. */
export interface Built {
  readonly index: SearchIndex;
  readonly buildMs: number;
  readonly megabytes: number;
}

/** Builds the index of some cards. Measures memory after a collection if `gc` is there. */
export function buildIndex(cards: readonly Card[]): Built {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const start = performance.now();
  const index = new SearchIndex({ cardWithId: cardsWithIds(cards) });
  for (const card of cards) index.add(card);
  index.commit();
  const buildMs = performance.now() - start;
  globalThis.gc?.();
  return { index, buildMs, megabytes: (process.memoryUsage().heapUsed - before) / 1e6 };
}

/** Finds cards by TCGplayer's id, which is the last part of the ids that `readTree` gives. */
export function cardsWithIds(cards: readonly Card[]): (id: string) => Card | undefined {
  const byId = new Map(cards.map((card) => [`tcgplayer:${card.id.split('-').at(-1)}`, card]));
  return (id) => byId.get(id);
}

/**
 * Sends every query `rounds` times. The time of a query is the median of its rounds, so that
 * neither warming up nor other work of the machine counts.
 */
export function measure(
  index: SearchIndex,
  queries: readonly KnownQuery[],
  rounds: number,
): Outcome[] {
  const answers: (readonly Card[])[] = [];
  const times = queries.map(() => new Float64Array(rounds));
  for (let round = 0; round < rounds; round++) {
    for (const [i, { q }] of queries.entries()) {
      const start = performance.now();
      answers[i] = index.search({ q, sort: 'relevance', limit: PAGE, offset: 0 }).cards;
      times[i]?.fill(performance.now() - start, round, round + 1);
    }
  }
  return queries.map((query, i): Outcome => {
    const found = answers[i] ?? [];
    const milliseconds = times[i]?.sort()[rounds >> 1] ?? 0;
    return { query, found, rank: rankOf(query, found), milliseconds };
  });
}

function rankOf(query: KnownQuery, found: readonly Card[]): number | undefined {
  const rank = found.findIndex((card) => isHit(query, [card]));
  return rank === -1 ? undefined : rank;
}

/** The share of the outcomes that have a meant card among the first `places`, from 0 to 1. */
export function hitRate(outcomes: readonly Outcome[], places: number): number {
  const hits = outcomes.filter(({ rank }) => rank !== undefined && rank < places);
  return hits.length / outcomes.length;
}

/** The milliseconds that a share of the queries takes at most: 0.5 is the median, 1 the slowest. */
export function quantile(outcomes: readonly Outcome[], share: number): number {
  const times = Float64Array.from(outcomes, ({ milliseconds }) => milliseconds).sort();
  return times[Math.floor((times.length - 1) * share)] ?? 0;
}
