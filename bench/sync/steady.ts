import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

/** Latencies of requests that were sent at a steady rate, in milliseconds, shortest first. */
export type Latencies = readonly number[];

export interface Steady {
  readonly url: string;
  readonly paths: readonly string[];
  readonly keys: readonly string[];
  readonly perSecond: number;
}

/**
 * Sends requests at a steady rate until `until` is done, whether answers come or not. The latency
 * of a request counts from the moment at which it was due, as it would for a caller.
 */
export async function requestSteadily(steady: Steady, until: Promise<unknown>): Promise<Latencies> {
  const { url, paths, keys, perSecond } = steady;
  const pool = new Pool(url, { connections: 32 });
  const latencies: number[] = [];
  const underWay = new Set<Promise<void>>();
  let done = false;
  void until.then(() => {
    done = true;
  });
  const started = performance.now();
  for (let count = 0; !done; count += 1) {
    const dueAt = started + (count * 1000) / perSecond;
    const early = dueAt - performance.now();
    if (early > 0) await sleep(early);
    const path = paths[count % paths.length] ?? '';
    const headers = { 'x-api-key': keys[count % keys.length] ?? '' };
    const request = send(pool, path, headers).then(() => {
      latencies.push(performance.now() - dueAt);
      underWay.delete(request);
    });
    underWay.add(request);
  }
  await Promise.all(underWay);
  await pool.close();
  return latencies.sort((a, b) => a - b);
}

async function send(pool: Pool, path: string, headers: Record<string, string>): Promise<void> {
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
  await body.dump();
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
}

export function percentile(latencies: Latencies, share: number): number {
  return latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
}
