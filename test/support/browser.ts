import type { FastifyInstance, LightMyRequestResponse } from 'fastify';

export type Headers = Readonly<Record<string, string>>;

/** The number of existing browsers. Each has its own address, so none throttles the others. */
let browsers = 0;

/** Sends requests like a browser on one of our pages: with cookies and the origin. */
export class Browser {
  /** Its network address. */
  readonly address: string;
  readonly #app: FastifyInstance;
  #cookies: ReadonlyMap<string, string> = new Map();

  constructor(app: FastifyInstance) {
    this.#app = app;
    browsers += 1;
    this.address = `10.0.${browsers >> 8}.${browsers & 255}`;
  }

  /** The token of its session; undefined if there is none. */
  get token(): string | undefined {
    return this.#cookies.get('cardprice_session');
  }

  /** The token of its session with TLS; undefined if there is none. */
  get secureToken(): string | undefined {
    return this.#cookies.get('__Host-cardprice_session');
  }

  /** The value of the header `cookie` that it sends. */
  get cookie(): string {
    return this.#cookieHeader().cookie ?? '';
  }

  /** The same browser, using another process. */
  at({ app }: { readonly app: FastifyInstance }): Browser {
    const other = new Browser(app);
    other.#cookies = this.#cookies;
    return other;
  }

  get(url: string, headers: Headers = {}): Promise<LightMyRequestResponse> {
    return this.send('GET', url, headers);
  }

  /** Posts a body as JSON. Sends a string unchanged, and an empty body for undefined. */
  post(url: string, body?: unknown, headers: Headers = {}): Promise<LightMyRequestResponse> {
    if (body === undefined) return this.send('POST', url, headers);
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    return this.send('POST', url, { 'content-type': 'application/json', ...headers }, payload);
  }

  async send(
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS',
    url: string,
    headers: Headers = {},
    payload?: string,
  ): Promise<LightMyRequestResponse> {
    const answer = await this.#app.inject({
      method,
      url,
      remoteAddress: this.address,
      headers: { 'sec-fetch-site': 'same-origin', ...this.#cookieHeader(), ...headers },
      ...(payload !== undefined && { payload }),
    });
    this.#keep(answer);
    return answer;
  }

  #cookieHeader(): Headers {
    if (this.#cookies.size === 0) return {};
    return { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  }

  #keep(answer: LightMyRequestResponse): void {
    const cookies = new Map(this.#cookies);
    for (const { name, value, maxAge } of answer.cookies) {
      if (maxAge === 0) cookies.delete(name);
      else cookies.set(name, value);
    }
    this.#cookies = cookies;
  }
}
