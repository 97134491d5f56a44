import { type Remaining, secondsToReset } from '../accounts/quota/quota-charger.ts';
import { endOfDay, type Millis } from '../domain/day.ts';

/**
 * The headers of answers. The security headers (docs/adr/0020) are constants, so a request only
 * copies them. HSTS is deliberately absent: the proxy that terminates TLS should set it.
 */

/**
 * For every answer that is not a page. A browser that opens one as a document may not run or load
 * anything. Cacheable answers set their own header.
 */
export const DATA_HEADERS = Object.freeze({
  'content-security-policy': "default-src 'none';base-uri 'none';frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
});

/**
 * For the pages of the dashboard: they load only from this server, and other sites cannot frame
 * them.
 */
export const PAGE_HEADERS = pageHeaders(
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
);

/** For the reference: its script calls this service, and its forms are never submitted. */
export const REFERENCE_HEADERS = pageHeaders(
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
);

function pageHeaders(...policy: readonly string[]) {
  return Object.freeze({
    ...DATA_HEADERS,
    'content-security-policy': policy.join(';'),
    'cross-origin-opener-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'x-frame-options': 'DENY',
  });
}

/** The headers that all answers of `/v1` have in common. */
export const API_HEADERS = Object.freeze({
  'cache-control': 'private, no-cache',
  vary: 'X-API-Key, Authorization, Accept-Encoding',
});

/** The `RateLimit-Policy` field of a daily quota (draft-ietf-httpapi-ratelimit-headers). */
export function quotaPolicy(limit: number): string {
  return `"day";q=${limit};w=86400`;
}

/** The `RateLimit` field: the remaining daily quota, and the seconds until it resets. */
export function quotaLeft({ remaining, day }: Remaining, now: Millis): string {
  return `"day";r=${remaining};t=${secondsToReset(day, now)}`;
}

/** The headers of every answer of `/v1`. Without a caller, they state 0 of 0 requests. */
export function commonHeaders(
  requestId: string,
  limit: number,
  { remaining, day }: Remaining,
  now: Millis,
) {
  return {
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': endOfDay(day) / 1000,
    'ratelimit-policy': quotaPolicy(limit),
    ratelimit: quotaLeft({ remaining, day }, now),
    'x-request-id': requestId,
    ...API_HEADERS,
  };
}
