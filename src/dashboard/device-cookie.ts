import type { FastifyReply, FastifyRequest } from 'fastify';
import { DEVICE_MS } from '../accounts/sign-in/devices.ts';
import { HostCookie } from './host-cookie.ts';

/**
 * The cookie by which accounts know a browser in which somebody has signed in before. It opens
 * nothing; guesses from elsewhere do not slow its browser down.
 */
const COOKIE = new HostCookie('cardprice_device', 'strict');

/** The token of the browser that a request sent; `''` for none. It is kept when TLS begins. */
export function sentDevice(request: FastifyRequest): string {
  return COOKIE.sent(request) || (COOKIE.sentPlain(request) ?? '');
}

/** Sets the cookie, and keeps it for as long as accounts know the browser. */
export function setDevice(reply: FastifyReply, token: string): void {
  COOKIE.set(reply, token, DEVICE_MS);
}
