import { noteAnswer, noteSilence } from './connection.ts';

/** How the pages talk to the server. */

/** A call that the server refused, or could not be asked. */
export class CallError extends Error {
  /** 0 when the server could not be reached. */
  readonly status: number;
  readonly code: string;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined;

  constructor(status: number, code: string, message: string, retryAfter?: number) {
    super(message);
    this.name = 'CallError';
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }

  /** Whether the same call may well succeed a little later: the server restarts, the line is down. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 503;
  }
}

export interface CallOptions {
  readonly method?: 'GET' | 'POST';
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** Whether a 401 is the answer itself, as it is to whoever signs in with a wrong password. */
  readonly mayBeUnauthorized?: boolean;
}

/** A server that has not answered by then is taken to be away. */
const TIMEOUT_MS = 30_000;

/** What a 401 is brought to. Resolves with whether the call should be made once more. */
let signInAgain: () => Promise<boolean> = async () => false;

/**
 * Says what happens when a call is answered with 401. `ask` resolves with true once there is a new
 * session of the same account: the call is then made once more. With false the 401 is the answer.
 */
export function whenUnauthorized(ask: () => Promise<boolean>): void {
  signInAgain = ask;
}

/** Calls the server. Resolves with the body, `undefined` if there is none; rejects with a CallError. */
export async function call<Body>(path: string, options: CallOptions = {}): Promise<Body> {
  const answer = await send(path, options);
  if (answer.status !== 401 || options.mayBeUnauthorized) return read<Body>(answer);
  const isBack = await signInAgain();
  return read<Body>(isBack ? await send(path, options) : answer);
}

/** Sends `body`, or nothing, with POST. */
export function post<Body>(path: string, body?: unknown): Promise<Body> {
  return call<Body>(path, { method: 'POST', body });
}

async function send(path: string, { method = 'GET', body, signal }: CallOptions) {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await fetch(path, {
      method,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw away();
  }
}

async function read<Body>(answer: Response): Promise<Body> {
  const body = answer.status === 204 ? undefined : await answer.json().catch(() => undefined);
  const error = (body as { error?: { code?: string; message?: string } } | undefined)?.error;
  // A proxy in front of the server says so when there is none behind it.
  if (!error && GATEWAY_ERRORS.includes(answer.status)) throw away();
  noteAnswer();
  if (answer.ok && (body !== undefined || answer.status === 204)) return body as Body;
  const { code = 'UNKNOWN', message = 'The server gave an answer that cannot be read.' } =
    error ?? {};
  const retryAfter = Number(answer.headers.get('retry-after')) || undefined;
  throw new CallError(answer.status, code, message, retryAfter);
}

const GATEWAY_ERRORS = [502, 503, 504];

function away(): CallError {
  noteSilence();
  return new CallError(0, 'UNREACHABLE', 'The server cannot be reached right now.');
}
