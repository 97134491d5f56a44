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

/** The form of a 401: `standard` has a status, `unauthorized` has none. */
export type AuthErrorForm = 'standard' | 'unauthorized';

/** Largest request body, in bytes. */
export const BODY_LIMIT = 64 * 1024;

/** The errors that fastify throws itself, as ours. */
const FASTIFY_ERRORS: Readonly<Record<string, (hint: string, limit: number) => ApiError>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new ApiError('UNSUPPORTED_MEDIA_TYPE'),
  FST_ERR_CTP_BODY_TOO_LARGE: (_hint, limit) =>
    new ApiError('PAYLOAD_TOO_LARGE', `The body may be at most ${limit} bytes.`),
  FST_ERR_CTP_EMPTY_JSON_BODY: (hint) => invalidBody('body', 'is empty.', hint),
  FST_ERR_CTP_INVALID_JSON_BODY: (hint) => invalidBody('body', 'is not valid JSON.', hint),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: (hint) =>
    invalidBody('body', 'is not as long as announced.', hint),
};

/** Says what the body of a batch must be. */
const BODY_HINT = API_ERRORS.INVALID_BODY.example;

/** The error for a body with a wrong part; `hint` says what the body must be. */
export function invalidBody(
  parameter: string,
  message: string,
  hint: string = BODY_HINT,
): ApiError {
  return new ApiError('INVALID_BODY', `${parameter}: ${message} ${hint}`, {
    details: [{ parameter, message }],
  });
}

/**
 * The error that the caller sees. Anything unexpected becomes INTERNAL_ERROR without details, which
 * only the log has.
 */
function toApiError(error: unknown, hint: string, limit: number): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof AccountError) {
    const { code, reason, retryAfter } = error;
    return new ApiError(code, reason, retryAfter === undefined ? {} : { retryAfter });
  }
  const { code } = error as Partial<FastifyError>;
  return FASTIFY_ERRORS[code ?? '']?.(hint, limit) ?? new ApiError('INTERNAL_ERROR');
}

/** The body of an error response. */
export function errorBody(error: ApiError, form: AuthErrorForm) {
  const { code, message, status } = error;
  if (status === 401 && form === 'unauthorized')
    return { error: { code: 'unauthorized', message } };
  if (status !== 400) return { error: { code, message, status } };
  return { error: { code, message, status, details: detailsOf(error) } };
}

/** The details of a 400; without any, they blame the whole request. */
function detailsOf({ details, message }: ApiError): readonly ParameterProblem[] {
  return details ?? [{ parameter: 'request', message }];
}

/**
 * Answers everything that a request throws. `hint` says what the body must be of a route that does
 * not describe it.
 */
export function errorHandler(form: AuthErrorForm, hint: string = BODY_HINT) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { schema, bodyLimit = BODY_LIMIT } = request.routeOptions;
    const { description = hint } = (schema?.body ?? {}) as { readonly description?: string };
    const known = toApiError(error, description, bodyLimit);
    if (known.status >= 500) request.log.error({ reqId: request.id, err: error }, 'request failed');
    // The handler may have set it before it failed.
    reply.removeHeader('etag');
    if (known.retryAfter !== undefined) reply.header('retry-after', known.retryAfter);
    return reply
      .code(known.status)
      .type('application/json; charset=utf-8')
      .send(errorBody(known, form));
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
