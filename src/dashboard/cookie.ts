import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_MS } from '../accounts/sign-in/sessions.ts';
import { HostCookie } from './host-cookie.ts';

/** The session cookie; it holds the token of the session and nothing else. */
const COOKIE = new HostCookie('cardprice_session', 'lax');

/**
 * The session token that a request sent; `''` for none. The plain name is read with TLS, too, for
 * sessions that began before the service had TLS or this name.
 */
export function sentToken(request: FastifyRequest): string {
  return COOKIE.sent(request) || (COOKIE.sentPlain(request) ?? '');
}

/** Sets the session cookie, in place of any other. */
export function setToken(reply: FastifyReply, token: string): void {
  COOKIE.set(reply, token, SESSION_MS);
  if (hasPlainCookie(reply.request)) COOKIE.clearPlain(reply);
}

/** Deletes the session cookie. */
export function clearToken(reply: FastifyReply): void {
  COOKIE.clear(reply);
  if (hasPlainCookie(reply.request)) COOKIE.clearPlain(reply);
}

/** Moves a session from the plain name to that for TLS, so that the plain one is not sent again. */
export function renameToken(reply: FastifyReply): void {
  if (hasPlainCookie(reply.request)) setToken(reply, sentToken(reply.request));
}

/** Whether a request with TLS sent a cookie of the plain name. */
function hasPlainCookie(request: FastifyRequest): boolean {
  return request.hasSecureCookies && COOKIE.sentPlain(request) !== undefined;
}
