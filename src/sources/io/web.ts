import { Agent, type Dispatcher, request } from 'undici';
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
const PASSING = [408, 425, 429, 500, 502, 503, 504];

/**
 * Asks one source politely: one request at a time, a pause between two, a name, and retries with
 * growing pauses (or what `Retry-After` says) after 429, failures of the server and connections
 * that break off. What is refused or missing is not asked for twice.
 */
export class WebClient {
  readonly #rules: WebRules;
  readonly #agent: Agent;
  #nextAt = 0;
  #asked = 0;

  constructor(rules: Partial<WebRules> & Pick<WebRules, 'userAgent'>) {
    this.#rules = { ...DEFAULT_RULES, ...rules };
    const { idleTimeoutMs } = this.#rules;
    this.#agent = new Agent({
      connections: 1,
      headersTimeout: idleTimeoutMs,
      bodyTimeout: idleTimeoutMs,
    });
  }

  /** How many requests were made so far. */
  get requestCount(): number {
    return this.#asked;
  }

  /**
   * Asks, and lets `receive` take what was found.
   *
   * @throws WebError when the source refuses, cannot be reached, or has failed too often.
   */
  async get<Result>(question: WebRequest, receive: ReadBody<Result>): Promise<WebAnswer<Result>> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#try(question, receive);
      } catch (error) {
        if (!(error instanceof TransientError)) throw error;
        await this.#waitOrGiveUp(error, tries);
      }
    }
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  async #waitOrGiveUp(failure: TransientError, tries: number): Promise<void> {
    const { retries, initialBackoffMs, maxBackoffMs, maxRetryAfterMs, random, clock, sleep } =
      this.#rules;
    const { status, wait, message, cause } = failure;
    const details = { cause, ...(status !== null && { status }) };
    if (wait !== null && wait > maxRetryAfterMs) {
      const retryAt = clock() + wait;
      const until = new Date(retryAt).toISOString().slice(0, 19);
      throw new WebError(`${message} and asks to be left alone until ${until}Z.`, {
        ...details,
        retryAt,
      });
    }
    if (tries > retries) {
      throw new WebError(tries === 1 ? `${message}.` : `${message}, ${tries} times.`, details);
    }
    const growing = Math.min(maxBackoffMs, initialBackoffMs * 2 ** (tries - 1));
    await sleep(wait ?? growing * (0.5 + random() / 2));
  }

  async #try<Result>(question: WebRequest, receive: ReadBody<Result>): Promise<WebAnswer<Result>> {
    const { response, address } = await this.#follow(question);
    const { statusCode, headers } = response;
    if (statusCode === 200) {
      const body = this.#bodyOf(response, address, question.maxBytes);
      const result = await receive(body, { address, headers });
      return { kind: 'found', result, validator: validatorOf(headers) };
    }
    await this.#discard(response);
    if (statusCode === 304) return { kind: 'unchanged' };
    if ((question.missingStatuses ?? [404]).includes(statusCode)) return { kind: 'missing' };
    throw this.#refusal(statusCode, headers, address);
  }

  /** Reads what nobody wants, for the connection's sake, as long as that is quick. */
  async #discard({ body }: Dispatcher.ResponseData): Promise<void> {
    const signal = AbortSignal.timeout(this.#rules.idleTimeoutMs);
    await body.dump({ limit: DISCARDED_BYTES, signal }).catch(() => {});
  }

  #refusal(status: number, headers: WebHead['headers'], address: string): Error {
    const words = `${address} answered ${status}`;
    if (PASSING.includes(status)) {
      return new TransientError(words, { status, wait: this.#retryAfter(headers) });
    }
    const hint = status === 401 || status === 403 ? ' (the source refuses us)' : '';
    return new WebError(`${words}${hint}.`, { status });
  }

  /** `Retry-After` in milliseconds from now; it may be seconds or a date. */
  #retryAfter(headers: WebHead['headers']): number | null {
    const text = single(headers['retry-after']);
    if (text === null) return null;
    if (/^\d+$/.test(text)) return Number(text) * 1000;
    const moment = Date.parse(text);
    return Number.isNaN(moment) ? null : Math.max(0, moment - this.#rules.clock());
  }

  /** Asks, and goes where the answer sends us. */
  async #follow(question: WebRequest) {
    let { url } = question;
    for (let hops = 0; ; hops += 1) {
      const address = urlForMessages(url);
      const response = await this.#ask(url, question);
      const location = single(response.headers.location);
      if (!REDIRECTS.includes(response.statusCode) || location === null) {
        return { response, address };
      }
      await this.#discard(response);
      url = redirected(url, location, hops);
    }
  }

  async #ask(url: URL, question: WebRequest): Promise<Dispatcher.ResponseData> {
    await this.#rules.sleep(Math.max(0, this.#nextAt - performance.now()));
    const { userAgent, accept, maxRequests } = this.#rules;
    if (this.#asked >= maxRequests) {
      const words = 'as many requests were made as it allows a day';
      throw new WebError(`${urlForMessages(url)} is not asked: ${words}.`, {});
    }
    const { validator, headers, secret } = question;
    const trusted = url.origin === question.url.origin;
    const asked = new URL(url);
    // A redirect carries the parameters that it wants; ours are for the address that was asked.
    if (url === question.url) setAll(asked.searchParams, secret?.query);
    this.#asked += 1;
    try {
      return await request(asked, {
        dispatcher: this.#agent,
        headers: {
          'user-agent': userAgent,
          accept,
          ...(validator ? conditionOf(validator) : {}),
          ...headers,
          ...(trusted ? secret?.headers : {}),
        },
      });
    } catch (error) {
      throw new TransientError(`${urlForMessages(url)} cannot be reached: ${reason(error)}`, {
        cause: error,
      });
    } finally {
      this.#nextAt = performance.now() + this.#rules.pauseMs;
    }
  }

  /** The body, as long as it comes fast enough, is not too long, and is all that was promised. */
  async *#bodyOf(
    { headers, body }: Dispatcher.ResponseData,
    address: string,
    maxBytes: number,
  ): AsyncGenerator<Uint8Array> {
    const promised = single(headers['content-length']);
    const tooLarge = new WebError(`${address} is larger than ${maxBytes} bytes.`, { status: 200 });
    let received = 0;
    try {
      if (Number(promised) > maxBytes) throw tooLarge;
      const pace = new ThroughputCheck(this.#rules);
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        received += chunk.length;
        if (received > maxBytes) throw tooLarge;
        pace.check(received, address);
        yield chunk;
      }
    } catch (error) {
      if (error instanceof WebError || error instanceof TransientError) throw error;
      const after = `after ${received} bytes`;
      throw new TransientError(`${address} broke off ${after}: ${reason(error)}`, { cause: error });
    } finally {
      body.on('error', () => {}).destroy();
      this.#nextAt = performance.now() + this.#rules.pauseMs;
    }
    if (promised !== null && received !== Number(promised)) {
      throw new TransientError(`${address} sent ${received} bytes instead of ${promised}`, {});
    }
  }
}

/** Notices a body that trickles. */
class ThroughputCheck {
  readonly #window: number;
  readonly #least: number;
  #since = performance.now();
  #before = 0;

  constructor({ idleTimeoutMs, minBytesPerSecond }: WebRules) {
    this.#window = idleTimeoutMs;
    this.#least = (minBytesPerSecond * idleTimeoutMs) / 1000;
  }

  check(received: number, address: string): void {
    const now = performance.now();
    if (now - this.#since < this.#window) return;
    if (received - this.#before < this.#least) {
      throw new TransientError(`${address} is too slow: ${received} bytes so far`, {});
    }
    this.#since = now;
    this.#before = received;
  }
}

/** What tells later whether an answer has changed: its ETag, else when it was last modified. */
export function validatorOf(headers: WebHead['headers']): string | null {
  return single(headers.etag) ?? single(headers['last-modified']);
}

function conditionOf(validator: string): Record<string, string> {
  const name = /^(W\/)?"/.test(validator) ? 'if-none-match' : 'if-modified-since';
  return { [name]: validator };
}

/** A URL as it may be shown: neither the query nor a password, either of which may be a key. */
export function urlForMessages({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

function redirected(from: URL, location: string, hops: number): URL {
  const address = urlForMessages(from);
  const to = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
  if (!to || !/^https?:$/.test(to.protocol)) {
    throw new WebError(`${address} leads to something that is no address.`, {});
  }
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new WebError(`${address} leads to ${urlForMessages(to)}, which is not encrypted.`, {});
  }
  if (hops === MAX_REDIRECTS) throw new WebError(`${address} leads on and on.`, {});
  return to;
}

function setAll(parameters: URLSearchParams, values: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(values)) parameters.set(name, value);
}

/** The value of a header that is there once. */
function single(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as NodeJS.ErrnoException).code;
  return error.message || code || error.name;
}
