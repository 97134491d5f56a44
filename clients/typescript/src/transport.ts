import { type Cache, type CachedAnswer, MemoryCache } from './cache.ts';
import { CardpriceError, errorOf } from './errors.ts';
import { type Page, Pages } from './pages.ts';

export interface ClientOptions {
  /** The address of the service, such as `https://prices.example`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** How long one request may take, in milliseconds; 30 seconds by default. */
  readonly timeout?: number;
  /** How often a call is repeated after a 429, a 502 to 504 or no answer; twice by default. */
  readonly retries?: number;
  /**
   * The longest wait before a retry, in milliseconds; a minute by default. Calls that the service
   * would only answer later fail at once.
   */
  readonly maxRetryDelay?: number;
  /** Keeps answers: unchanged ones are not sent again and cost no quota. False keeps none. */
  readonly cache?: Cache | false;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Headers for every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CallOptions {
  /** Cancels the call, with its waits and retries: it throws the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Instead of that of the client. */
  readonly timeout?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The quota of the account, as the latest answer gave it. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsAt: Date;
}

/** A request for an address, without what all requests have. */
interface Call {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly body?: string;
  readonly options: CallOptions;
}

interface Received {
  /** The body, read. */
  readonly answer: unknown;
  readonly headers: Headers;
}

/** Statuses of answers that may be better a little later. */
const TRANSIENT: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** The wait before the first retry if the service does not say how long; each next one doubles. */
const BACKOFF_MS = 500;

/** At most this share is added to a wait, so clients that failed together return at different times. */
const JITTER = 0.25;

/** Sends requests: with the key, in time, again where that helps, and conditionally. */
export class Transport {
  /** The quota that the latest answer gave; undefined before the first. */
  quota: Quota | undefined;
  readonly #options: Required<Omit<ClientOptions, 'headers' | 'cache' | 'fetch' | 'apiKey'>>;
  readonly #fetch: typeof fetch;
  readonly #cache: Cache | undefined;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #documentation: string;

  constructor(options: ClientOptions) {
    const { timeout = 30_000, retries = 2, maxRetryDelay = 60_000, cache, headers } = options;
    const baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#options = { baseUrl, timeout, retries, maxRetryDelay };
    // Browsers refuse to call their `fetch` as a method of something else.
    this.#fetch = options.fetch ?? ((...request) => fetch(...request));
    this.#cache = cache === false ? undefined : (cache ?? new MemoryCache());
    this.#headers = { ...headers, 'X-API-Key': options.apiKey };
    this.#documentation = `${baseUrl}/docs/errors`;
  }

  async get<Answer>(path: string, parameters: object, options?: CallOptions): Promise<Answer> {
    return (await this.#getPage<Answer>(path + queryOf(parameters), options)).answer;
  }

  async post<Answer>(
    path: string,
    parameters: object,
    members: readonly string[],
    options: CallOptions = {},
  ): Promise<Answer> {
    const entries = Object.entries(parameters);
    const body = Object.fromEntries(entries.filter(([name]) => members.includes(name)));
    const query = Object.fromEntries(entries.filter(([name]) => !members.includes(name)));
    const url = this.#options.baseUrl + path + queryOf(query);
    const call: Call = { url, method: 'POST', body: JSON.stringify(body), options };
    return (await this.#send(call)).answer as Answer;
  }

  /**
   * Posts a long list of a body in slices, one after the other, and returns their answers as one:
   * its lists are those of all slices.
   */
  async slices<Answer extends object>(
    path: string,
    parameters: object,
    members: readonly string[],
    list: string,
    size: number,
    options?: CallOptions,
  ): Promise<Answer> {
    const all = (parameters as Record<string, readonly unknown[]>)[list] ?? [];
    let whole: Answer | undefined;
    for (let start = 0; start === 0 || start < all.length; start += size) {
      const slice = { ...parameters, [list]: all.slice(start, start + size) };
      const answer = await this.post<Answer>(path, slice, members, options);
      whole = whole === undefined ? answer : joined(whole, answer);
    }
    return whole as Answer;
  }

  /** Returns a list. Iterating it sends the defaults that are not given. */
  pages<Answer extends Page<Item>, Item>(
    path: string,
    parameters: { readonly offset?: number },
    { cursor, limit }: { readonly limit: number; readonly cursor?: string },
    options?: CallOptions,
  ): Pages<Answer, Item> {
    const start = parameters.offset === undefined ? { limit, cursor } : { limit };
    const first = path + queryOf({ ...start, ...parameters });
    return new Pages(
      () => this.get<Answer>(path, parameters, options),
      (next = first) => this.#getPage<Answer>(next, options),
    );
  }

  async #getPage<Answer>(path: string, options: CallOptions = {}) {
    const url = this.#options.baseUrl + path;
    const { answer, headers } = await this.#send({ url, method: 'GET', options });
    const next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    return { answer: answer as Answer, next };
  }

  async #send(call: Call): Promise<Received> {
    const cached = call.method === 'GET' ? await this.#cache?.get(call.url) : undefined;
    for (let retry = 0; ; retry += 1) {
      const outcome = await this.#attempt(call, cached);
      if (!(outcome instanceof CardpriceError)) return outcome;
      const delay = this.#delayBefore(retry, outcome);
      if (delay === undefined) throw outcome;
      await sleep(delay, call.options.signal);
    }
  }

  /** Sends a request once. Returns the error if the same request may get an answer later. */
  async #attempt(call: Call, cached: CachedAnswer | undefined): Promise<Received | CardpriceError> {
    const { url, method, body, options } = call;
    const { signal, timeout = this.#options.timeout } = options;
    const limit = AbortSignal.timeout(timeout);
    const headers = {
      ...this.#headers,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(cached && { 'If-None-Match': cached.etag }),
      ...options.headers,
    };
    try {
      const response = await this.#fetch(url, {
        method,
        headers,
        ...(body !== undefined && { body }),
        // The cache of a browser would answer in our place.
        cache: 'no-store',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      return await this.#read(response, url, cached);
    } catch (error) {
      if (error instanceof CardpriceError || signal?.aborted) throw error;
      return this.#noAnswer(error, limit.aborted ? timeout : undefined);
    }
  }

  async #read(
    response: Response,
    url: string,
    cached: CachedAnswer | undefined,
  ): Promise<Received | CardpriceError> {
    const { status, headers } = response;
    this.quota = quotaIn(headers) ?? this.quota;
    if (status === 304 && cached) return { answer: JSON.parse(cached.text), headers };
    const text = await response.text();
    const answer = parsed(text);
    if (!response.ok || answer === undefined) {
      const retryAfter = secondsOf(headers.get('retry-after'));
      const error = errorOf(response, answer, { documentation: this.#documentation, retryAfter });
      if (TRANSIENT.has(status) && !isSpent(response, retryAfter)) return error;
      throw error;
    }
    const etag = headers.get('etag');
    if (etag !== null) await this.#cache?.set(url, { etag, text });
    return { answer, headers };
  }

  /** Returns the error of a request without an answer, if it is one, within its time. */
  #noAnswer(cause: unknown, passedMs?: number): CardpriceError {
    const code = passedMs === undefined ? 'NO_ANSWER' : 'TIMEOUT';
    const span = passedMs === undefined ? '' : ` within ${passedMs} ms`;
    const message = `No answer from ${this.#options.baseUrl}${span}.`;
    return new CardpriceError(message, { code, documentation: this.#documentation, cause });
  }

  /** Returns how long to wait before a retry; undefined if there is to be none. */
  #delayBefore(retry: number, { retryAfter }: CardpriceError): number | undefined {
    const { retries, maxRetryDelay } = this.#options;
    const delay = retryAfter === undefined ? BACKOFF_MS * 2 ** retry : retryAfter * 1000;
    if (retry >= retries || delay > maxRetryDelay) return undefined;
    return delay * (1 + Math.random() * JITTER);
  }
}

/** Writes parameters as a query, with its question mark. */
function queryOf(parameters: object): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? '' : `?${query}`;
}

/** Joins the lists of two answers. */
function joined<Answer extends object>(first: Answer, second: Answer): Answer {
  const lists = Object.entries(second).map(([name, value]) => {
    const before: unknown = first[name as keyof Answer];
    return [name, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value];
  });
  return { ...first, ...Object.fromEntries(lists) };
}

function quotaIn(headers: Headers): Quota | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => {
    return Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN);
  }) as [number, number, number];
  // Answers to requests without a valid key have no limit.
  return limit > 0 ? { limit, remaining, resetsAt: new Date(reset * 1000) } : undefined;
}

/** Reads `Retry-After`: seconds, or as proxies write it, a date. */
function secondsOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  const seconds = Number(text);
  if (!Number.isNaN(seconds)) return seconds;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : Math.max(0, (moment - Date.now()) / 1000);
}

/** Returns a JSON value; undefined for other texts. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether an answer refuses requests until the quota of the day resets. */
function isSpent({ status, headers }: Response, retryAfter = 0): boolean {
  if (status !== 429) return false;
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN);
  // The clock of the service, where it can be read: browsers hide the header from pages.
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  return retryAfter >= reset - now / 1000 - 1;
}

/** Waits, unless a signal ends the wait with its reason. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
