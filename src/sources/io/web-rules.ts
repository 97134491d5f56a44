import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { OperatorError } from '../../domain/errors.ts';

/** What sources on the web are asked, by which rules, and how they can fail. */

/** By which rules a source on the web is asked. Times are in milliseconds. */
export interface WebRules {
  /** Names the project and its version, as sources ask for. */
  readonly userAgent: string;
  readonly accept: string;
  /** Between the end of a request and the start of the next. */
  readonly pauseMs: number;
  /** After so many requests the source is not asked any more. */
  readonly maxRequests: number;
  /** How often a request that failed for a passing reason is made again. */
  readonly retries: number;
  /** Before the first retry; doubles with each, up to `longestWait`, and varies by chance. */
  readonly initialBackoffMs: number;
  readonly maxBackoffMs: number;
  /** A source that wants us to wait longer than this is left alone instead. */
  readonly maxRetryAfterMs: number;
  /** Within this much time something must arrive, … */
  readonly idleTimeoutMs: number;
  /** … and at least this many bytes a second, looked at as often. */
  readonly minBytesPerSecond: number;
  sleep(ms: number): Promise<unknown>;
  /** From 0 up to 1, for the variation. */
  random(): number;
  /** What time it is, for dates in `Retry-After`. */
  clock(): number;
}

/** What holds unless told. The statuses and pauses that sources document are met by these. */
export const DEFAULT_RULES: Omit<WebRules, 'userAgent'> = {
  accept: 'application/json, text/plain, text/csv, */*;q=0.5',
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

/** A question for a source. */
export interface WebRequest {
  readonly url: URL;
  /** A validator of an earlier answer, see {@link validatorOf}. */
  readonly validator?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers and parameters that only this very origin may see, and no message. */
  readonly secret?: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
  };
  /** The statuses that mean that there is no such thing; 404 unless told. */
  readonly missingStatuses?: readonly number[];
  /** An answer of more bytes than this, as sent, cannot be right. */
  readonly maxBytes: number;
}

export type WebAnswer<Result> =
  | { readonly kind: 'found'; readonly result: Result; readonly validator: string | null }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'missing' };

/** The head of an answer whose body is being read. */
export interface WebHead {
  /** For messages: without the query, which may hold a key. */
  readonly address: string;
  readonly headers: Dispatcher.ResponseData['headers'];
}

/** Takes the body of an answer, once a try: what it did in a try that broke off must not count. */
export type ReadBody<Result> = (body: AsyncIterable<Uint8Array>, head: WebHead) => Promise<Result>;

/** A source on the web that did not give what was asked for. */
export class WebError extends OperatorError {
  /** What it answered, if it answered. */
  readonly status: number | null;
  /** The moment before which it does not want to be asked again, if it says so. */
  readonly retryAt: number | null;

  constructor(message: string, details: { status?: number; retryAt?: number; cause?: unknown }) {
    super(message, { cause: details.cause });
    this.status = details.status ?? null;
    this.retryAt = details.retryAt ?? null;
  }
}

/** A failure that may be over soon. */
export class TransientError extends Error {
  readonly status: number | null;
  /** Milliseconds that the source asks us to wait. */
  readonly wait: number | null;

  constructor(what: string, details: { status?: number; wait?: number | null; cause?: unknown }) {
    super(what, { cause: details.cause });
    this.status = details.status ?? null;
    this.wait = details.wait ?? null;
  }
}
