import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import {
  API_ERRORS,
  type ApiErrorCode,
  type DashboardErrorCode,
  ERRORS,
} from '../domain/errors.ts';
import { GAMES } from '../domain/games.ts';
import { errorExample } from './errors.ts';
import { AT_LEAST_HEADER, PUBLICATION_HEADER } from './publication.ts';
import { ErrorBody, OperatorErrorBody } from './schemas.ts';

/** Errors that every endpoint of `/v1` can answer. */
const COMMON_ERRORS: readonly ApiErrorCode[] = [
  'MISSING_API_KEY',
  'INVALID_API_KEY',
  'KEY_RESTRICTION',
  'RATE_LIMIT_EXCEEDED',
  'INVALID_PARAMETER',
  'METHOD_NOT_ALLOWED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];

/** The quota, which every response has. The document lists its headers only for 429. */
const QUOTA_HEADERS = {
  'X-RateLimit-Limit': integerHeader('Requests per day that the plan includes; 0 without a key.'),
  'X-RateLimit-Remaining': integerHeader('Requests left today; 0 without a key.'),
  'X-RateLimit-Reset': integerHeader('When the quota resets, in Unix seconds.'),
  RateLimit: textHeader('The same as a structured field: `"day";r=123;t=3600`.'),
  'RateLimit-Policy': textHeader('The daily quota: `"day";q=200;w=86400`.'),
};
/** Headers of every successful response. The document lists them only for 304. */
const TAGGED = {
  ETag: textHeader('For `If-None-Match`.'),
  [PUBLICATION_HEADER]: integerHeader(
    `The number of the served publication, if \`${AT_LEAST_HEADER}\` was sent.`,
  ),
};

/** The request headers that every endpoint accepts. */
export const REQUEST_HEADERS = {
  type: 'object',
  properties: {
    [AT_LEAST_HEADER]: {
      type: 'integer',
      minimum: 0,
      description:
        'The number of the newest publication that you have seen; 0 for any. A node that does ' +
        `not serve it yet answers 503, which is not charged. Answers have \`${PUBLICATION_HEADER}\`.`,
    },
  },
};
const LINK = textHeader('The paths of the first, previous, next and last page (RFC 8288).');
const RETRY_AFTER = integerHeader('At 429 and 503: seconds to wait before a retry.');
const OTHER_HEADERS: Readonly<Record<string, object>> = {
  405: { Allow: textHeader('At 405: the methods that the path allows.') },
  429: { ...QUOTA_HEADERS, 'Retry-After': RETRY_AFTER },
  500: { 'X-Request-Id': textHeader('Id of the request in the log of the service.') },
  503: { 'Retry-After': RETRY_AFTER },
};

function textHeader(description: string) {
  return { type: 'string', description };
}

function integerHeader(description: string) {
  return { type: 'integer', description };
}

/** The properties of an endpoint's successful responses. */
interface GoodResponses {
  /** Whether the caller may already have the current version. */
  readonly isConditional: boolean;
  /** Whether they are pages of a list, with links to other pages. */
  readonly isPaged: boolean;
}

/**
 * The successful responses of an endpoint: a 200 with the body that `schema` describes, and a 304.
 */
export function goodResponses(
  schema: object,
  { isConditional, isPaged }: GoodResponses,
): Record<string, object> {
  const ok = { ...schema, description: 'OK.', ...(isPaged && { headers: { Link: LINK } }) };
  if (!isConditional) return { 200: ok };
  const notModified = {
    type: 'null',
    description: 'Not modified: the caller has the current version. Costs no quota.',
    headers: TAGGED,
  };
  return { 200: ok, 304: notModified };
}

/**
 * The error responses of an endpoint, by status, each with an example of every code. They list only
 * headers that other responses lack, because the document describes common headers once.
 */
export function errorResponses(codes: readonly ApiErrorCode[]): Record<string, object> {
  const byStatus = Map.groupBy([...codes, ...COMMON_ERRORS], (code) => API_ERRORS[code].status);
  const responses = [...byStatus].map(([status, same]) => [
    status,
    {
      description: same.map((code) => API_ERRORS[code].meaning).join(' '),
      ...(status in OTHER_HEADERS && { headers: OTHER_HEADERS[status] }),
      content: {
        'application/json': {
          schema: { $ref: 'ErrorAnswer#' },
          examples: Object.fromEntries(same.map((code) => [code, { value: errorExample(code) }])),
        },
      },
    },
  ]);
  return Object.fromEntries(responses);
}

/** Errors that every call of operators can answer. */
const OPERATOR_ERRORS: readonly (ApiErrorCode | DashboardErrorCode)[] = [
  ...(['REFUSED', 'INVALID_PARAMETER', 'INVALID_BODY', 'UNAUTHORIZED', 'KEY_RESTRICTION'] as const),
  ...(['FORBIDDEN', 'CONFLICT', 'TOO_MANY_ATTEMPTS', 'INTERNAL_ERROR'] as const),
];

/** Further errors of calls that create something. */
const CREATION_ERRORS = ['REQUEST_RUNNING', 'IDEMPOTENCY_KEY_REUSED'] as const;

const IDEMPOTENCY_KEY = {
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      pattern: '^[!-~]{16,128}$',
      description:
        'A random text, such as a UUID: a new one for each request. Repeat a request that got no ' +
        'answer, or a 5xx, with the same key and body: for 24 hours the answer is the first one, ' +
        'and nothing is created twice.',
      examples: ['8e03978e-40d5-43e8-bc93-6894a57f9324'],
    },
  },
};

/** The request headers of endpoints that create something. */
export const CREATION_HEADERS = {
  type: 'object',
  properties: {
    ...REQUEST_HEADERS.properties,
    'Idempotency-Key': {
      type: 'string',
      description: 'A random text. A request that is repeated with it creates nothing twice.',
    },
  },
};

const REPLAYED = {
  'Idempotency-Replayed': {
    type: 'string',
    enum: ['true'],
    description: 'Sent if this is the answer to an earlier request with the `Idempotency-Key`.',
  },
};

/** The documentation of a call of operators. */
interface DocumentedCall {
  readonly schema: { readonly response?: Readonly<Record<number, object>> };
  readonly status?: number;
  readonly creates?: true;
}

/** Documents a call of operators, with its answers. */
export function operatorCall({ schema, status = 200, creates }: DocumentedCall) {
  const codes = creates ? [...OPERATOR_ERRORS, ...CREATION_ERRORS] : OPERATOR_ERRORS;
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  const errors = [...byStatus].map(([code, same]) => [code, operatorError(same)]);
  const body = schema.response?.[status] ?? { type: 'string' };
  return {
    ...(creates && { headers: IDEMPOTENCY_KEY }),
    response: {
      [status]: { ...body, description: 'Success.', ...(creates && { headers: REPLAYED }) },
      ...(Object.fromEntries(errors) as Record<string, object>),
    },
  };
}

function operatorError(codes: readonly (ApiErrorCode | DashboardErrorCode)[]): object {
  const examples = codes.map((code) => [code, { value: errorExample(code, 'unauthorized') }]);
  return {
    description: codes.map((code) => ERRORS[code].meaning).join(' '),
    content: {
      'application/json': {
        schema: { $ref: 'OperatorErrorAnswer#' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** The introduction of the document for callers. */
const DESCRIPTION = `
Prices of trading cards of ${GAMES.length} games, with conditions, grades and daily history.

Every request carries an API key in the header \`X-API-Key\` or as \`Authorization: Bearer KEY\`. Prices
are US dollars with at most two decimals; an unknown price is \`null\`. Days are UTC. Every response has
the headers of the quota that a 429 lists, and an \`X-Request-Id\`. A 200 has an \`ETag\`; a GET with a matching \`If-None-Match\` gets a 304 and
costs no quota. \`${AT_LEAST_HEADER}\` with the number of a publication makes sure that an answer is
not older than what you have seen; a node that does not serve it yet answers 503. \`strict=true\` in the
query makes parameters that an endpoint does not have an error instead of \`warnings\`. Answers are compressed as \`Accept-Encoding\` allows. Pages of a list have
a \`Link\` header that leads to the others.

Examples are from the starter catalogue, with one item of each list; \`/docs\` has longer ones.
`.trim();

/** The introduction of the document for operators. */
export const OPERATOR_DESCRIPTION = `
The operations of the command line and the operator pages, for programs. They are not part of \`/v1\` and
cost no quota. They need an API key of an operator, with an operator scope, in the header \`X-API-Key\`.
`.trim();

/** Registers the plugin that makes an OpenAPI 3.1 document of all routes that are added later. */
export async function registerOpenApi(app: FastifyInstance, version: string): Promise<void> {
  app.addSchema(ErrorBody);
  app.addSchema(OperatorErrorBody);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Cardprice API', version, description: DESCRIPTION },
      components: {
        securitySchemes: {
          header: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        },
      },
      security: [{ header: [] }],
    },
    refResolver: {
      buildLocalReference: ({ $id }, _base, _fragment, index) => String($id ?? `schema-${index}`),
    },
  });
}
