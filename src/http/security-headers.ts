/**
 * The security headers of answers (docs/adr/0020). They are constants, so the hot path only copies
 * them. HSTS is missing on purpose: it is up to the proxy that terminates TLS.
 */

/**
 * For every answer that is not a page. A browser that opens one as a document may not run or load
 * anything. Answers that may be cached set their own header.
 */
export const DATA_HEADERS = Object.freeze({
  'content-security-policy': "default-src 'none';base-uri 'none';frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
});

/**
 * For the pages of the dashboard: they load only from this server, and no other site frames them.
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

/** For the reference, which has a style sheet and no scripts. */
export const REFERENCE_HEADERS = pageHeaders(
  "default-src 'none'",
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
