import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fastify from 'fastify';
import { ApiError, ERRORS } from '../../src/domain/errors.ts';
import { errorHandler } from '../../src/http/errors.ts';

/** The codes of each status. Callers rely on both, so neither changes. */
const CODES: Readonly<Record<number, string>> = {
  400: 'BATCH_LIMIT_EXCEEDED INVALID_BODY INVALID_PARAMETER MALFORMED_REQUEST REFUSED WEBHOOK_REFUSED',
  401: 'INVALID_API_KEY MISSING_API_KEY UNAUTHORIZED',
  403:
    'FORBIDDEN KEY_RESTRICTION PLAN_RESTRICTION REAUTHENTICATION_REQUIRED ' +
    'SECOND_FACTOR_REQUIRED SESSION_REQUIRED',
  404: 'ALERT_NOT_FOUND CARD_NOT_FOUND NOT_FOUND PRODUCT_NOT_FOUND SET_NOT_FOUND WEBHOOK_NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  408: 'REQUEST_TIMEOUT',
  409: 'CONFLICT REQUEST_RUNNING',
  410: 'CURSOR_EXPIRED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  421: 'MISDIRECTED_REQUEST',
  422: 'IDEMPOTENCY_KEY_REUSED',
  429: 'RATE_LIMIT_EXCEEDED TOO_MANY_ATTEMPTS',
  431: 'HEADERS_TOO_LARGE',
  500: 'INTERNAL_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

describe('An error', () => {
  it('has the status of its code', () => {
    const byStatus = Map.groupBy(Object.entries(ERRORS), ([, { status }]) => status);
    const codes = [...byStatus].map(([status, all]) => {
      return [
        status,
        all
          .map(([code]) => code)
          .sort((a, b) => (a < b ? -1 : 1))
          .join(' '),
      ];
    });
    assert.deepEqual(Object.fromEntries(codes), CODES);
  });

  it('has no ETag, although the handler set one before it failed', async () => {
    const app = fastify();
    app.setErrorHandler(errorHandler('standard'));
    app.get('/', (_request, reply) => {
      reply.header('etag', '"a version"');
      throw new ApiError('SERVICE_UNAVAILABLE', undefined, { retryAfter: 5 });
    });
    const { statusCode, headers } = await app.inject('/');
    assert.deepEqual([statusCode, headers['retry-after'], headers.etag], [503, '5', undefined]);
  });
});
