import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CHALLENGE_MS } from '../accounts/second-factors/challenges.ts';

/** The cookie of a sign-in that waits for a second factor; it holds its token and nothing else. */
const NAME = 'cardprice_pending';

/** The token of the pending sign-in that a request sent; `''` for none. */
export function sentPendingToken(request: FastifyRequest): string {
  return request.cookies[NAME] ?? '';
}

/** Sets the cookie of a pending sign-in, in place of any other. */
export function setPendingToken(reply: FastifyReply, token: string): void {
  reply.setCookie(NAME, token, { ...attributes(reply.request), maxAge: CHALLENGE_MS / 1000 });
}

/** Deletes the cookie of a pending sign-in, if the browser has one. */
export function clearPendingToken(reply: FastifyReply): void {
  if (sentPendingToken(reply.request) !== '') reply.clearCookie(NAME, attributes(reply.request));
}

/** Scripts cannot read the cookie, and no page of another site sends it. */
function attributes({ protocol }: FastifyRequest): CookieSerializeOptions {
  return { httpOnly: true, sameSite: 'strict', path: '/', secure: protocol === 'https' };
}
