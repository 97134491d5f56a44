import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_MS } from '../accounts/sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether cookies of this request are for TLS only. */
    readonly hasSecureCookies: boolean;
  }
}

/** The session cookie; it holds the token of the session and nothing else. */
const NAME = 'cardprice_session';

/**
 * Its name with TLS. Browsers take a cookie of such a name from this host alone, over TLS: neither
 * a neighbouring host nor somebody on the way can set it.
 */
const SECURE_NAME = `__Host-${NAME}`;

/**
 * Makes cookies for TLS only when people open the service by an https URL, even if a request seems
 * to come without TLS because the proxy does not say that it ended it.
 */
export function decideSecureCookies(app: FastifyInstance, publicUrl: string): void {
  const isSecure = publicUrl.startsWith('https:');
  app.decorateRequest('hasSecureCookies', {
    getter(this: FastifyRequest) {
      return isSecure || this.protocol === 'https';
    },
  });
}

/**
 * The session token that a request sent; `''` for none. The plain name is read with TLS, too, for
 * sessions that began before the service had TLS or this name.
 */
export function sentToken({ cookies, hasSecureCookies }: FastifyRequest): string {
  const secure = hasSecureCookies ? cookies[SECURE_NAME] : undefined;
  return secure ?? cookies[NAME] ?? '';
}

/** Sets the session cookie, in place of any other. */
export function setToken(reply: FastifyReply, token: string): void {
  const { request } = reply;
  const lifetime = { maxAge: SESSION_MS / 1000 };
  reply.setCookie(nameFor(request), token, { ...attributes(request), ...lifetime });
  if (hasPlainCookie(request)) reply.clearCookie(NAME, attributes(request));
}

/** Deletes the session cookie. */
export function clearToken(reply: FastifyReply): void {
  const { request } = reply;
  reply.clearCookie(nameFor(request), attributes(request));
  if (hasPlainCookie(request)) reply.clearCookie(NAME, attributes(request));
}

/** Moves a session from the plain name to that for TLS, so that the plain one is not sent again. */
export function renameToken(reply: FastifyReply): void {
  if (hasPlainCookie(reply.request)) setToken(reply, sentToken(reply.request));
}

function nameFor({ hasSecureCookies }: FastifyRequest): string {
  return hasSecureCookies ? SECURE_NAME : NAME;
}

/** Whether a request with TLS sent a cookie of the plain name. */
function hasPlainCookie({ cookies, hasSecureCookies }: FastifyRequest): boolean {
  return hasSecureCookies && cookies[NAME] !== undefined;
}

/** Scripts cannot read the cookie, and POSTs of pages of other sites do not send it. */
function attributes({ hasSecureCookies: secure }: FastifyRequest): CookieSerializeOptions {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure };
}
