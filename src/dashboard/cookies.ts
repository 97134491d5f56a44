import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CHALLENGE_MS } from '../accounts/sign-in/challenges.ts';
import { DEVICE_MS } from '../accounts/sign-in/devices.ts';
import { SESSION_MS } from '../accounts/sign-in/sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the cookies of this request are for TLS only. */
    readonly hasSecureCookies: boolean;
  }
}

/**
 * Makes cookies TLS-only if the service has an https URL, even for a request that seems to come
 * without TLS because the proxy does not report that it ended TLS.
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
 * A cookie that scripts cannot read. With TLS its name begins with `__Host-`: browsers accept such
 * a cookie only from this host and only over TLS, so neither a neighbouring host nor somebody on
 * the network can set it.
 */
class HostCookie {
  readonly #name: string;
  readonly #sameSite: 'lax' | 'strict';
  readonly #lifetime: number;

  /**
   * Links of other sites send `lax` cookies; nothing on another site sends `strict` ones. The
   * lifetime is in milliseconds.
   */
  constructor(name: string, sameSite: 'lax' | 'strict', lifetime: number) {
    this.#name = name;
    this.#sameSite = sameSite;
    this.#lifetime = lifetime;
  }

  /** The value that a request sent under the name for its protocol; `''` for none. */
  sent(request: FastifyRequest): string {
    return request.cookies[this.#nameFor(request)] ?? '';
  }

  set(reply: FastifyReply, value: string): void {
    const attributes = { ...this.#attributes(reply), maxAge: this.#lifetime / 1000 };
    reply.setCookie(this.#nameFor(reply.request), value, attributes);
  }

  clear(reply: FastifyReply): void {
    reply.clearCookie(this.#nameFor(reply.request), this.#attributes(reply));
  }

  #nameFor({ hasSecureCookies }: FastifyRequest): string {
    return hasSecureCookies ? `__Host-${this.#name}` : this.#name;
  }

  #attributes({ request }: FastifyReply): CookieSerializeOptions {
    const sameSite = this.#sameSite;
    return { httpOnly: true, sameSite, path: '/', secure: request.hasSecureCookies };
  }
}

/** Holds the token of a session. */
const SESSION = new HostCookie('cardprice_session', 'lax', SESSION_MS);

/**
 * The session token that a request sent; `''` for none. With TLS the plain name does not count:
 * a neighbouring host can set it, and would put a visitor into an account of its choice.
 */
export function sentToken(request: FastifyRequest): string {
  return SESSION.sent(request);
}

export function setToken(reply: FastifyReply, token: string): void {
  SESSION.set(reply, token);
}

export function clearToken(reply: FastifyReply): void {
  SESSION.clear(reply);
}

/** Holds the token of a sign-in that waits for a second factor. */
const PENDING = new HostCookie('cardprice_pending', 'strict', CHALLENGE_MS);

/** The token of the pending sign-in that a request sent; `''` for none. */
export function sentPendingToken(request: FastifyRequest): string {
  return PENDING.sent(request);
}

export function setPendingToken(reply: FastifyReply, token: string): void {
  PENDING.set(reply, token);
}

/** Deletes the cookie of a pending sign-in if the browser has one. */
export function clearPendingToken(reply: FastifyReply): void {
  if (sentPendingToken(reply.request) !== '') PENDING.clear(reply);
}

/**
 * Identifies a browser in which an account has signed in before. It grants nothing, but wrong
 * passwords from other browsers do not slow this one down.
 */
const DEVICE = new HostCookie('cardprice_device', 'strict', DEVICE_MS);

/** The device token that a request sent; `''` for none. */
export function sentDevice(request: FastifyRequest): string {
  return DEVICE.sent(request);
}

export function setDevice(reply: FastifyReply, token: string): void {
  DEVICE.set(reply, token);
}
