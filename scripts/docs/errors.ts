import {
  API_ERRORS,
  type ApiErrorCode,
  DASHBOARD_ERRORS,
  type DashboardErrorCode,
  ERRORS,
} from '../../src/domain/errors.ts';
import { table } from './table.ts';

type Code = ApiErrorCode | DashboardErrorCode;

/** Advice beyond the caller's own options, or with a link. */
const MORE: Readonly<Partial<Record<Code, string>>> = {
  RATE_LIMIT_EXCEEDED:
    'A [resolver](resolver.md) request that costs more than the rest of the quota is refused as a ' +
    'whole and not charged: send fewer items. With a short `Retry-After`, requests arrive too fast ' +
    'from one key, address or account (`CARDPRICE_KEY_BURST`, `CARDPRICE_ADDRESS_BURST`, ' +
    '`CARDPRICE_BURST`). Dashboard pages have a daily limit of priced cards: the requests of the ' +
    'plan, at least 3,000. Use an API key for more.',
  INVALID_BODY:
    '`POST /v1/cards/batch` takes `{"ids":["…"]}`, ' +
    '[`POST /v1/resolve`](resolver.md) takes `{"items":["…"]}`.',
  MISDIRECTED_REQUEST:
    'The operator lists host names in `CARDPRICE_URL` and `CARDPRICE_HOSTS`; addresses and ' +
    '`localhost` always work. A proxy in front has to pass the Host header on.',
  SERVICE_UNAVAILABLE: 'A new service also answers this until its first import.',
  FORBIDDEN: 'To read `/metrics`, send the token of `CARDPRICE_METRICS_TOKEN`.',
  TOO_MANY_ATTEMPTS:
    'Failed sign-ins count per account and per network address. Pages may make 600 calls a minute ' +
    'per account.',
};

/** Returns docs/errors.md: every possible error of a request. */
export function errorsPage(): string {
  return `# Errors

Errors below \`/v1\` all have the same shape and carry an \`X-Request-Id\` header:

\`\`\`json
{ "error": { "code": "CARD_NOT_FOUND", "message": "No card has …", "status": 404 } }
\`\`\`

Decide by \`code\`. Codes are stable; messages are for people and may change. Every 400 adds
\`details\`, an array of \`{"parameter","message"}\`. With
[\`CARDPRICE_AUTH_ERRORS=unauthorized\`](settings.md), a 401 is
\`{"error":{"code":"unauthorized","message":"…"}}\` without a \`status\`.

Requests are checked in this order: key (401), plan (403), quota (429), parameters (400), lookup
(404). A request that passes the first three is charged, unless it ends in a 304 or a status of 500 or
above. It costs one request; a 200 from [\`POST /v1/resolve\`](resolver.md) costs one request per 20
items or part of 20.

This page is generated from \`src/domain/errors.ts\` by \`npm run docs\`. The examples in
\`/openapi.json\` show each error in full.

${errorTable(Object.keys(API_ERRORS) as ApiErrorCode[])}

## Errors of the dashboard

The pages call paths below \`/dashboard\`, which add the errors below. They are not part of the public
interface: pages and service change together. Their 401s always have the second form.

${errorTable(Object.keys(DASHBOARD_ERRORS) as DashboardErrorCode[])}
`;
}

function errorTable(codes: readonly Code[]): string {
  return table(['code', 'status', 'when', 'what to do'], codes.map(row));
}

function row(code: Code): string[] {
  const { status, meaning, advice } = ERRORS[code];
  return [`\`${code}\``, String(status), meaning, `${advice} ${MORE[code] ?? ''}`.trim()];
}
