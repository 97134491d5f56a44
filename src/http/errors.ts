import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import {
  AccountError,
  API_ERRORS,
  ApiError,
  type ApiErrorCode,
  type DashboardErrorCode,
  ERRORS,
  type ParameterProblem,
} from '../domain/errors.ts';
import { isUnavailable } from '../store/engine/unavailable.ts';
import { logFailure } from './failures.ts';

/** The form of a 401: `standard` has a status, `unauthorized` does not. */
export type AuthErrorForm = 'standard' | 'unauthorized';

/** Makes the body of an error response. */
export type ErrorForm = (error: ApiError) => object;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The error form of another service's interface; the form of `/v1` if absent. */
    errorForm?: ErrorForm;
    /** A sentence for a 400 that points to another interface with the same path. */
    elsewhere?: string;
  }
}

/** Largest request body, in bytes. */
export const BODY_LIMIT = 64 * 1024;

/** Seconds after which a caller may retry a 503. */
export const RETRY_SECONDS = 5;

/** Converts the errors that Fastify itself throws. */
const FASTIFY_ERRORS: Readonly<Record<string, (hint: string, limit: number) => ApiError>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new ApiError('UNSUPPORTED_MEDIA_TYPE'),
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: () => new ApiError('UNSUPPORTED_MEDIA_TYPE'),
  FST_ERR_CTP_BODY_TOO_LARGE: (_hint, limit) =>
    new ApiError('PAYLOAD_TOO_LARGE', `The body may be at most ${limit} bytes.`),
  FST_ERR_CTP_EMPTY_JSON_BODY: (hint) => invalidBody('body', 'is empty.', hint),
  FST_ERR_CTP_INVALID_JSON_BODY: (hint) => invalidBody('body', 'is not valid JSON.', hint),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: (hint) =>
    invalidBody('body', 'is not as long as announced.', hint),
};

/** Describes the body of a batch. */
const BODY_HINT = API_ERRORS.INVALID_BODY.example;

/** The error for a body with a wrong part. `hint` describes a valid body. */
export function invalidBody(
  parameter: string,
  message: string,
  hint: string = BODY_HINT,
): ApiError {
  return new ApiError('INVALID_BODY', `${parameter}: ${message} ${hint}`, {
    details: [{ parameter, message }],
  });
}

/** The error for a parameter with a wrong value; `message` says what is allowed. */
export function invalidParameter(parameter: string, message: string): ApiError {
  return new ApiError('INVALID_PARAMETER', `${parameter}: ${message}`, {
    details: [{ parameter, message }],
  });
}

/**
 * Returns the error for the caller. Anything unexpected becomes INTERNAL_ERROR; only the log has
 * the details.
 */
function toApiError(error: unknown, hint: string, limit: number): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof AccountError) {
    const { code, reason, retryAfter } = error;
    return new ApiError(code, reason, retryAfter === undefined ? {} : { retryAfter });
  }
  if (isUnavailable(error)) return databaseLost();
  const { code, statusCode = 500 } = error as Partial<FastifyError>;
  const known = FASTIFY_ERRORS[String(code)];
  if (known) return known(hint, limit);
  const isRefusal = String(code).startsWith('FST_') && statusCode >= 400 && statusCode < 500;
  return new ApiError(isRefusal ? 'MALFORMED_REQUEST' : 'INTERNAL_ERROR');
}

/** Returns the error that the caller of a failed request sees, and logs the details it hides. */
export function failureOf(
  error: unknown,
  { log, id }: FastifyRequest,
  hint: string = BODY_HINT,
  limit = BODY_LIMIT,
): ApiError {
  const known = toApiError(error, hint, limit);
  if (known.status >= 500 && known !== error) {
    logFailure(log, error, 'request failed', { reqId: id });
  }
  return known;
}

/** The error for requests that need the database while it is not available. */
function databaseLost(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', undefined, { retryAfter: RETRY_SECONDS });
}

/** The body of the error that answers a request, in the form of its interface. */
export function answerBody(
  { routeOptions: { config } }: FastifyRequest,
  error: ApiError,
  form: AuthErrorForm,
): object {
  if (config.errorForm) return config.errorForm(error);
  return errorBody(
    config.elsewhere === undefined ? error : withHint(error, config.elsewhere),
    form,
  );
}

/** Returns a 400 with a further sentence, and any other error unchanged. */
function withHint(error: ApiError, hint: string): ApiError {
  const { code, message, status, details } = error;
  if (status !== 400) return error;
  return new ApiError(code, `${message} ${hint}`, details && { details });
}

/** The body of an error response. */
export function errorBody(error: ApiError, form: AuthErrorForm) {
  const { code, message, status } = error;
  if (status === 401 && form === 'unauthorized')
    return { error: { code: 'unauthorized', message } };
  if (status !== 400) return { error: { code, message, status } };
  return { error: { code, message, status, details: detailsOf(error) } };
}

/** The details of a 400. Without specific ones, they name the request as a whole. */
function detailsOf({ details, message }: ApiError): readonly ParameterProblem[] {
  return details ?? [{ parameter: 'request', message }];
}

/** Whether a request failed because the caller left before its end. */
function hasGone({ raw }: FastifyRequest, error: unknown): boolean {
  return raw.errored !== null && raw.errored === error;
}

/** Ends a request whose caller has left. Only the log and the metrics use the status. */
function answerNobody(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.log.debug({ reqId: request.id }, 'the caller went away');
  return reply.code(ERRORS.MALFORMED_REQUEST.status).send();
}

/** Notes the code of the error that answers a request, for usage counts and the log. */
export function noteError(request: FastifyRequest, { code }: ApiError): void {
  request.errorCode = code in API_ERRORS ? (code as ApiErrorCode) : null;
}

/**
 * Answers every error that a request throws. `hint` describes the body for routes whose schema does
 * not.
 */
export function errorHandler(form: AuthErrorForm, hint: string = BODY_HINT) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { schema, bodyLimit = BODY_LIMIT } = request.routeOptions;
    const { description = hint } = (schema?.body ?? {}) as { readonly description?: string };
    if (hasGone(request, error)) return answerNobody(request, reply);
    const known = failureOf(error, request, description, bodyLimit);
    noteError(request, known);
    // The handler may have set it before it failed.
    reply.removeHeader('etag');
    if (known.retryAfter !== undefined) reply.header('retry-after', known.retryAfter);
    return reply
      .code(known.status)
      .type('application/json; charset=utf-8')
      .send(answerBody(request, known, form));
  };
}

/** An example of every error, for the documentation. */
export function errorExample(
  code: ApiErrorCode | DashboardErrorCode,
  form: AuthErrorForm = 'standard',
) {
  const { example } = ERRORS[code];
  if (!(code in API_ERRORS)) return errorBody(new ApiError(code), form);
  const [, parameter = 'body', message = example] = /^(\w+): (.*)$/.exec(example) ?? [];
  return errorBody(new ApiError(code, example, { details: [{ parameter, message }] }), form);
}
