import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyRequest,
  FastifySchemaCompiler,
} from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Authenticator, requireOperatorKey } from '../accounts/keys/authenticator.ts';
import { RateLimiter } from '../accounts/quota/rate-limiter.ts';
import { prepareRecord } from '../accounts/quota/usage-sql.ts';
import { ApiError } from '../domain/errors.ts';
import type { OperatorScope } from '../domain/key-scopes.ts';
import type { BurstLimit } from '../domain/plans.ts';
import { keyRestriction, senderOf } from '../http/admission.ts';
import { keyInHeaders } from '../http/api-key.ts';
import { notFound } from '../http/app.ts';
import { errorHandler } from '../http/errors.ts';
import { logFailure } from '../http/failures.ts';
import { operatorCall } from '../http/openapi.ts';
import { validatorCompiler } from '../http/validation.ts';
import { audited, type CallForSessions, type OperatorCall } from './call.ts';
import { OPERATOR_CALLS } from './calls.ts';
import { perform } from './creation.ts';
import type { OperatorServices } from './services.ts';

/** The burst limit of all keys of an account together. */
const KEY_LIMIT: BurstLimit = { requests: 600, seconds: 60 };

/** Serves the calls of operators to programs. Unknown paths run through the hooks as well. */
export async function operatorApi(app: FastifyInstance, services: OperatorServices): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.setErrorHandler(errorHandler('unauthorized', 'Send a JSON object.'));
  app.setValidatorCompiler(bodyValidatorCompiler as never);
  app.decorateRequest('caller', undefined);
  addKeyHook(app, services);
  for (const call of OPERATOR_CALLS) {
    if (call.keys === true) registerCall(app, services, call);
    else refuseCall(app, call);
  }
  app.setNotFoundHandler((request) => {
    throw notFound(request.url);
  });
}

/** Identifies every caller by the key in the header, and records the use of the key. */
function addKeyHook(app: FastifyInstance, { store, clock }: OperatorServices): void {
  const authenticator = new Authenticator(store, clock);
  const rateLimiter = new RateLimiter();
  app.addHook('onRequest', async (request) => {
    const key = keyInHeaders(request.headers);
    const caller = key === '' ? undefined : await authenticator.identify(key);
    if (!caller)
      throw new ApiError('UNAUTHORIZED', 'Send the API key of an operator in X-API-Key.');
    request.caller = caller;
    const restriction = keyRestriction(caller, senderOf(request));
    if (restriction) throw restriction;
    await requireOperatorKey(store, caller, scopeOf(request));
    const wait = rateLimiter.wait(caller.accountId, KEY_LIMIT, clock());
    if (wait > 0) throw tooFast(wait);
  });
  const { addUses } = prepareRecord(store.accounts.engine);
  app.addHook('onResponse', async ({ caller, ip, log, id }) => {
    if (!caller) return;
    await addUses([{ keyId: caller.keyId, at: clock(), address: ip ?? '' }]).catch((err) => {
      logFailure(log, err, 'the use of an API key could not be recorded', { reqId: id });
    });
  });
}

function scopeOf({ method }: Pick<FastifyRequest, 'method'>): OperatorScope {
  return method === 'GET' || method === 'HEAD' ? 'operator:read' : 'operator:write';
}

/** The error of a call that came too early, by `wait` milliseconds. */
export function tooFast(wait: number): ApiError {
  const retryAfter = Math.ceil(wait / 1000);
  const message = `Too many requests. Please wait ${retryAfter} s.`;
  return new ApiError('TOO_MANY_ATTEMPTS', message, { retryAfter });
}

function registerCall(app: FastifyInstance, services: OperatorServices, call: OperatorCall): void {
  const { id: operationId, summary, method, path: url, schema, audit, status = 200 } = call;
  const scope = scopeOf(call);
  const description = `Needs a key with the scope \`${scope}\`.`;
  const documented = { operationId, summary, description, ...operatorCall(call) };
  app.route({
    method,
    url,
    schema,
    config: {
      // Only the document shows these additions, as for the endpoints of the API.
      swaggerTransform: ({ url: full }) => ({ url: full, schema: { ...schema, ...documented } }),
    } satisfies FastifyContextConfig,
    async handler(request, reply) {
      reply.code(status);
      const { params, query, body, caller } = request;
      if (!caller) throw new Error('no hook authenticated the request');
      // The hook has already checked this. Without the hook, a call does nothing.
      const session = await requireOperatorKey(services.store, caller, scope);
      const sent = { params, query, body, request, reply, session };
      const { trail } = services;
      return audited({ kind: 'operator', audit }, trail, request, () =>
        perform(call, services, sent),
      );
    },
  });
}

/** Refuses a call that is for sessions only, and keeps it out of the OpenAPI document. */
function refuseCall(app: FastifyInstance, { method, path: url, keys }: CallForSessions): void {
  app.route({
    method,
    url,
    schema: { hide: true },
    handler() {
      throw new ApiError('SESSION_REQUIRED', keys.refusal);
    },
  });
}

/* Checks bodies against their schemas, with messages for the person who filled in the form. */

/** The part of a body's schema that messages use. */
interface BodySchema {
  readonly properties: Readonly<Record<string, { readonly title?: string }>>;
}

type Fault = ReturnType<ReturnType<typeof Compile>['Errors']>[number];

export const bodyValidatorCompiler: FastifySchemaCompiler<TSchema> = (route) => {
  return route.httpPart === 'body' ? bodyValidator(route.schema) : validatorCompiler(route);
};

function bodyValidator(schema: TSchema) {
  const checker = Compile(schema);
  const { properties } = schema as unknown as BodySchema;
  return (body: unknown) => {
    if (checker.Check(body)) return { value: body };
    const [fault] = checker.Errors(body);
    const parameter = fault ? partOf(fault) : 'body';
    const name = properties[parameter]?.title ?? 'What was sent';
    const message = `${name} ${fault ? problemOf(fault) : 'is wrong'}.`;
    return {
      error: new ApiError('INVALID_BODY', message, { details: [{ parameter, message }] }),
    };
  };
}

function partOf(fault: Fault): string {
  if (fault.keyword === 'required') return fault.params.requiredProperties[0] ?? 'body';
  const [, name = 'body'] = fault.instancePath.split('/');
  return name;
}

function problemOf(fault: Fault): string {
  switch (fault.keyword) {
    case 'required':
    case 'minLength':
    case 'minItems':
      return 'is missing';
    case 'maxLength':
      return `may have at most ${fault.params.limit} characters`;
    case 'maxItems':
      return `may have at most ${fault.params.limit} items`;
    case 'enum':
      return `must be one of ${fault.params.allowedValues.join(', ')}`;
    default:
      return fault.message;
  }
}
