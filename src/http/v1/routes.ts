import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  HTTPMethods,
} from 'fastify';
import { type TObject, type TSchema, Type } from 'typebox';
import { dayOf } from '../../domain/day.ts';
import { ApiError, type ApiErrorCode } from '../../domain/errors.ts';
import type { Feature } from '../../domain/plans.ts';
import { errorResponses, goodResponses, REQUEST_HEADERS } from '../openapi.ts';
import { StrictParameter } from '../parameters.ts';
import { pathOf } from '../request-log.ts';
import { ResponseCache } from '../response-cache.ts';
import { unknownParametersOf, validatorCompiler } from '../validation.ts';
import { batch, batchOfQuery, card, cardByExternalId, related } from './card.ts';
import {
  type Endpoint,
  isPaged,
  PlanHistory,
  type PlanHolder,
  type ServiceResources,
} from './endpoint.ts';
import { explain } from './explain.ts';
import { historyOfDays, historyOfPeriod } from './history.ts';
import { marketplaceChanges } from './marketplace-changes.ts';
import { movers } from './movers.ts';
import { resolve } from './resolve.ts';
import { autocomplete, cardSearch, search } from './search.ts';
import { setCards } from './set-cards.ts';
import { games, rarities, set, sets, setsOfGame } from './sets.ts';

/** Every endpoint of `/v1`, in the order of the reference. */
export const ENDPOINTS: readonly Endpoint[] = [
  search, //          GET  /v1/search
  cardSearch, //      GET  /v1/cards/search
  autocomplete, //    GET  /v1/autocomplete
  card, //            GET  /v1/cards/:id
  cardByExternalId, // GET /v1/cards/by/:idSpace/:externalId
  related, //         GET  /v1/cards/:id/related
  historyOfPeriod, // GET  /v1/cards/:id/history   Trader and above
  historyOfDays, //   GET  /v1/cards/:id/prices    Trader and above
  explain, //         GET  /v1/cards/:id/explain   Trader and above
  batch, //           POST /v1/cards/batch         Trader and above
  batchOfQuery, //    GET  /v1/cards               Trader and above
  resolve, //         POST /v1/resolve             Trader and above
  sets, //            GET  /v1/sets
  set, //             GET  /v1/sets/:setId
  setCards, //        GET  /v1/sets/:setId/cards
  games, //           GET  /v1/games
  setsOfGame, //      GET  /v1/games/:game/sets
  rarities, //        GET  /v1/rarities
  movers, //          GET  /v1/movers
  marketplaceChanges, // GET /v1/marketplace-changes   Trader and above
];

/** The names under which the usage recorder counts requests, by the index of their endpoint. */
export const ENDPOINT_NAMES: readonly string[] = ENDPOINTS.map(({ method, path }) => {
  return `${method} ${documented(path)}`;
});

/** Where endpoints are registered, and for whom. */
export interface Mount {
  readonly endpoints: readonly Endpoint[];
  /** Whether they are in the OpenAPI document. */
  readonly isDocumented: boolean;
  /**
   * Returns the caller that the hooks of this mount authenticated. Handlers require one, so a mount
   * without hooks answers 500 and never data.
   */
  callerOf(request: FastifyRequest): PlanHolder | undefined;
  /** The features that callers of this mount need not have in their plan. */
  readonly openFeatures?: readonly Feature[];
  /** Further route configuration for the hooks of this mount. */
  configOf?(endpoint: Endpoint): FastifyContextConfig;
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
export function registerEndpoints(
  app: FastifyInstance,
  resources: ServiceResources,
  mount: Mount,
): void {
  const cache = new ResponseCache();
  for (const endpoint of mount.endpoints) {
    const { method, path, schema, bodyLimit } = endpoint;
    app.route({
      method,
      url: path,
      schema: { ...schema, querystring: queryOf(endpoint), hide: !mount.isDocumented },
      validatorCompiler: validatorCompiler as never,
      ...(bodyLimit !== undefined && { bodyLimit }),
      config: {
        ...chargingOf(endpoint, mount),
        ...mount.configOf?.(endpoint),
        endpoint: ENDPOINTS.indexOf(endpoint),
        // Only in the document: compiling a serialiser for every error of every route is slow.
        ...(mount.isDocumented && {
          swaggerTransform: ({ url }) => ({ url, schema: withErrors(endpoint) }),
        }),
      },
      handler: handlerOf(endpoint, resources, cache, mount),
    });
    const allowed: HTTPMethods[] = method === 'GET' ? ['GET', 'HEAD'] : [method];
    const refuse = methodNotAllowed(path, allowed);
    app.route({
      method: METHODS.filter((other) => !allowed.includes(other)),
      url: path,
      schema: { hide: true },
      // A hook, so that the body is not read first: nothing in it could make the method right.
      onRequest: refuse,
      handler: refuse,
    });
  }
}

/** Returns what the hooks check for an endpoint, and what they charge. */
function chargingOf(endpoint: Endpoint, { openFeatures = [] }: Mount): FastifyContextConfig {
  const { scope = 'read', feature, parameterFeatures, historyDays, cost } = endpoint;
  return {
    scope,
    ...(feature && !openFeatures.includes(feature) && { feature }),
    ...(parameterFeatures && { parameterFeatures }),
    ...(historyDays && { historyDays: (query) => historyDays(query) }),
    ...(cost && { cost }),
  };
}

function handlerOf(
  endpoint: Endpoint,
  resources: ServiceResources,
  cache: ResponseCache,
  mount: Mount,
) {
  const { catalog, clock } = resources;
  const isHistoryOpen = mount.openFeatures?.includes('history') === true;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (!catalog.ready) throw new ApiError('SERVICE_UNAVAILABLE', undefined, { retryAfter: 5 });
    const caller = mount.callerOf(request);
    if (!caller) throw new Error('no hook authenticated the request');
    const history = new PlanHistory(resources.history, caller, isHistoryOpen);
    const { url } = request;
    if (!endpoint.isCacheable?.(request)) {
      const body = await endpoint.answer(resources, request, history);
      addLink(reply, linksOf(endpoint, url, body));
      return withWarnings(body, request);
    }
    const edition = { publication: catalog.publication.id, day: dayOf(clock()) };
    let cached = cache.get(url, edition);
    if (cached) {
      // It may have been cached for a caller whose plan includes more.
      history.require(cached.historyDays);
    } else {
      const body = (await endpoint.answer(resources, request, history)) as object;
      const parts = { link: linksOf(endpoint, url, body), historyDays: history.daysRead };
      const text = String(reply.serialize(withWarnings(body, request)));
      cached = cache.add(url, edition, text, parts);
    }
    addLink(reply, cached.link);
    reply.header('etag', cached.etag).type('application/json; charset=utf-8');
    return cached.payload;
  };
}

/** Returns a body with the parameters of the request that its endpoint does not have. */
function withWarnings(body: unknown, { query }: FastifyRequest): unknown {
  const warnings = unknownParametersOf(query);
  return warnings ? { ...(body as object), warnings } : body;
}

/** Returns the `Link` header of a page of a list; undefined for other answers. */
function linksOf(endpoint: Endpoint, url: string, body: unknown): string | undefined {
  return isPaged(endpoint) ? pageLinks(url, body as PagePlace) : undefined;
}

function addLink(reply: FastifyReply, link: string | undefined): void {
  if (link !== undefined) reply.header('link', link);
}

/** Returns a handler that answers 405. */
function methodNotAllowed(path: string, methods: readonly HTTPMethods[]) {
  const allowed = methods.join(', ');
  return async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    reply.header('allow', allowed);
    throw new ApiError(
      'METHOD_NOT_ALLOWED',
      `${request.method} is not allowed for ${documented(path)}; allowed: ${allowed}.`,
    );
  };
}

/** Returns the schema of an endpoint with its headers and error responses, for the document. */
function withErrors(endpoint: Endpoint): FastifySchema {
  const { schema, documentedBody, errors, feature, parameterFeatures } = endpoint;
  const restricted: ApiErrorCode[] = feature || parameterFeatures ? ['PLAN_RESTRICTION'] : [];
  const response = {
    ...goodResponses(schema.response[200], endpoint.method, isPaged(endpoint)),
    ...errorResponses([...errors, ...restricted]),
  };
  const body = documentedBody && { body: documentedBody };
  return { ...schema, headers: REQUEST_HEADERS, ...body, querystring: queryOf(endpoint), response };
}

/** Returns the schema of all parameters of an endpoint's query. */
function queryOf({ schema: { querystring } }: Endpoint): TSchema {
  const { properties } = (querystring ?? Type.Object({})) as TObject;
  return Type.Object({ ...properties, strict: StrictParameter });
}

/** Returns a path as the reference writes it: `/v1/cards/{id}`. */
function documented(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

/** The place of a page in its list. */
export interface PagePlace {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** Longer URLs get no links: four of them could exceed the header limits of clients. */
const LONGEST_URL = 1500;

/**
 * Returns the `Link` header of a page (RFC 8288): the first, previous, next and last page, if they
 * exist. It leaves out an API key in the query. Undefined if the URL is very long.
 */
export function pageLinks(url: string, { total, limit, offset }: PagePlace): string | undefined {
  if (url.length > LONGEST_URL) return undefined;
  const path = pathOf(url);
  const query = new URLSearchParams(url.slice(path.length + 1));
  query.delete('api_key');
  const last = lastOffset({ total, limit, offset });
  const offsets: readonly (readonly [rel: string, offset: number])[] = [
    ['first', 0],
    ['prev', Math.max(0, Math.min(offset - limit, last))],
    ['next', offset + limit],
    ['last', last],
  ];
  return offsets
    .filter(([rel, to]) => (rel !== 'prev' || offset > 0) && (rel !== 'next' || to < total))
    .map(([rel, to]) => {
      query.set('limit', String(limit));
      query.set('offset', String(to));
      return `<${path}?${query}>; rel="${rel}"`;
    })
    .join(', ');
}

/** Returns the offset of the last page when stepping on from this one; 0 for an empty list. */
function lastOffset({ total, limit, offset }: PagePlace): number {
  const start = offset < total ? offset % limit : 0;
  return total <= start ? 0 : start + Math.floor((total - start - 1) / limit) * limit;
}
