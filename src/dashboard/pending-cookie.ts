import type { FastifyReply, FastifyRequest } from 'fastify';
import { CHALLENGE_MS } from '../accounts/sign-in/challenges.ts';
import { HostCookie } from './host-cookie.ts';

/** The cookie of a sign-in that waits for a second factor; it holds its token and nothing else. */
const COOKIE = new HostCookie('cardprice_pending', 'strict');

/** The token of the pending sign-in that a request sent; `''` for none. */
export function sentPendingToken(request: FastifyRequest): string {
  return COOKIE.sent(request);
}

/** Sets the cookie of a pending sign-in, in place of any other. */
export function setPendingToken(reply: FastifyReply, token: string): void {
  COOKIE.set(reply, token, CHALLENGE_MS);
}

/** Deletes the cookie of a pending sign-in, if the browser has one. */
export function clearPendingToken(reply: FastifyReply): void {
  if (sentPendingToken(reply.request) !== '') COOKIE.clear(reply);
}
