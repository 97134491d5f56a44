import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import type { Caller } from '../accounts/keys/authenticator.ts';
import { ApiError } from '../domain/errors.ts';
import type { KeyScope } from '../domain/key-scopes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that an API key with a list of scopes must have. */
    scope?: KeyScope;
  }
}

/**
 * Returns the error if the API key of a request may not be used from this address, in the query or
 * for this endpoint. The check is free for keys without restrictions.
 */
export function keyRestriction(
  { access }: Caller,
  request: FastifyRequest,
  { scope }: FastifyContextConfig,
): ApiError | undefined {
  if (access === null) return undefined;
  // A closed connection has no address.
  const address: string | undefined = request.ip;
  if (!access.allows(address ?? '')) return restricted('This key does not work from here.');
  if (!access.inQuery && !request.headers['x-api-key']) {
    return restricted('This key works in the X-API-Key header only, not in the query.');
  }
  if (!scope || !access.scopes || access.scopes.includes(scope)) return undefined;
  return restricted(`This request needs the scope "${scope}", which the key does not have.`);
}

function restricted(message: string): ApiError {
  return new ApiError('KEY_RESTRICTION', message);
}

/** Whether `cost` more requests would exceed the key's limit, as counted when it was identified. */
export function exceedsKeyLimit({ access, keyUsedToday }: Caller, cost: number): boolean {
  const limit = access?.dailyRequests ?? null;
  return limit !== null && keyUsedToday + cost > limit;
}
