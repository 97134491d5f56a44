import { STATUS_CODES } from 'node:http';
import {
  API_ERRORS,
  type ApiErrorCode,
  DASHBOARD_ERRORS,
  type DashboardErrorCode,
  ERRORS,
} from '../../src/domain/errors.ts';
import { type AuthErrorForm, errorExample } from '../../src/http/errors.ts';

type Code = ApiErrorCode | DashboardErrorCode;

/** What the caller should do about each error. */
const ADVICE: Readonly<Record<Code, string>> = {
  MISSING_API_KEY: 'Send the key in the `X-API-Key` header of every request.',
  INVALID_API_KEY:
    'Check that the key was copied whole. If it was, it has expired, been revoked or been ' +
    'replaced, or its account is disabled: ask for a new one. Retrying does not help.',
  PLAN_RESTRICTION:
    'Do without this operation, or move the account to the plan that the message names. It was ' +
    'not charged.',
  KEY_RESTRICTION:
    'Use a key with that scope, ask from an address that the owner of the key allows, or send the ' +
    'key in the header `X-API-Key`. The owner changes what the key may do on the page *Keys*. It was ' +
    'not charged.',
  RATE_LIMIT_EXCEEDED:
    'Wait as many seconds as `Retry-After` says. `X-RateLimit-Remaining` tells of it in advance. ' +
    'Send the `ETag` of an earlier answer in `If-None-Match`: an answer that is still the same ' +
    '(304) costs nothing. A [resolver](resolver.md) request that costs more requests than are left ' +
    'is refused as a whole and not charged: send fewer items. The same error, with a short ' +
    '`Retry-After`, answers requests that come too fast from an API key, a network address or an ' +
    'account: those limits are the settings `CARDPRICE_KEY_BURST`, `CARDPRICE_ADDRESS_BURST` and ' +
    '`CARDPRICE_BURST` ([settings](settings.md)). The pages of the dashboard answer it to an account ' +
    'that has seen as many priced cards in a day as its plan has requests, and at least 3,000: use ' +
    'an API key for more.',
  INVALID_PARAMETER:
    'Mend the parameters that `details` names. The same request would fail again, and is charged.',
  INVALID_BODY:
    'Send what the endpoint takes: `{"ids":["…"]}` to [`POST /v1/cards/batch`](../README.md#ask), ' +
    '`{"items":["…"]}` to [`POST /v1/resolve`](resolver.md).',
  BATCH_LIMIT_EXCEEDED: 'Split them over several requests.',
  CARD_NOT_FOUND:
    'Take ids from search results as they are; they never change. In a batch, an unknown id is no ' +
    'error: its card is left out.',
  SET_NOT_FOUND: 'Take the `setId` from cards or from `GET /v1/sets`; a code is no setId.',
  NOT_FOUND: 'Compare the path with `/docs`, which lists every endpoint.',
  METHOD_NOT_ALLOWED: 'Use a method that the `Allow` header names.',
  PAYLOAD_TOO_LARGE: 'Send a smaller body: that of a full batch is far below the limit.',
  HEADERS_TOO_LARGE: 'Send shorter headers and a shorter path, cookies above all.',
  REQUEST_TIMEOUT:
    'Send the request again, on a faster connection or with a smaller body. The connection is closed.',
  MISDIRECTED_REQUEST:
    'Call the service by the address that its operator gave you. The operator names the hosts with ' +
    '`CARDPRICE_URL` and `CARDPRICE_HOSTS` ([settings](settings.md)); addresses and `localhost` ' +
    'always work. A proxy in front has to pass the Host on, or send a name that is named there.',
  MALFORMED_REQUEST: 'Speak HTTP/1.1 to this port. TLS ends at the proxy in front of the service.',
  UNSUPPORTED_MEDIA_TYPE: 'Send the body as JSON, and say so in `Content-Type`.',
  INTERNAL_ERROR:
    'Retry with growing pauses; it was not charged. If it persists, give the operator the ' +
    '`X-Request-Id` of the answer: the log has the cause under it.',
  SERVICE_UNAVAILABLE:
    'Retry after as many seconds as `Retry-After` says. It was not charged. A service that was ' +
    'just set up answers it until a catalogue is imported.',
  UNAUTHORIZED: 'Sign in. A session ends after 30 days, and with a change of the password.',
  FORBIDDEN:
    'Call from a page of the service itself. An account becomes an operator on the command line ' +
    'only: see [commands](commands.md). Read the metrics with the token of ' +
    '[`CARDPRICE_METRICS_TOKEN`](settings.md).',
  REAUTHENTICATION_REQUIRED:
    'The pages ask for the password or a passkey, and repeat the call. It was not done.',
  SECOND_FACTOR_REQUIRED: 'Add an authenticator app or a passkey on the page *Account*.',
  REFUSED: 'Read the message; it is meant for the reader of the page.',
  CONFLICT: 'Ask again for what there is now, and decide anew.',
  TOO_MANY_ATTEMPTS:
    'Wait as many seconds as `Retry-After` says. Failed attempts to sign in count by account and ' +
    'by network address; an account may make 600 calls a minute from its pages.',
};

/** The page of every error that a request can be answered with. */
export function errorsPage(): string {
  const codes = Object.keys(API_ERRORS) as ApiErrorCode[];
  const dashboardCodes = Object.keys(DASHBOARD_ERRORS) as DashboardErrorCode[];
  return `# Errors

Every error of every path below \`/v1\` has the same shape, and carries the \`X-Request-Id\` header:

\`\`\`json
{ "error": { "code": "CARD_NOT_FOUND", "message": "No card has …", "status": 404 } }
\`\`\`

Decide by \`code\`: codes are a part of the interface, messages are for people and may change. Every
400 adds \`details\`, an array of \`{"parameter","message"}\`. If the operator has set
\`CARDPRICE_AUTH_ERRORS=unauthorized\` ([settings](settings.md)), a 401 is
\`{"error":{"code":"unauthorized","message":"…"}}\` instead, without a \`status\`.

Requests are checked in this order: key (401), plan (403), quota (429), parameters (400), lookup
(404). What passes the first three is charged, unless it ends in a 304 or in a status of 500 and
above. It is charged as one request; only a 200 of [\`POST /v1/resolve\`](resolver.md) is charged as one
for each begun 20 items.

| code | status | when |
|---|---|---|
${codes.map(errorRow).join('\n')}

${codes.map((code) => errorSection(code)).join('\n')}
# Errors of the dashboard

The calls of the dashboard's own pages, below \`/dashboard\`, answer these besides. They are no part
of the interface: pages and service change together. Their 401s always have the second form.

| code | status | when |
|---|---|---|
${dashboardCodes.map(errorRow).join('\n')}

${dashboardCodes.map((code) => errorSection(code, 'unauthorized')).join('\n')}`;
}

function errorRow(code: Code): string {
  const { status, meaning } = ERRORS[code];
  return `| [\`${code}\`](#${code.toLowerCase()}) | ${status} | ${meaning} |`;
}

function errorSection(code: Code, form: AuthErrorForm = 'standard'): string {
  const { status, meaning } = ERRORS[code];
  return `## \`${code}\`

**${status} ${STATUS_CODES[status]}.** ${meaning}

${ADVICE[code]}

\`\`\`json
${JSON.stringify(errorExample(code, form), null, 2)}
\`\`\`
`;
}
