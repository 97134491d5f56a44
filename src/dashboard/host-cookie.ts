import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether cookies of this request are for TLS only. */
    readonly hasSecureCookies: boolean;
  }
}

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
 * A cookie that scripts cannot read. With TLS its name begins with `__Host-`: browsers take such a
 * cookie from this host alone, over TLS, so that neither a neighbouring host nor somebody on the
 * way can set it.
 */
export class HostCookie {
  readonly #name: string;
  readonly #sameSite: 'lax' | 'strict';

  /** `strict` cookies are sent by no page of another site, `lax` ones by its links alone. */
  constructor(name: string, sameSite: 'lax' | 'strict') {
    this.#name = name;
    this.#sameSite = sameSite;
  }

  /** What a request sent under the name that is for it; `''` for nothing. */
  sent(request: FastifyRequest): string {
    return request.cookies[this.#nameFor(request)] ?? '';
  }

  /** What a request sent under the name without TLS. */
  sentPlain({ cookies }: FastifyRequest): string | undefined {
    return cookies[this.#name];
  }

  /** Sets the cookie for some milliseconds, in place of any other. */
  set(reply: FastifyReply, value: string, lifetime: number): void {
    const attributes = { ...this.#attributes(reply), maxAge: lifetime / 1000 };
    reply.setCookie(this.#nameFor(reply.request), value, attributes);
  }

  /** Deletes the cookie. */
  clear(reply: FastifyReply): void {
    reply.clearCookie(this.#nameFor(reply.request), this.#attributes(reply));
  }

  /** Deletes the cookie of the name without TLS. */
  clearPlain(reply: FastifyReply): void {
    reply.clearCookie(this.#name, this.#attributes(reply));
  }

  #nameFor({ hasSecureCookies }: FastifyRequest): string {
    return hasSecureCookies ? `__Host-${this.#name}` : this.#name;
  }

  #attributes({ request }: FastifyReply): CookieSerializeOptions {
    const sameSite = this.#sameSite;
    return { httpOnly: true, sameSite, path: '/', secure: request.hasSecureCookies };
  }
}
