import autocannon from 'autocannon';
import type { ServerProcess } from './processes.ts';

/** How fast a server answered one kind of request. */
export interface Rate {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** Of one core, by the server: near 1 when the server is what was measured. */
  readonly cpu: number;
}

const CONNECTIONS = 64;

/** Asks for the paths with the keys, both in turn, over 64 connections. All must be 200. */
export async function measureRate(
  server: ServerProcess,
  paths: readonly string[],
  keys: readonly string[],
  seconds: number,
): Promise<Rate> {
  const cpuBefore = server.cpuSeconds();
  const requests = Array.from({ length: Math.max(paths.length, keys.length) }, (_, index) => ({
    path: paths[index % paths.length] ?? '',
    headers: { 'x-api-key': keys[index % keys.length] ?? '' },
  }));
  const { url } = server;
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds, requests });
  if (result.non2xx + result.errors > 0) {
    throw new Error(
      `${paths[0]}: ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`,
    );
  }
  return {
    perSecond: result['2xx'] / result.duration,
    p99Ms: result.latency.p99,
    cpu: (server.cpuSeconds() - cpuBefore) / result.duration,
  };
}

/** Sends `amount` requests over 64 connections and counts the answers by status. */
export async function countAnswers(
  server: ServerProcess,
  path: string,
  key: string,
  amount: number,
): Promise<Readonly<Record<string, number>>> {
  const { statusCodeStats = {} } = await autocannon({
    url: server.url + path,
    connections: CONNECTIONS,
    amount,
    headers: { 'x-api-key': key },
  });
  const counts = Object.entries(statusCodeStats).map(([status, { count }]) => [status, count]);
  return Object.fromEntries(counts);
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
