import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  HTTPMethods,
} from 'fastify';
import type { Caller } from '../../accounts/authenticator.ts';
import type { Session } from '../../accounts/sessions.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { ApiErrorCode } from '../../domain/errors.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Feature } from '../../domain/plans.ts';
import type { ObservationsReader } from '../../store/explain.ts';
import type { historyReader } from '../../store/history.ts';
import { errorResponses, goodResponses } from '../openapi.ts';
import { ResponseCache } from '../response-cache.ts';
import { autocomplete } from './autocomplete.ts';
import { batch } from './batch.ts';
import { card } from './card.ts';
import { explain } from './explain.ts';
import { games } from './games.ts';
import { historyOfDays, historyOfPeriod } from './history.ts';
import { search } from './search.ts';
import { sets } from './sets.ts';

export type HistoryReader = ReturnType<typeof historyReader>;

/** What the endpoints answer from. */
export interface Resources {
  readonly catalog: Catalog;
  readonly history: HistoryReader;
  readonly observations: ObservationsReader;
  /** Whether prices of conditions that no source gives are estimated. */
  readonly estimates: boolean;
}

/** One endpoint: its schema validates, serialises and documents; `answer` makes the body. */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** What the caller's plan must include. */
  readonly feature?: Feature;
  readonly schema: FastifySchema;
  /** The errors that this endpoint can answer besides those that all of them can. */
  readonly errors: readonly ApiErrorCode[];
  /**
   * Whether an answer follows from the published catalogue and history alone, so that it holds for
   * everybody until the next publication. None does unless this says so.
   */
  isCacheable?(request: EndpointRequest): boolean;
  /** `asker` can only be had from the gate, or of a session: whoever asks has been let in. */
  answer(resources: Resources, request: EndpointRequest, asker: Caller | Session): unknown;
}

export interface EndpointRequest {
  readonly query: unknown;
  readonly params: unknown;
  readonly body: unknown;
}

/** Every endpoint of `/v1`, on one screen. */
export const ENDPOINTS: readonly Endpoint[] = [
  search, //          GET  /v1/search
  autocomplete, //    GET  /v1/autocomplete
  card, //            GET  /v1/cards/:id
  historyOfPeriod, // GET  /v1/cards/:id/history   Trader and above
  historyOfDays, //   GET  /v1/cards/:id/prices    Trader and above
  explain, //         GET  /v1/cards/:id/explain   Trader and above
  batch, //           POST /v1/cards/batch         Trader and above
  sets, //            GET  /v1/sets
  games, //           GET  /v1/games
];

/** What requests of each endpoint are counted under. */
export const ENDPOINT_NAMES: readonly string[] = ENDPOINTS.map(({ method, path }) => {
  return `${method} ${documented(path)}`;
});

/** Where endpoints are registered, and who may ask there. */
export interface Mount {
  readonly endpoints: readonly Endpoint[];
  /** Whether they are in the OpenAPI document. */
  readonly isDocumented: boolean;
  /** Who sent a request; a hook before has thrown where it is nobody. */
  asker(request: FastifyRequest): Caller | Session | undefined;
}

const METHODS: readonly HTTPMethods[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
];

/** Registers endpoints, and a 405 for each other method of their paths. */
export function registerEndpoints(app: FastifyInstance, resources: Resources, mount: Mount): void {
  const answers = new ResponseCache();
  for (const endpoint of mount.endpoints) {
    const { method, path, schema, feature, errors } = endpoint;
    app.route({
      method,
      url: path,
      schema: mount.isDocumented ? schema : { ...schema, hide: true },
      config: {
        ...(feature ? { feature } : {}),
        endpoint: ENDPOINTS.indexOf(endpoint),
        // In the document alone: a serialiser of each error of each route takes long to compile.
        ...(mount.isDocumented && {
          swaggerTransform: ({ url }) => ({ url, schema: withErrors(schema, errors, feature) }),
        }),
      },
      handler: handlerOf(endpoint, resources, answers, mount),
    });
    const allowed: HTTPMethods[] = method === 'GET' ? ['GET', 'HEAD'] : [method];
    const refuse = refusal(path, allowed);
    app.route({
      method: METHODS.filter((other) => !allowed.includes(other)),
      url: path,
      schema: { hide: true },
      // Before the body is read: nothing in it could make the method right.
      onRequest: refuse,
      handler: refuse,
    });
  }
}

function handlerOf(endpoint: Endpoint, resources: Resources, answers: ResponseCache, mount: Mount) {
  const { catalog } = resources;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (!catalog.ready) throw new ApiError('SERVICE_UNAVAILABLE', undefined, { retryAfter: 5 });
    const asker = mount.asker(request);
    if (!asker) throw new Error('an endpoint was reached without anybody asking');
    if (!endpoint.isCacheable?.(request)) return endpoint.answer(resources, request, asker);
    const { url } = request;
    const { revision } = catalog;
    let kept = answers.get(url, revision);
    if (!kept) {
      const answer = (await endpoint.answer(resources, request, asker)) as object;
      kept = answers.add(url, revision, String(reply.serialize(answer)));
    }
    reply.header('etag', kept.etag).type('application/json; charset=utf-8');
    return kept.payload;
  };
}

function refusal(path: string, methods: readonly HTTPMethods[]) {
  const allowed = methods.join(', ');
  return async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    reply.header('allow', allowed);
    throw new ApiError(
      'METHOD_NOT_ALLOWED',
      `${request.method} is not allowed for ${documented(path)}; allowed: ${allowed}.`,
    );
  };
}

function withErrors(
  schema: FastifySchema,
  errors: readonly ApiErrorCode[],
  feature: Feature | undefined,
): FastifySchema {
  const restricted: ApiErrorCode[] = feature ? ['PLAN_RESTRICTION'] : [];
  const { 200: found } = schema.response as { 200: object };
  const response = { ...goodResponses(found), ...errorResponses([...errors, ...restricted]) };
  return { ...schema, response };
}

/** A path as the reference writes it. */
function documented(path: string): string {
  return path.replace(':id', '{id}');
}
