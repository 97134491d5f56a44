/**
 * The security headers of answers (docs/adr/0020). They are constants, so that the hot path only
 * copies them. HSTS is not among them: the proxy that ends TLS decides about it.
 */

/**
 * Of every answer, unless it is a page: a browser that is shown it as a document may do nothing.
 * What may be cached says so itself.
 */
export const DATA_HEADERS = Object.freeze({
  'content-security-policy': "default-src 'none';base-uri 'none';frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
});

/** Of the pages of the dashboard: they load only from this server, and no other site frames them. */
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

/** Of the reference, which has a style and no script. */
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
