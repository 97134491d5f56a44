import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_MS } from '../accounts/sessions.ts';

/** The cookie by which a browser is known: the token of its session, and nothing else. */
const NAME = 'cardprice_session';

/** What was sent as the token of a session; `''` for nothing. */
export function sentToken(request: FastifyRequest): string {
  return request.cookies[NAME] ?? '';
}

/** Has the browser send the token from now on, instead of any that it sent before. */
export function setToken(reply: FastifyReply, token: string): void {
  reply.setCookie(NAME, token, { ...attributes(reply.request), maxAge: SESSION_MS / 1000 });
}

/** Has the browser forget the token. */
export function clearToken(reply: FastifyReply): void {
  reply.clearCookie(NAME, attributes(reply.request));
}

/** Scripts cannot read it, and pages of other sites cannot have it sent. */
function attributes({ protocol }: FastifyRequest): CookieSerializeOptions {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: protocol === 'https' };
}
