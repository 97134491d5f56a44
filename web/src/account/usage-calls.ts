import type { RequestCount } from './responses.ts';

/** The requests of an account by API key and endpoint, and those that were refused by error. */

export interface EndpointUse {
  readonly endpoint: string;
  readonly count: number;
  /** How many of them were answered with an error. */
  readonly errors: number;
}

export interface KeyUsage {
  readonly keyId: number;
  readonly keyName: string;
  readonly count: number;
  /** The most used first. */
  readonly endpoints: readonly EndpointUse[];
}

/** Sums up by key and endpoint, the most used first. */
export function usageByKey(counts: readonly RequestCount[]): KeyUsage[] {
  const keys = [...Map.groupBy(counts, ({ keyId }) => keyId)].map(([keyId, own]) => ({
    keyId,
    keyName: own[0]?.keyName ?? '',
    count: sum(own),
    endpoints: usageByEndpoint(own),
  }));
  return keys.toSorted((a, b) => b.count - a.count || a.keyId - b.keyId);
}

function usageByEndpoint(counts: readonly RequestCount[]): EndpointUse[] {
  const uses = [...Map.groupBy(counts, ({ endpoint }) => endpoint)].map(([endpoint, own]) => ({
    endpoint,
    count: sum(own),
    errors: sum(own.filter(({ code }) => code !== null)),
  }));
  return uses.toSorted((a, b) => b.count - a.count || a.endpoint.localeCompare(b.endpoint));
}

export interface ErrorCount {
  readonly code: string;
  readonly count: number;
  /** The endpoints that answered it, the most first. */
  readonly endpoints: readonly string[];
}

/** Sums up the errors by code, the most first. */
export function countErrors(counts: readonly RequestCount[]): ErrorCount[] {
  const byCode = Map.groupBy(counts, ({ code }) => code);
  const errors = [...byCode].flatMap(([code, own]) => {
    if (code === null) return [];
    return [{ code, count: sum(own), endpoints: usageByEndpoint(own).map((use) => use.endpoint) }];
  });
  return errors.toSorted((a, b) => b.count - a.count || a.code.localeCompare(b.code));
}

function sum(counts: readonly RequestCount[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}
