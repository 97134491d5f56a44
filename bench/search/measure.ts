import type { Engine } from './engines.ts';
import { isHit, type KnownQuery } from './queries.ts';

export interface Measured {
  readonly engine: Engine;
  /** The hits and the queries of each kind. */
  readonly hits: ReadonlyMap<string, { readonly hits: number; readonly of: number }>;
  readonly missed: readonly KnownQuery[];
  /** Milliseconds of one query. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/**
 * Sends every query to an engine, once to warm up and then `rounds` times. The time of a query is
 * the median of its rounds, so that other work of the machine does not count.
 */
export async function measure(
  engine: Engine,
  queries: readonly KnownQuery[],
  rounds: number,
): Promise<Measured> {
  const hits = new Map<string, { hits: number; of: number }>();
  const missed: KnownQuery[] = [];
  for (const query of queries) {
    const count = hits.get(query.kind) ?? { hits: 0, of: 0 };
    const hit = isHit(query, await engine.search(query.q));
    if (!hit) missed.push(query);
    hits.set(query.kind, { hits: count.hits + (hit ? 1 : 0), of: count.of + 1 });
  }
  const times = await timesOf(engine, queries, rounds);
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0;
  return { engine, hits, missed, p50: at(0.5), p99: at(0.99), max: at(1) };
}

async function timesOf(
  engine: Engine,
  queries: readonly KnownQuery[],
  rounds: number,
): Promise<Float64Array> {
  const perQuery = queries.map(() => new Float64Array(rounds));
  for (let round = 0; round < rounds; round++) {
    for (const [i, { q }] of queries.entries()) {
      const start = performance.now();
      const answer = engine.search(q);
      if (answer instanceof Promise) await answer;
      const times = perQuery[i];
      if (times) times[round] = performance.now() - start;
    }
  }
  return Float64Array.from(perQuery, (times) => times.sort()[rounds >> 1] ?? 0).sort();
}
