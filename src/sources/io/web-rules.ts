import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { OperatorError } from '../../domain/errors.ts';

/** Requests to sources on the web: their rules, and their possible failures. */

/** The rules for requests to one source. */
export interface WebRules {
  /** Identifies the project and its version, as sources request. */
  readonly userAgent: string;
  readonly accept: string;
  /**
   * The origins that the operator has named, which may be on this machine or in a private network.
   * All other addresses, such as those in redirects and listings, must be on the public internet.
   */
  readonly trustedOrigins: readonly string[];
  /** Milliseconds from the end of a request to the start of the next. */
  readonly pauseMs: number;
  /** The most requests that one client makes. */
  readonly maxRequests: number;
  /** How often a request is retried after a transient error. */
  readonly retries: number;
  /** The wait before the first retry. It doubles with each, up to `maxBackoffMs`, with jitter. */
  readonly initialBackoffMs: number;
  readonly maxBackoffMs: number;
  /**
   * The longest `Retry-After` that is honoured by waiting. A longer one ends the requests to the
   * source.
   */
  readonly maxRetryAfterMs: number;
  /** The longest time without any byte, … */
  readonly idleTimeoutMs: number;
  /** … and the lowest average rate over that time. */
  readonly minBytesPerSecond: number;
  sleep(ms: number): Promise<unknown>;
  /** Returns a number from 0 up to 1, for the jitter. */
  random(): number;
  /** Returns the current time in milliseconds, for dates in `Retry-After`. */
  clock(): number;
}

/** The rules unless a caller overrides them. They satisfy what sources document. */
export const DEFAULT_RULES: Omit<WebRules, 'userAgent'> = {
  accept: 'application/json, text/plain, text/csv, */*;q=0.5',
  trustedOrigins: [],
  pauseMs: 100,
  maxRequests: Number.POSITIVE_INFINITY,
  retries: 4,
  initialBackoffMs: 1000,
  maxBackoffMs: 60_000,
  maxRetryAfterMs: 300_000,
  idleTimeoutMs: 30_000,
  minBytesPerSecond: 1000,
  sleep: (ms) => sleepFor(ms),
  random: Math.random,
  clock: Date.now,
};

export interface WebRequest {
  readonly url: URL;
  /** The validator of an earlier response, see {@link validatorOf}. */
  readonly validator?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers and parameters that are sent only to the origin of `url`, and never shown. */
  readonly secret?: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
  };
  /** The statuses that mean "missing"; 404 by default. */
  readonly missingStatuses?: readonly number[];
  /** The largest plausible response in bytes, as sent. */
  readonly maxBytes: number;
}

export type WebAnswer<Result> =
  | { readonly kind: 'found'; readonly result: Result; readonly validator: string | null }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'missing' };

/** The head of a response whose body is being read. */
export interface WebHead {
  /** For messages: without the query, which may hold an API key. */
  readonly address: string;
  readonly headers: Dispatcher.ResponseData['headers'];
}

/**
 * Reads the body of a response. It is called again for each retry, so an interrupted body must
 * leave nothing behind.
 */
export type ReadBody<Result> = (body: AsyncIterable<Uint8Array>, head: WebHead) => Promise<Result>;

/** A request that permanently failed. */
export class WebError extends OperatorError {
  /** The status of the response, or null without one. */
  readonly status: number | null;
  /** The earliest moment for further requests, if the source gives one. */
  readonly retryAt: number | null;

  constructor(message: string, details: { status?: number; retryAt?: number; cause?: unknown }) {
    super(message, { cause: details.cause });
    this.status = details.status ?? null;
    this.retryAt = details.retryAt ?? null;
  }
}

/** A failure that a retry may fix. */
export class TransientError extends Error {
  readonly status: number | null;
  /** The wait that the source requests, in milliseconds, or null. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    details: { status?: number; retryAfterMs?: number | null; cause?: unknown },
  ) {
    super(message, { cause: details.cause });
    this.status = details.status ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}
