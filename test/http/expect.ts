import assert from 'node:assert/strict';
import type { LightMyRequestResponse } from 'fastify';
import {
  type ApiErrorCode,
  type DashboardErrorCode,
  ERRORS,
  type ParameterProblem,
} from '../../src/domain/errors.ts';

export interface ErrorContent {
  readonly code: string;
  readonly message: string;
  readonly status: number;
  readonly details?: readonly ParameterProblem[];
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** The clock stands at noon of 2026-01-29. */
const NEXT_MIDNIGHT = String(Date.UTC(2026, 0, 30) / 1000);

/** The request headers on which answers of `/v1` depend. */
export const VARY = 'X-API-Key, Authorization, Accept-Encoding';

/** The headers that every answer of `/v1` has, but for the two that tell of the account. */
export function assertCommonHeaders({ headers }: LightMyRequestResponse): void {
  assert.equal(headers['x-ratelimit-reset'], NEXT_MIDNIGHT);
  assert.match(String(headers['x-request-id']), UUID);
  assert.equal(headers['cache-control'], 'private, no-cache');
  assert.equal(headers.vary, VARY);
  // The same numbers as structured fields: the clock stands 12 hours before the reset.
  const { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining } = headers;
  assert.equal(headers['ratelimit-policy'], `"day";q=${limit};w=86400`);
  assert.equal(headers.ratelimit, `"day";r=${remaining};t=43200`);
}

/** The answer has the status, and its body is returned. */
export function bodyOf<Body>(answer: LightMyRequestResponse, status = 200): Body {
  assert.equal(answer.statusCode, status, answer.body);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  return answer.json<Body>();
}

/** The answer is this error of the catalogue, in exactly the documented shape. */
export function errorOf(
  answer: LightMyRequestResponse,
  code: ApiErrorCode | DashboardErrorCode,
): ErrorContent {
  const { status } = ERRORS[code];
  const body = bodyOf<{ error: ErrorContent }>(answer, status);
  assert.deepEqual(Object.keys(body), ['error']);
  const fields = ['code', 'message', 'status', ...(status === 400 ? ['details'] : [])];
  assert.deepEqual(Object.keys(body.error), fields);
  assert.equal(body.error.code, code);
  assert.equal(body.error.status, status);
  for (const detail of body.error.details ?? []) {
    assert.deepEqual(Object.keys(detail), ['parameter', 'message']);
    assert.ok(body.error.message.includes(detail.message), body.error.message);
  }
  return body.error;
}

/** The answer is a 401 of the second form; returns its message. */
export function unauthorizedOf(answer: LightMyRequestResponse): string {
  const { error } = bodyOf<{ error: ErrorContent }>(answer, 401);
  assert.deepEqual(Object.keys(error), ['code', 'message']);
  assert.equal(error.code, 'unauthorized');
  return error.message;
}

/** The answer refuses this one parameter; returns what it says about it. */
export function problemOf(answer: LightMyRequestResponse, parameter: string): string {
  const { details = [] } = errorOf(answer, 'INVALID_PARAMETER');
  assert.deepEqual(
    details.map((detail) => detail.parameter),
    [parameter],
  );
  return details[0]?.message ?? '';
}

/** What the answer says is left of today's quota. */
export function remainingOf(answer: LightMyRequestResponse): number {
  return Number(answer.headers['x-ratelimit-remaining']);
}

/** The price changes of a printing that has no earlier days. */
export const NO_CHANGES = { '1d': null, '7d': null, '30d': null };
