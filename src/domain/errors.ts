/** Every error of `/v1`: its HTTP status, its meaning and an example of its message. */
export const API_ERRORS = {
  MISSING_API_KEY: {
    status: 401,
    meaning: 'No API key was sent.',
    example: 'An API key is required. Send it in the X-API-Key header.',
  },
  INVALID_API_KEY: {
    status: 401,
    meaning: 'The key does not exist, has expired or has been revoked.',
    example: 'The API key is invalid or expired.',
  },
  PLAN_RESTRICTION: {
    status: 403,
    meaning: 'The plan of the account does not include this operation.',
    example: 'Price history requires the Trader plan or above.',
  },
  KEY_RESTRICTION: {
    status: 403,
    meaning:
      'The API key may not be used like this: for this endpoint, from this address or in the query.',
    example: 'This key has not the scope "bulk", which this needs.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    meaning:
      'The daily quota, or the limit of the API key, is used up, or requests come too fast. ' +
      'Retry-After tells the seconds to wait.',
    example: 'The daily quota of 200 requests is used up. It resets at midnight UTC.',
  },
  INVALID_PARAMETER: {
    status: 400,
    meaning: 'A parameter is missing, malformed or out of bounds. `details` names each one.',
    example: 'limit: "101" is not allowed; it must be a whole number from 1 to 100.',
  },
  INVALID_BODY: {
    status: 400,
    meaning: 'The request body is not JSON or not of the documented shape.',
    example: 'The body must be a JSON object with an array "ids" of card ids.',
  },
  BATCH_LIMIT_EXCEEDED: {
    status: 400,
    meaning: 'More ids or items were sent than one request may hold.',
    example: 'A batch holds at most 20 ids; 21 were sent.',
  },
  CARD_NOT_FOUND: {
    status: 404,
    meaning: 'No card has this id.',
    example: 'No card has the id "pokemon-base-charizard-999".',
  },
  SET_NOT_FOUND: {
    status: 404,
    meaning: 'No set has this setId.',
    example: 'No set has the setId "pokemon-base-set-9".',
  },
  NOT_FOUND: {
    status: 404,
    meaning: 'There is nothing at this path.',
    example: 'There is nothing at /v1/card. See /docs for the endpoints.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path exists, but not for this method. `Allow` lists those it has.',
    example: 'POST is not allowed for /v1/games; allowed: GET, HEAD.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    meaning: 'The request body is over 64 KiB, or over 500 KiB at POST /v1/resolve.',
    example: 'The body may be at most 65536 bytes.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    meaning: 'The headers and the path together are over 16 KiB.',
    example: 'The headers and the path may be at most 16384 bytes together.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    meaning: 'The headers took longer than 10 seconds to arrive, or all of it longer than 30.',
    example: 'The request did not arrive in time.',
  },
  MISDIRECTED_REQUEST: {
    status: 421,
    meaning: 'The service is not known under the name in the Host header.',
    example: 'This service does not know the host "cards.example".',
  },
  MALFORMED_REQUEST: {
    status: 400,
    meaning: 'What was sent is not HTTP.',
    example: 'This is not a well-formed HTTP request.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The request body is not declared as JSON.',
    example: 'Send the body with Content-Type: application/json.',
  },
  INTERNAL_ERROR: {
    status: 500,
    meaning: 'Something went wrong on our side. The log has it under the request id.',
    example: 'Something went wrong on our side. Please try again later.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    meaning:
      'The service is starting, stopping, overloaded or without its database. Retry-After tells ' +
      'when to retry.',
    example: 'The service is not ready. Please try again shortly.',
  },
} as const satisfies Record<string, { status: number; meaning: string; example: string }>;

export type ApiErrorCode = keyof typeof API_ERRORS;

/** The errors that only the calls of the dashboard answer, besides those of the API. */
export const DASHBOARD_ERRORS = {
  UNAUTHORIZED: {
    status: 401,
    meaning:
      'Nobody is signed in, or not any more; or the e-mail address or password is wrong. It is ' +
      'sent in the second form: `unauthorized`, without a status.',
    example: 'Sign in first.',
  },
  FORBIDDEN: {
    status: 403,
    meaning:
      'The call came from a page of another site, is for operators only, or asks for the metrics ' +
      'from elsewhere.',
    example: 'This is for operators only.',
  },
  REAUTHENTICATION_REQUIRED: {
    status: 403,
    meaning:
      'The call needs an owner who has proved within the last ten minutes who they are. Send a ' +
      'password or a passkey to `/dashboard/reauthenticate`, and repeat it.',
    example: 'Prove that it is you first.',
  },
  SECOND_FACTOR_REQUIRED: {
    status: 403,
    meaning: 'Operators need a second factor here, and the account has none yet.',
    example: 'Operators need a second factor here. Add one on the page “Account” first.',
  },
  REFUSED: {
    status: 400,
    meaning: 'What was asked for cannot be done; the message says why.',
    example: 'The account has 5 active keys, which is the most it may have. Revoke one first.',
  },
  CONFLICT: {
    status: 409,
    meaning: 'Somebody else, or another tab, was faster. Look at what there is now.',
    example: 'The key was changed in the meantime. Look at it again before you go on.',
  },
  TOO_MANY_ATTEMPTS: {
    status: 429,
    meaning: 'Too many attempts. Retry-After tells the seconds until the next one is allowed.',
    example: 'Too many attempts. Please wait a minute.',
  },
} as const satisfies Record<string, { status: number; meaning: string; example: string }>;

export type DashboardErrorCode = keyof typeof DASHBOARD_ERRORS;

/** Every error of the API and the dashboard. */
export const ERRORS = { ...API_ERRORS, ...DASHBOARD_ERRORS };

/** What was wrong with one parameter of a request. */
export interface ParameterProblem {
  readonly parameter: string;
  readonly message: string;
}

/** An error whose message is for the caller of the API. */
export class ApiError extends Error {
  readonly code: ApiErrorCode | DashboardErrorCode;
  readonly status: number;
  readonly details: readonly ParameterProblem[] | undefined;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ApiErrorCode | DashboardErrorCode,
    message: string = ERRORS[code].example,
    extra: { details?: readonly ParameterProblem[]; retryAfter?: number } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.details = extra.details;
    this.retryAfter = extra.retryAfter;
  }
}

/** An error that the operator can fix: its message says what is wrong and what to do. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorError';
  }
}

/** A refused change of an account, on the command line or in the dashboard. */
export class AccountError extends OperatorError {
  readonly code: DashboardErrorCode;
  /** The message without the advice for the command line. */
  readonly reason: string;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined;

  constructor(
    code: DashboardErrorCode,
    reason: string,
    { advice = '', retryAfter }: { advice?: string; retryAfter?: number } = {},
  ) {
    super(advice === '' ? reason : `${reason} ${advice}`);
    this.name = 'AccountError';
    this.code = code;
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}
