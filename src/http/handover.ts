import type { IncomingMessage } from 'node:http';
import type { Caller } from '../accounts/keys/authenticator.ts';

/** How far the hot path came with a request that Fastify answers. */
export interface Handover {
  /** The owner of its API key, if identified. */
  readonly caller: Caller | undefined;
  /** Why it is refused or failed; undefined if Fastify has to decide that. */
  readonly error: unknown;
}

/**
 * The requests that the hot path began and Fastify finishes. They are counted against the limit of
 * their network already.
 */
export const handovers = new WeakMap<IncomingMessage, Handover>();
