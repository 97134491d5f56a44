/** An error: its HTTP status, its meaning, what to do about it and an example of its message. */
interface ErrorEntry {
  readonly status: number;
  readonly meaning: string;
  readonly advice: string;
  readonly example: string;
}

/** Every error of `/v1`. */
export const API_ERRORS = {
  MISSING_API_KEY: {
    status: 401,
    meaning: 'No API key was sent.',
    advice: 'Send the key in the `X-API-Key` header of every request.',
    example: 'An API key is required. Send it in the X-API-Key header.',
  },
  INVALID_API_KEY: {
    status: 401,
    meaning: 'The key does not exist, has expired or has been revoked.',
    advice:
      'Check that the key was copied whole. If it was, it has expired, been revoked or been ' +
      'replaced, or its account is disabled: use a new one. Retrying does not help.',
    example: 'The API key is invalid or expired.',
  },
  PLAN_RESTRICTION: {
    status: 403,
    meaning: 'The plan of the account does not include this operation.',
    advice:
      'Use a plan that includes this operation; the message names one. The request was not ' +
      'charged.',
    example: 'Price history requires the Trader plan or above.',
  },
  KEY_RESTRICTION: {
    status: 403,
    meaning:
      'The API key may not be used like this: for this endpoint, from this address or in the ' +
      'query.',
    advice:
      'Use a key with that scope, ask from an address that the owner of the key allows, or ' +
      'send the key in the header `X-API-Key`. The owner changes what the key may do on the ' +
      'page Keys. It was not charged.',
    example: 'This request needs the scope "bulk", which the key does not have.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    meaning:
      'The daily quota, or the limit of the API key, is used up, or requests come too fast. ' +
      '`Retry-After` gives the seconds to wait.',
    advice:
      'Wait as many seconds as `Retry-After` says, and watch `X-RateLimit-Remaining` to avoid ' +
      'this. Send the `ETag` of an earlier answer in `If-None-Match`: an answer that is ' +
      'still the same (304) costs nothing.',
    example: 'The daily quota of 200 requests is used up. It resets at midnight UTC.',
  },
  INVALID_PARAMETER: {
    status: 400,
    meaning: 'A parameter is missing, malformed or out of bounds. `details` names each one.',
    advice: 'Fix the parameters listed in `details`. Each failed attempt is charged.',
    example: 'limit: "101" is not allowed; it must be a whole number from 1 to 100.',
  },
  INVALID_BODY: {
    status: 400,
    meaning: 'The request body is not JSON or not of the documented shape.',
    advice: 'Send the body that the endpoint expects: `/docs` has an example.',
    example: 'The body must be a JSON object with an array "ids" of card ids.',
  },
  WEBHOOK_REFUSED: {
    status: 400,
    meaning: 'The webhook cannot be made, or can get no event now; the message says why.',
    advice: 'Read the message: webhooks need a public https address, and an account has few.',
    example: 'The webhook is disabled. Enable it first.',
  },
  BATCH_LIMIT_EXCEEDED: {
    status: 400,
    meaning: 'More ids or items were sent than one request may hold.',
    advice: 'Split them across several requests.',
    example: 'A batch holds at most 20 ids; 21 were sent.',
  },
  CARD_NOT_FOUND: {
    status: 404,
    meaning: 'No card has this id.',
    advice:
      'Take ids from search results as they are; they never change. In a batch, an unknown id ' +
      'is not an error; the card is missing from the result.',
    example: 'No card has the id "pokemon-base-charizard-999".',
  },
  SET_NOT_FOUND: {
    status: 404,
    meaning: 'No set has this setId.',
    advice: 'Take the `setId` from a card or from `GET /v1/sets`. A set code does not work.',
    example: 'No set has the setId "pokemon-base-set-9".',
  },
  PRODUCT_NOT_FOUND: {
    status: 404,
    meaning: 'No product has this id.',
    advice: 'Take ids from `GET /v1/products` as they are. The id of a card is not one of them.',
    example: 'No product has the id "pokemon-bs-base-set-booster-crate".',
  },
  ALERT_NOT_FOUND: {
    status: 404,
    meaning: 'Your account has no alert with this id.',
    advice: 'Take ids from `GET /v1/alerts`.',
    example: 'You have no alert with the id "7".',
  },
  WEBHOOK_NOT_FOUND: {
    status: 404,
    meaning: 'Your account has no such webhook, or it has no such event.',
    advice: 'Take ids from `GET /v1/webhooks` and from the deliveries of the webhook.',
    example: 'There is no webhook with the id "7".',
  },
  NOT_FOUND: {
    status: 404,
    meaning: 'There is nothing at this path.',
    advice: 'Compare the path with `/docs`, which lists every endpoint.',
    example: 'There is nothing at /v1/card. See /docs for the endpoints.',
  },
  CURSOR_EXPIRED: {
    status: 410,
    meaning: 'The changes since this cursor are not kept, or the database was restored.',
    advice: 'Start again as the message says, or compare your cards with /v1/manifest.',
    example:
      'This cursor has expired. Compare your cards with /v1/manifest, and go on from the cursor ' +
      'that it gives.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path exists, but does not allow this method. `Allow` lists the allowed ones.',
    advice: 'Use a method that the `Allow` header names.',
    example: 'POST is not allowed for /v1/games; allowed: GET, HEAD.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    meaning: 'The request body is over 64 KiB, or over 500 KiB at POST /v1/resolve.',
    advice: 'Send a smaller body. A full batch is far below the limit.',
    example: 'The body may be at most 65536 bytes.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    meaning: 'The headers and the path together are over 16 KiB.',
    advice: 'Shorten the headers, cookies above all, and the path.',
    example: 'The headers and the path may be at most 16384 bytes together.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    meaning:
      'The headers took longer than 10 seconds to arrive, or the whole request longer than 30.',
    advice:
      'Send the request again, on a faster connection or with a smaller body. The connection ' +
      'is closed.',
    example: 'The request did not arrive in time.',
  },
  MISDIRECTED_REQUEST: {
    status: 421,
    meaning: 'The Host header names a host that the service does not know.',
    advice: 'Call the service by the address that its operator gave you.',
    example: 'This service does not know the host "cards.example".',
  },
  MALFORMED_REQUEST: {
    status: 400,
    meaning: 'The request is not valid HTTP.',
    advice: 'Speak HTTP/1.1 to this port. TLS ends at the proxy in front of the service.',
    example: 'This is not a well-formed HTTP request.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The request body is not declared as JSON.',
    advice: 'Send the body as JSON, and say so in `Content-Type`.',
    example: 'Send the body with Content-Type: application/json.',
  },
  INTERNAL_ERROR: {
    status: 500,
    meaning: 'Something went wrong on our side. The log has it under the request id.',
    advice:
      'Retry with growing pauses; it was not charged. If it persists, give the operator the ' +
      '`X-Request-Id` of the answer: the log has the cause under it.',
    example: 'Something went wrong on our side. Please try again later.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    meaning:
      'The service is starting, stopping, overloaded or without its database, or it has not ' +
      'loaded the publication that `If-Publication-At-Least` demands. `Retry-After` says when ' +
      'to retry.',
    advice: 'Retry after as many seconds as `Retry-After` says. It was not charged.',
    example: 'The service is not ready. Please try again shortly.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ApiErrorCode = keyof typeof API_ERRORS;

/** Errors that only calls of the dashboard answer, in addition to those of the API. */
export const DASHBOARD_ERRORS = {
  UNAUTHORIZED: {
    status: 401,
    meaning:
      'You are not signed in, your session has ended, or the e-mail address or password is ' +
      'wrong. It has the second form: `unauthorized`, without a status.',
    advice: 'Sign in. A session ends after 30 days, and with a change of the password.',
    example: 'Sign in first.',
  },
  FORBIDDEN: {
    status: 403,
    meaning:
      'The call came from a page of another site, is for operators only, or asks for the metrics ' +
      'from elsewhere.',
    advice: 'Call from a page of the service itself. An operator makes other accounts operators.',
    example: 'This is for operators only.',
  },
  REAUTHENTICATION_REQUIRED: {
    status: 403,
    meaning:
      'The call needs a proof of identity from the last ten minutes. Send a password or a ' +
      'passkey to `/dashboard/reauthenticate`, and repeat the call.',
    advice:
      'The call was not carried out. The pages ask for the password or a passkey, and repeat it.',
    example: 'Confirm your identity first.',
  },
  SECOND_FACTOR_REQUIRED: {
    status: 403,
    meaning: 'Operators need a second factor here, and the account has none yet.',
    advice: 'Add an authenticator app or a passkey on the page Account.',
    example: 'Operators need a second factor here. Add one on the page “Account” first.',
  },
  SESSION_REQUIRED: {
    status: 403,
    meaning:
      'The call can give somebody lasting control of an account, so no API key may make it: a ' +
      'link that sets a password, the removal of second factors, the operator role, and the ' +
      'access of operators.',
    advice: 'Do it on the page Accounts or on the command line; the message names the command.',
    example:
      'API keys cannot make links that set a password. Use the page Accounts, or ' +
      '`cardprice account reset-link`.',
  },
  REFUSED: {
    status: 400,
    meaning: 'The request cannot be carried out; the message says why.',
    advice: 'Read the message: it is written for the user of the page.',
    example: 'The account has 5 active keys, which is the most it may have. Revoke one first.',
  },
  CONFLICT: {
    status: 409,
    meaning: 'Somebody else, or another tab, has changed it in the meantime.',
    advice: 'Reload and decide again.',
    example: 'The key was changed in the meantime. Reload it before you continue.',
  },
  REQUEST_RUNNING: {
    status: 409,
    meaning: 'A request with the same `Idempotency-Key` has not been answered yet.',
    advice: 'Repeat the request after as many seconds as `Retry-After` says.',
    example:
      'A request with this Idempotency-Key is still running. Repeat it in 1 s to get its answer.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    meaning: 'The `Idempotency-Key` was sent with another path or body within the last 24 hours.',
    advice: 'Send a new key with each new request, and the same key only to repeat a request.',
    example: 'This Idempotency-Key was sent with another request.',
  },
  TOO_MANY_ATTEMPTS: {
    status: 429,
    meaning: 'Too many attempts. `Retry-After` gives the seconds until the next one is allowed.',
    advice: 'Wait as many seconds as `Retry-After` says.',
    example: 'Too many attempts. Please wait a minute.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type DashboardErrorCode = keyof typeof DASHBOARD_ERRORS;

/** Every error of the API and the dashboard. */
export const ERRORS = { ...API_ERRORS, ...DASHBOARD_ERRORS };

/** A problem with one parameter of a request. */
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

/** An error that the operator can fix. Its message says what is wrong and what to do. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorError';
  }
}

/** A refused change of an account, on the command line or in the dashboard. */
export class AccountError extends OperatorError {
  readonly code: ApiErrorCode | DashboardErrorCode;
  /** The message without the advice for the command line. */
  readonly reason: string;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ApiErrorCode | DashboardErrorCode,
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
