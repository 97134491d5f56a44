import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CHALLENGE_MS } from '../accounts/second-factors/challenges.ts';

/** The cookie of a sign-in that waits for a second factor; it holds its token and nothing else. */
const NAME = 'cardprice_pending';

/** Its name: with TLS one that no other host can set. */
function nameFor({ hasSecureCookies }: FastifyRequest): string {
  return hasSecureCookies ? `__Host-${NAME}` : NAME;
}

/** The token of the pending sign-in that a request sent; `''` for none. */
export function sentPendingToken(request: FastifyRequest): string {
  return request.cookies[nameFor(request)] ?? '';
}

/** Sets the cookie of a pending sign-in, in place of any other. */
export function setPendingToken(reply: FastifyReply, token: string): void {
  reply.setCookie(nameFor(reply.request), token, {
    ...attributes(reply.request),
    maxAge: CHALLENGE_MS / 1000,
  });
}

/** Deletes the cookie of a pending sign-in, if the browser has one. */
export function clearPendingToken(reply: FastifyReply): void {
  const { request } = reply;
  if (sentPendingToken(request) !== '') reply.clearCookie(nameFor(request), attributes(request));
}

/** Scripts cannot read the cookie, and no page of another site sends it. */
function attributes({ hasSecureCookies: secure }: FastifyRequest): CookieSerializeOptions {
  return { httpOnly: true, sameSite: 'strict', path: '/', secure };
}
