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

/** What this page says of some errors beside the advice to the caller. */
const MORE: Readonly<Partial<Record<Code, string>>> = {
  RATE_LIMIT_EXCEEDED:
    'A [resolver](resolver.md) request that costs more requests than are left is refused as a whole ' +
    'and not charged: send fewer items. The same error, with a short `Retry-After`, answers requests ' +
    'that come too fast from an API key, a network address or an account: those limits are the ' +
    'settings `CARDPRICE_KEY_BURST`, `CARDPRICE_ADDRESS_BURST` and `CARDPRICE_BURST` ' +
    '([settings](settings.md)). The pages of the dashboard answer it to an account that has seen as ' +
    'many priced cards in a day as its plan has requests, and at least 3,000: use an API key for more.',
  INVALID_BODY:
    '[`POST /v1/cards/batch`](../README.md#ask) takes `{"ids":["…"]}`, ' +
    '[`POST /v1/resolve`](resolver.md) takes `{"items":["…"]}`.',
  MISDIRECTED_REQUEST:
    'The operator names the hosts with `CARDPRICE_URL` and `CARDPRICE_HOSTS` ' +
    '([settings](settings.md)); addresses and `localhost` always work. A proxy in front has to pass ' +
    'the Host on, or send a name that is named there.',
  SERVICE_UNAVAILABLE: 'A service that was just set up answers it until a catalogue is imported.',
  FORBIDDEN: 'Read the metrics with the token of [`CARDPRICE_METRICS_TOKEN`](settings.md).',
  TOO_MANY_ATTEMPTS:
    'Failed attempts to sign in count by account and by network address; an account may make 600 ' +
    'calls a minute from its pages.',
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
  const { status, meaning, advice } = ERRORS[code];
  return `## \`${code}\`

**${status} ${STATUS_CODES[status]}.** ${meaning}

${[advice, MORE[code] ?? ''].join(' ').trim()}

\`\`\`json
${JSON.stringify(errorExample(code, form), null, 2)}
\`\`\`
`;
}
