import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CHALLENGE_MS } from '../accounts/sign-in/challenges.ts';
import { DEVICE_MS } from '../accounts/sign-in/devices.ts';
import { SESSION_MS } from '../accounts/sign-in/sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the cookies of this request are TLS-only. */
    readonly hasSecureCookies: boolean;
  }
}

/**
 * Makes cookies TLS-only if the service has an https URL. This includes requests that seem to lack
 * TLS because the proxy does not report that it terminated TLS.
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
 * A cookie that scripts cannot read. With TLS its name starts with `__Host-`. Browsers accept such
 * a cookie only from this host and only over TLS, so neither a sibling host nor an attacker on the
 * network can set it.
 */
class HostCookie {
  readonly #name: string;
  readonly #sameSite: 'lax' | 'strict';
  readonly #lifetime: number;

  /**
   * Browsers send `lax` cookies when a user follows a link from another site, and never send
   * `strict` ones from other sites. The lifetime is in milliseconds.
   */
  constructor(name: string, sameSite: 'lax' | 'strict', lifetime: number) {
    this.#name = name;
    this.#sameSite = sameSite;
    this.#lifetime = lifetime;
  }

  /** The value that a request has under the cookie name for its protocol; `''` for none. */
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
 * The session token that a request sent; `''` for none. With TLS the plain name is ignored, because
 * a sibling host can set it to sign a visitor in to an account of its choice.
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

/** Holds the token of a pending sign-in. */
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
 * Identifies a browser in which an account has signed in before. It grants no access, but wrong
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
