import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DEVICE_MS } from '../accounts/devices.ts';

/**
 * The cookie by which accounts know a browser in which somebody has signed in before. It opens
 * nothing; guesses from elsewhere do not slow its browser down.
 */
const NAME = 'cardprice_device';

/** The token of the browser that a request sent; `''` for none. */
export function sentDevice({ cookies }: FastifyRequest): string {
  return cookies[`__Host-${NAME}`] ?? cookies[NAME] ?? '';
}

/** Sets the cookie, and keeps it for as long as accounts know the browser. */
export function setDevice(reply: FastifyReply, token: string): void {
  const secure = reply.request.hasSecureCookies;
  const attributes: CookieSerializeOptions = {
    httpOnly: true,
    sameSite: 'strict',
    path: '/',
    secure,
    maxAge: DEVICE_MS / 1000,
  };
  reply.setCookie(secure ? `__Host-${NAME}` : NAME, token, attributes);
}
