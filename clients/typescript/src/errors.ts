import type { ApiError, ErrorAnswer, ParameterProblem } from './types.ts';

/**
 * Why a call failed: a code of the service, `NO_ANSWER` if the service could not be reached,
 * `TIMEOUT` if it took too long, or `UNREADABLE_ANSWER` if something else answered.
 */
export type ErrorCode = ApiError['code'] | 'NO_ANSWER' | 'TIMEOUT' | 'UNREADABLE_ANSWER';

interface Facts {
  readonly code: ErrorCode;
  readonly documentation: string;
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly details?: readonly ParameterProblem[] | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** A call that failed. Decide by `code`: codes are stable, messages are for people. */
export class CardpriceError extends Error {
  override readonly name = 'CardpriceError';
  readonly code: ErrorCode;
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /** The id of the request in the log of the service. */
  readonly requestId: string | undefined;
  /** What is wrong with which parameter. */
  readonly details: readonly ParameterProblem[];
  /** After how many seconds the call may be repeated, if the service said so. */
  readonly retryAfter: number | undefined;
  /** The page that explains the codes. */
  readonly documentation: string;

  constructor(message: string, facts: Facts) {
    super(message, { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status ?? 0;
    this.requestId = facts.requestId;
    this.details = facts.details ?? [];
    this.retryAfter = facts.retryAfter;
    this.documentation = facts.documentation;
  }
}

/** Returns the error of an answer with a body, which is undefined if it is not JSON. */
export function errorOf(
  { status, headers }: Response,
  body: unknown,
  facts: Pick<Facts, 'documentation' | 'retryAfter'>,
): CardpriceError {
  const requestId = headers.get('x-request-id') ?? undefined;
  const { error } = (body ?? {}) as Partial<ErrorAnswer>;
  if (typeof error?.code !== 'string') {
    const message = `Something other than Cardprice answered, with status ${status}.`;
    return new CardpriceError(message, { ...facts, code: 'UNREADABLE_ANSWER', status, requestId });
  }
  const { code, message, details } = error;
  return new CardpriceError(message, { ...facts, code, status, requestId, details });
}
