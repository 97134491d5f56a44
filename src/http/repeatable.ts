import type { FastifyRequest } from 'fastify';
import type { RepeatableRequest } from '../accounts/replays.ts';
import { invalidParameter } from './errors.ts';

/** The name of the header in answers that repeat an earlier one. */
export const REPLAYED = 'idempotency-replayed';

const KEY = /^[!-~]{16,128}$/;

/**
 * Returns the identity of a request with an `Idempotency-Key`; undefined for a request without one.
 */
export function repeatable(
  request: FastifyRequest,
  accountId: number,
): RepeatableRequest | undefined {
  const key = keyOf(request);
  if (key === undefined) return undefined;
  const { caller, method, url, body = null } = request;
  const sender = caller ? `key ${caller.keyId}` : `account ${accountId}`;
  return { sender, accountId, key, content: JSON.stringify([method, url, body]) };
}

/** @throws ApiError INVALID_PARAMETER if the header is not one long word. */
function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || (typeof key === 'string' && KEY.test(key))) return key;
  throw invalidParameter(
    'Idempotency-Key',
    'it must have 16 to 128 visible characters, such as a random UUID.',
  );
}
