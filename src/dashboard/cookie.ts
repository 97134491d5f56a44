import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_MS } from '../accounts/sessions.ts';

/** The session cookie; it holds the token of the session and nothing else. */
const NAME = 'cardprice_session';

/** The session token that a request sent; `''` for none. */
export function sentToken(request: FastifyRequest): string {
  return request.cookies[NAME] ?? '';
}

/** Sets the session cookie, in place of any other. */
export function setToken(reply: FastifyReply, token: string): void {
  reply.setCookie(NAME, token, { ...attributes(reply.request), maxAge: SESSION_MS / 1000 });
}

/** Deletes the session cookie. */
export function clearToken(reply: FastifyReply): void {
  reply.clearCookie(NAME, attributes(reply.request));
}

/** Scripts cannot read the cookie, and POSTs of pages of other sites do not send it. */
function attributes({ protocol }: FastifyRequest): CookieSerializeOptions {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: protocol === 'https' };
}
