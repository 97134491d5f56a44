import type { Dispatcher } from 'undici';
import { PrivateAddress } from '../../lib/public-addresses.ts';
import type { PublicAgent } from '../../lib/public-agent.ts';
import {
  DEFAULT_RULES,
  type ReadBody,
  TransientError,
  type WebAnswer,
  WebError,
  type WebHead,
  type WebRequest,
  type WebRules,
} from './web-rules.ts';

export {
  type WebAnswer,
  WebError,
  type WebHead,
  type WebRequest,
  type WebRules,
} from './web-rules.ts';

const REDIRECTS = [301, 302, 303, 307, 308];
const MAX_REDIRECTS = 3;
const DISCARDED_BYTES = 64 * 1024;
const TRANSIENT_STATUSES = [408, 425, 429, 500, 502, 503, 504];

/**
 * Makes requests to one source: one at a time, with a pause between two, under our own User-Agent.
 * It retries 429, server errors and broken connections with exponential backoff, or after the time
 * in `Retry-After`. Refusals and missing resources are not retried.
 */
export class WebClient {
  readonly #rules: WebRules;
  /** Loaded with the first request. */
  #agent: Promise<PublicAgent> | undefined;
  #nextAt = 0;
  #requestCount = 0;

  constructor(rules: Partial<WebRules> & Pick<WebRules, 'userAgent'>) {
    this.#rules = { ...DEFAULT_RULES, ...rules };
  }

  /** The number of requests so far. */
  get requestCount(): number {
    return this.#requestCount;
  }

  /**
   * Makes a request, and reads the response with `readBody`.
   *
   * @throws WebError if the source refuses, cannot be reached, or has failed too often.
   */
  async get<Result>(request: WebRequest, readBody: ReadBody<Result>): Promise<WebAnswer<Result>> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#try(request, readBody);
      } catch (error) {
        if (!(error instanceof TransientError)) throw error;
        await this.#waitOrGiveUp(error, tries);
      }
    }
  }

  async close(): Promise<void> {
    await (await this.#agent)?.close();
  }

  async #waitOrGiveUp(failure: TransientError, tries: number): Promise<void> {
    const { retries, initialBackoffMs, maxBackoffMs, maxRetryAfterMs, random, clock, sleep } =
      this.#rules;
    const { status, retryAfterMs, message, cause } = failure;
    const details = { cause, ...(status !== null && { status }) };
    if (retryAfterMs !== null && retryAfterMs > maxRetryAfterMs) {
      const retryAt = clock() + retryAfterMs;
      const until = new Date(retryAt).toISOString().slice(0, 19);
      throw new WebError(`${message} and asks to be left alone until ${until}Z.`, {
        ...details,
        retryAt,
      });
    }
    if (tries > retries) {
      throw new WebError(tries === 1 ? `${message}.` : `${message}, ${tries} times.`, details);
    }
    const backoff = Math.min(maxBackoffMs, initialBackoffMs * 2 ** (tries - 1));
    await sleep(retryAfterMs ?? backoff * (0.5 + random() / 2));
  }

  async #try<Result>(request: WebRequest, readBody: ReadBody<Result>): Promise<WebAnswer<Result>> {
    const { response, address } = await this.#follow(request);
    const { statusCode, headers } = response;
    // 206 only answers a request for a range.
    if (statusCode === 200 || statusCode === 206) {
      const body = this.#bodyOf(response, address, request.maxBytes);
      const result = await readBody(body, { address, headers });
      return { kind: 'found', result, validator: validatorOf(headers) };
    }
    await this.#discard(response);
    if (statusCode === 304) return { kind: 'unchanged' };
    if ((request.missingStatuses ?? [404]).includes(statusCode)) return { kind: 'missing' };
    throw this.#refusal(statusCode, headers, address);
  }

  /** Reads an unneeded short body, so the connection can be reused. */
  async #discard({ body }: Dispatcher.ResponseData): Promise<void> {
    const signal = AbortSignal.timeout(this.#rules.idleTimeoutMs);
    await body.dump({ limit: DISCARDED_BYTES, signal }).catch(() => {});
  }

  #refusal(status: number, headers: WebHead['headers'], address: string): Error {
    const message = `${address} answered ${status}`;
    if (TRANSIENT_STATUSES.includes(status)) {
      return new TransientError(message, { status, retryAfterMs: this.#retryAfter(headers) });
    }
    const hint = status === 401 || status === 403 ? ' (the source refuses us)' : '';
    return new WebError(`${message}${hint}.`, { status });
  }

  /** Returns `Retry-After` (seconds or a date) in milliseconds from now. */
  #retryAfter(headers: WebHead['headers']): number | null {
    const text = single(headers['retry-after']);
    if (text === null) return null;
    if (/^\d+$/.test(text)) return Number(text) * 1000;
    const moment = Date.parse(text);
    return Number.isNaN(moment) ? null : Math.max(0, moment - this.#rules.clock());
  }

  /** Makes a request, and follows redirects. */
  async #follow(request: WebRequest) {
    let { url } = request;
    for (let hops = 0; ; hops += 1) {
      const address = urlForMessages(url);
      const response = await this.#send(url, request);
      const location = single(response.headers.location);
      if (!REDIRECTS.includes(response.statusCode) || location === null) {
        return { response, address };
      }
      await this.#discard(response);
      url = redirected(url, location, hops);
    }
  }

  async #send(url: URL, request: WebRequest): Promise<Dispatcher.ResponseData> {
    await this.#rules.sleep(Math.max(0, this.#nextAt - performance.now()));
    const { userAgent, accept, maxRequests } = this.#rules;
    if (this.#requestCount >= maxRequests) {
      const words = 'as many requests were made as it allows a day';
      throw new WebError(`${urlForMessages(url)} is not requested: ${words}.`, {});
    }
    const { validator, headers, secret } = request;
    const isSameOrigin = url.origin === request.url.origin;
    const target = new URL(url);
    // Secret parameters are only for the original address, not for redirects.
    if (url === request.url) setAll(target.searchParams, secret?.query);
    this.#requestCount += 1;
    this.#agent ??= openAgent(this.#rules);
    const agent = await this.#agent;
    try {
      return await agent.request(target, {
        headers: {
          'user-agent': userAgent,
          accept,
          ...(validator ? conditionOf(validator) : {}),
          ...headers,
          ...(isSameOrigin ? secret?.headers : {}),
        },
      });
    } catch (error) {
      throw sendError(urlForMessages(url), error);
    } finally {
      this.#nextAt = performance.now() + this.#rules.pauseMs;
    }
  }

  /** Yields the body. Throws if it is too slow, too long, or shorter than its Content-Length. */
  async *#bodyOf(
    { headers, body }: Dispatcher.ResponseData,
    address: string,
    maxBytes: number,
  ): AsyncGenerator<Uint8Array> {
    const contentLength = single(headers['content-length']);
    const tooLarge = new WebError(`${address} is larger than ${maxBytes} bytes.`, { status: 200 });
    let received = 0;
    try {
      if (Number(contentLength) > maxBytes) throw tooLarge;
      const throughput = new ThroughputCheck(this.#rules);
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        received += chunk.length;
        if (received > maxBytes) throw tooLarge;
        throughput.check(received, address);
        yield chunk;
      }
    } catch (error) {
      if (error instanceof WebError || error instanceof TransientError) throw error;
      const after = `after ${received} bytes`;
      throw new TransientError(`${address} broke off ${after}: ${reasonOf(error)}`, {
        cause: error,
      });
    } finally {
      body.on('error', () => {}).destroy();
      this.#nextAt = performance.now() + this.#rules.pauseMs;
    }
    if (contentLength !== null && received !== Number(contentLength)) {
      throw new TransientError(`${address} sent ${received} bytes instead of ${contentLength}`, {});
    }
  }
}

/** Stops a body that arrives too slowly. */
class ThroughputCheck {
  readonly #windowMs: number;
  readonly #minBytes: number;
  #since = performance.now();
  #before = 0;

  constructor({ idleTimeoutMs, minBytesPerSecond }: WebRules) {
    this.#windowMs = idleTimeoutMs;
    this.#minBytes = (minBytesPerSecond * idleTimeoutMs) / 1000;
  }

  check(received: number, address: string): void {
    const now = performance.now();
    if (now - this.#since < this.#windowMs) return;
    if (received - this.#before < this.#minBytes) {
      throw new TransientError(`${address} is too slow: ${received} bytes so far`, {});
    }
    this.#since = now;
    this.#before = received;
  }
}

/** Returns the validator for a conditional request: the ETag, otherwise the Last-Modified date. */
export function validatorOf(headers: WebHead['headers']): string | null {
  return single(headers.etag) ?? single(headers['last-modified']);
}

function conditionOf(validator: string): Record<string, string> {
  const name = /^(W\/)?"/.test(validator) ? 'if-none-match' : 'if-modified-since';
  return { [name]: validator };
}

/**
 * The origin of an address that the operator has named, for `trustedOrigins`; none for a path or an
 * empty text.
 */
export function originsNamed(location = ''): string[] {
  const url = URL.parse(location);
  return url && /^https?:$/.test(url.protocol) ? [url.origin] : [];
}

/** Returns a URL for messages: without the query and a password, which may be secrets. */
export function urlForMessages({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

function redirected(from: URL, location: string, hops: number): URL {
  const address = urlForMessages(from);
  const to = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
  if (!to || !/^https?:$/.test(to.protocol)) {
    throw new WebError(`${address} leads to something that is not an address.`, {});
  }
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new WebError(`${address} leads to ${urlForMessages(to)}, which is not encrypted.`, {});
  }
  if (hops === MAX_REDIRECTS) throw new WebError(`${address} redirects too many times.`, {});
  return to;
}

async function openAgent({ idleTimeoutMs, trustedOrigins }: WebRules): Promise<PublicAgent> {
  const { PublicAgent } = await import('../../lib/public-agent.ts');
  return new PublicAgent({
    isTrusted: (origin) => trustedOrigins.includes(origin),
    connections: 1,
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
  });
}

function setAll(parameters: URLSearchParams, values: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(values)) parameters.set(name, value);
}

/** A private address stays private, so a retry would be pointless. */
function sendError(address: string, cause: unknown): Error {
  if (!(cause instanceof PrivateAddress)) {
    return new TransientError(`${address} cannot be reached: ${reasonOf(cause)}`, { cause });
  }
  const message = `${address} is not requested: ${cause.message}, and you have not named it.`;
  return new WebError(message, { cause });
}

/** Returns the value of a header that occurs once. */
function single(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as NodeJS.ErrnoException).code;
  return error.message || code || error.name;
}
