import autocannon from 'autocannon';
import type { ServerProcess } from './processes.ts';

/** How fast a server answered one kind of request. */
export interface Rate {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** Processor time of the server for one request, in microseconds. */
  readonly micros: number;
}

const CONNECTIONS = 64;

/** Requests of one kind. */
export interface Workload {
  readonly name: string;
  readonly paths: readonly string[];
  /** The JSON to post to each path; none for a GET. */
  readonly body?: string;
  /** What the requests accept; by default only bodies as they are. */
  readonly encoding?: string;
  /** The least rate compared with bare fastify, from 0 to 1. */
  readonly goal: number;
}

/** Returns the method, headers and body of a request. */
export function requestOf({ body, encoding }: Workload, key: string) {
  const common = { 'x-api-key': key, ...(encoding && { 'accept-encoding': encoding }) };
  if (body === undefined) return { method: 'GET', headers: common } as const;
  const headers = { ...common, 'content-type': 'application/json' };
  return { method: 'POST', headers, body } as const;
}

/** Sends the requests with the keys, both in turn, over 64 connections. All must be 200. */
export async function measureRate(
  server: ServerProcess,
  workload: Workload,
  keys: readonly string[],
  seconds: number,
): Promise<Rate> {
  const { paths } = workload;
  const cpuBefore = server.cpuSeconds();
  const requests = Array.from({ length: Math.max(paths.length, keys.length) }, (_, index) => ({
    path: paths[index % paths.length] ?? '',
    ...requestOf(workload, keys[index % keys.length] ?? ''),
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
    micros: ((server.cpuSeconds() - cpuBefore) / result['2xx']) * 1e6,
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
