import type { IncomingMessage } from 'node:http';
import type { Caller } from '../accounts/keys/authenticator.ts';

/** The progress of the hot path with a request that Fastify finishes. */
export interface Handover {
  /** The owner of its API key, if identified. */
  readonly caller: Caller | undefined;
  /** Why it is refused or failed; undefined if Fastify still has to decide. */
  readonly error: unknown;
}

/**
 * Requests that the hot path started and Fastify finishes. They already count against the limit of
 * their network.
 */
export const handovers = new WeakMap<IncomingMessage, Handover>();
