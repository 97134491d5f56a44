import { useEffect, useState } from 'preact/hooks';

/** Calls to the server with JSON. */

/** A call that the server refused or that did not reach it. */
export class CallError extends Error {
  /** The HTTP status; 0 if the server could not be reached. */
  readonly status: number;
  /** The code of the error body, such as `NOT_FOUND`; `UNREACHABLE` with status 0. */
  readonly code: string;
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined;

  constructor(status: number, code: string, message: string, retryAfter?: number) {
    super(message);
    this.name = 'CallError';
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }

  /** Whether a retry may succeed: the server restarts or the network is down. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 503;
  }
}

export interface CallOptions {
  readonly method?: 'GET' | 'POST';
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** Whether the caller handles a 401 itself, as sign-in does with a wrong password. */
  readonly handlesUnauthorized?: boolean;
  /** The password of the account, if the reader has entered it for this call. */
  readonly password?: string | undefined;
  /** Sent as `Idempotency-Key`: the server repeats its response to a call with the same key. */
  readonly idempotencyKey?: string;
}

/** A server that does not answer within this time counts as unreachable. */
const TIMEOUT_MS = 30_000;

/** Resolves with whether the call should be repeated. */
let signInAgain: () => Promise<boolean> = async () => false;

/**
 * Sets the handler of calls that get 401. If `handler` resolves with true, the same account has a
 * new session and the call is repeated. If it resolves with false, the call is rejected.
 */
export function onUnauthorized(handler: () => Promise<boolean>): void {
  signInAgain = handler;
}

/** Resolves with whether the call should be repeated. */
let proveOwner: (password?: string) => Promise<boolean> = async () => false;

/**
 * Sets the handler of calls for which the reader must confirm their identity. `handler` gets the
 * password that was entered for the call, if any. If it resolves with true, the call is repeated.
 * If it resolves with false, the call is rejected.
 */
export function onProofRequired(handler: (password?: string) => Promise<boolean>): void {
  proveOwner = handler;
}

/**
 * Calls the server and resolves with the body of the response; `undefined` if there is none.
 *
 * @throws CallError if the server refuses or cannot be reached.
 */
export async function call<Body>(path: string, options: CallOptions = {}): Promise<Body> {
  try {
    return await read<Body>(await sendSignedIn(path, options));
  } catch (error) {
    if (!isProofRequired(error) || !(await proveOwner(options.password))) throw error;
    return read<Body>(await sendSignedIn(path, options));
  }
}

function isProofRequired(error: unknown): boolean {
  return error instanceof CallError && error.code === 'REAUTHENTICATION_REQUIRED';
}

/** Sends a call. If it gets 401, sends it again once the reader has signed in. */
async function sendSignedIn(path: string, options: CallOptions): Promise<Response> {
  const response = await send(path, options);
  if (response.status !== 401 || options.handlesUnauthorized) return response;
  return (await signInAgain()) ? send(path, options) : response;
}

/** Calls the server with POST and `body`, if there is one. Resolves and rejects as {@link call}. */
export function post<Body>(
  path: string,
  body?: unknown,
  options: Pick<CallOptions, 'password' | 'handlesUnauthorized'> = {},
): Promise<Body> {
  return call<Body>(path, { ...options, method: 'POST', body });
}

async function send(path: string, { method = 'GET', body, signal, idempotencyKey }: CallOptions) {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await fetch(path, {
      method,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw noteUnreachable();
  }
}

async function read<Body>(response: Response): Promise<Body> {
  const body = response.status === 204 ? undefined : await response.json().catch(() => undefined);
  const error = (body as ErrorBody | undefined)?.error;
  // A reverse proxy responds like this when its server is down.
  if (!error && GATEWAY_ERRORS.includes(response.status)) throw noteUnreachable();
  reportReachable();
  if (response.ok && (body !== undefined || response.status === 204)) return body as Body;
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  throw errorOf(response.status, body, retryAfter);
}

/** Returns the error of a response. */
export function errorOf(status: number, body: unknown, retryAfter?: number): CallError {
  const { code = 'UNKNOWN', message = 'The response of the server could not be read.' } =
    (body as ErrorBody | undefined)?.error ?? {};
  return new CallError(status, code, message, retryAfter);
}

interface ErrorBody {
  readonly error?: { readonly code?: string; readonly message?: string };
}

const GATEWAY_ERRORS = [502, 503, 504];

/** Reports that the server is unreachable, and returns the error for the call that detected it. */
function noteUnreachable(): CallError {
  reportUnreachable();
  return new CallError(0, 'UNREACHABLE', 'Cannot reach the server right now.');
}

/* Whether the server can be reached, according to the calls of the pages. */

/** The time between two probes of an unreachable server. */
const PROBE_INTERVAL_MS = 1500;

/** The timer of the probes. It runs only while the server is unreachable. */
let probeTimer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** Reports that a call was answered. */
export function reportReachable(): void {
  if (probeTimer === undefined) return;
  clearInterval(probeTimer);
  probeTimer = undefined;
  notify();
}

/** Reports that a call got no response. The server is probed until it responds. */
export function reportUnreachable(): void {
  if (probeTimer !== undefined) return;
  probeTimer = setInterval(probe, PROBE_INTERVAL_MS);
  notify();
}

/** Returns whether the server is unreachable, and renders again when that changes. */
export function useIsUnreachable(): boolean {
  const [isUnreachable, setUnreachable] = useState(probeTimer !== undefined);
  useEffect(() => subscribe(() => setUnreachable(probeTimer !== undefined)), []);
  return isUnreachable;
}

/** Resolves as soon as a probe of the server is answered. */
export function waitUntilReachable(): Promise<void> {
  reportUnreachable();
  return new Promise((resolve) => {
    const unsubscribe = subscribe(() => {
      unsubscribe();
      resolve();
    });
  });
}

async function probe(): Promise<void> {
  const response = await fetch('/dashboard/session', { cache: 'no-store' }).catch(() => undefined);
  if (response && response.status < 500) reportReachable();
}

/** Returns a function that unsubscribes. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notify(): void {
  for (const listener of listeners) listener();
}
