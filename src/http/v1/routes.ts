import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  HTTPMethods,
} from 'fastify';
import { type TObject, type TSchema, Type } from 'typebox';
import { OTHER_ENDPOINT } from '../../accounts/quota/usage-recorder.ts';
import { dayOf } from '../../domain/day.ts';
import { ApiError, type ApiErrorCode } from '../../domain/errors.ts';
import type { Feature } from '../../domain/plans.ts';
import { type Needs, needsOf } from '../admission.ts';
import type { ErrorForm } from '../errors.ts';
import { logFailure } from '../failures.ts';
import { CREATION_HEADERS, errorResponses, goodResponses, REQUEST_HEADERS } from '../openapi.ts';
import { StrictParameter } from '../parameters.ts';
import { REPLAYED, repeatable } from '../repeatable.ts';
import { pathOf } from '../request-log.ts';
import {
  type CachedResponse,
  type Edition,
  etagOf,
  type ResponseCache,
  type ResponseParts,
  type Serialized,
} from '../response-cache.ts';
import { FormatParameter, sendTable, type Table, wantedTable } from '../tables.ts';
import { unknownParametersOf, validatorCompiler } from '../validation.ts';
import {
  alertEvents,
  changeAlert,
  createAlert,
  getAlert,
  listAlerts,
  previewAlert,
} from './alerts.ts';
import { bulk } from './bulk.ts';
import { batch, batchOfQuery, card, cardByExternalId, related } from './card.ts';
import { changes } from './changes.ts';
import { coverage } from './coverage.ts';
import {
  Creation,
  type Endpoint,
  Incomplete,
  ItemList,
  isPaged,
  PlanHistory,
  type PlanHolder,
  type ServiceResources,
} from './endpoint.ts';
import { explain } from './explain.ts';
import { cardStatistics, historyOfDays, historyOfPeriod } from './history.ts';
import { manifest } from './manifest.ts';
import { marketplaceChanges } from './marketplace-changes.ts';
import { movers } from './movers.ts';
import type { PagePlace } from './page-cursor.ts';
import { gameIndex, setIndex } from './price-index.ts';
import { product, productHistory, products } from './products.ts';
import { resolve } from './resolve.ts';
import { autocomplete, cardSearch, search } from './search.ts';
import { setCards } from './set-cards.ts';
import { games, rarities, set, sets, setsOfGame } from './sets.ts';
import { usage } from './usage.ts';
import {
  changeWebhook,
  createWebhook,
  listDeliveries,
  listWebhooks,
  resendDelivery,
} from './webhooks.ts';

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
  cardStatistics, //  GET  /v1/cards/:id/statistics   Trader and above
  explain, //         GET  /v1/cards/:id/explain   Trader and above
  batch, //           POST /v1/cards/batch         Trader and above
  batchOfQuery, //    GET  /v1/cards               Trader and above
  resolve, //         POST /v1/resolve             Trader and above
  products, //        GET  /v1/products
  product, //         GET  /v1/products/:id
  productHistory, //  GET  /v1/products/:id/history   Trader and above
  sets, //            GET  /v1/sets
  set, //             GET  /v1/sets/:setId
  setCards, //        GET  /v1/sets/:setId/cards
  setIndex, //        GET  /v1/sets/:setId/index      Trader and above
  games, //           GET  /v1/games
  setsOfGame, //      GET  /v1/games/:game/sets
  gameIndex, //       GET  /v1/games/:game/index      Trader and above
  rarities, //        GET  /v1/rarities
  movers, //          GET  /v1/movers
  changes, //         GET  /v1/changes
  manifest, //        GET  /v1/manifest
  marketplaceChanges, // GET /v1/marketplace-changes   Trader and above
  coverage, //        GET  /v1/coverage
  bulk, //            GET  /v1/bulk
  listAlerts, //      GET  /v1/alerts
  createAlert, //     POST /v1/alerts
  previewAlert, //    POST /v1/alerts/preview
  alertEvents, //     GET  /v1/alerts/events
  getAlert, //        GET  /v1/alerts/:id
  changeAlert, //     POST /v1/alerts/:id/:change
  listWebhooks, //    GET  /v1/webhooks
  createWebhook, //   POST /v1/webhooks
  changeWebhook, //   POST /v1/webhooks/:id/:change
  listDeliveries, //  GET  /v1/webhooks/:id/deliveries
  resendDelivery, //  POST /v1/webhooks/:id/deliveries/:event/resend
  usage, //           GET  /v1/usage
];

/** The endpoints of `/v1` that are not about the caller. */
export const DATA_ENDPOINTS = ENDPOINTS.filter(({ isOfCaller }) => !isOfCaller);

/** Returns the name under which the usage recorder counts the requests of an endpoint. */
export function nameOfEndpoint({ method, path }: Endpoint): string {
  return `${method} ${documented(path)}`;
}

/** A registration of endpoints, and its audience. */
export interface Mount {
  readonly endpoints: readonly Endpoint[];
  /** Keeps the bodies of cacheable endpoints. */
  readonly cache: ResponseCache;
  /** Whether they are in the OpenAPI document. */
  readonly isDocumented: boolean;
  /**
   * Returns the caller that the hooks of this mount authenticated. Handlers require one, so a mount
   * without hooks answers 500 and never data.
   */
  callerOf(request: FastifyRequest): PlanHolder | undefined;
  /** The form of errors; the form of `/v1` by default. */
  readonly errorForm?: ErrorForm;
  /** Features that callers of this mount may use with any plan. */
  readonly openFeatures?: readonly Feature[];
  /** Whether all answers are JSON, including those of endpoints with tables. */
  readonly isJsonOnly?: true;
  /** Further route configuration for the hooks of this mount. */
  configOf?(endpoint: Endpoint): FastifyContextConfig;
}

/** The methods that routes without an endpoint refuse. */
export const METHODS: readonly HTTPMethods[] = [
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
  const errors = mount.errorForm && { errorForm: mount.errorForm };
  const byPath = Map.groupBy(mount.endpoints, ({ path }) => path);
  for (const endpoint of mount.endpoints) {
    const offered = tableIn(endpoint, mount);
    const { method, path, schema, bodyLimit, cost, isCacheable } = endpoint;
    // The hot path charges one request for a cached body without examining the request.
    if (cost && isCacheable) throw new Error(`${path} has a cost, so it cannot be cacheable`);
    app.route({
      method,
      url: path,
      schema: {
        ...schema,
        querystring: queryOf(endpoint, offered),
        hide: !mount.isDocumented,
      },
      validatorCompiler: validatorCompiler as never,
      ...(bodyLimit !== undefined && { bodyLimit }),
      config: {
        ...chargingOf(endpoint, mount),
        endpoint: ENDPOINTS.indexOf(endpoint),
        ...errors,
        ...mount.configOf?.(endpoint),
        // Only in the document: compiling a serialiser for every error of every route is slow.
        ...(mount.isDocumented && {
          swaggerTransform: ({ url }) => ({ url, schema: withErrors(endpoint) }),
        }),
      },
      handler: handlerOf(endpoint, resources, mount),
    });
  }
  for (const [path, all] of byPath) {
    const allowed = all.flatMap(({ method }): HTTPMethods[] => {
      return method === 'GET' ? ['GET', 'HEAD'] : [method];
    });
    const refuse = methodNotAllowed(path, allowed);
    app.route({
      method: METHODS.filter((other) => !allowed.includes(other)),
      url: path,
      schema: { hide: true },
      config: { ...errors },
      // A hook, which runs before the body is read: no body could make the method right.
      onRequest: refuse,
      handler: refuse,
    });
  }
}

/** Returns the checks and charges of the hooks for an endpoint, and the additions to its errors. */
function chargingOf(endpoint: Endpoint, { openFeatures = [] }: Mount): FastifyContextConfig {
  const { scope = 'read', feature, parameterFeatures, historyDays, cost, elsewhere } = endpoint;
  return {
    scope,
    ...(feature && !openFeatures.includes(feature) && { feature }),
    ...(parameterFeatures && { parameterFeatures: closed(parameterFeatures, openFeatures) }),
    ...(historyDays && { historyDays: (query) => historyDays(query) }),
    ...(cost && { cost }),
    ...(elsewhere !== undefined && { elsewhere }),
  };
}

/** Returns the features that are not open. */
function closed(features: Readonly<Record<string, Feature>>, open: readonly Feature[]) {
  return Object.fromEntries(Object.entries(features).filter(([, one]) => !open.includes(one)));
}

function handlerOf(endpoint: Endpoint, resources: ServiceResources, mount: Mount) {
  const { catalog } = resources;
  const { cache } = mount;
  const offered = tableIn(endpoint, mount);
  const isHistoryOpen = mount.openFeatures?.includes('history') === true;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (!catalog.ready) throw new ApiError('SERVICE_UNAVAILABLE', undefined, { retryAfter: 5 });
    const caller = mount.callerOf(request);
    if (!caller) throw new Error('no hook authenticated the request');
    const history = new PlanHistory(resources, caller, isHistoryOpen);
    const { url } = request;
    const fragments = { cache, edition: editionOf(resources) };
    const answer = async () => {
      const answered = await endpoint.answer(resources, request, history, caller, request);
      if (answered instanceof Creation) return created(answered, resources, request, reply);
      return completed(answered, request, history);
    };
    const table = wantedTable(offered, request);
    if (table) {
      const { body } = await answer();
      addLink(reply, linksOf(endpoint, url, body));
      return sendTable(reply, table, wholeOf(body));
    }
    if (!endpoint.isCacheable?.(request)) {
      const { body } = await answer();
      if (body instanceof ItemList) return sendJson(reply, serialized(reply, body, fragments));
      addLink(reply, linksOf(endpoint, url, body));
      return withWarnings(body, request);
    }
    const cached = allowed(cache.get(url, fragments.edition), history);
    if (cached) {
      addLink(reply, cached.link);
      return sendJson(reply, cached);
    }
    const { body, isKept } = await answer();
    if (!isKept) return withWarnings(body, request);
    const parts = partsOf(endpoint, request, { body, historyDays: history.daysRead });
    const text = serialized(reply, body, fragments);
    const added = cache.add(url, fragments.edition, { ...parts, ...text });
    addLink(reply, added.link);
    return sendJson(reply, added);
  };
}

/** Creates something, unless the request repeats an earlier one. */
async function created(
  { create }: Creation,
  { replays }: ServiceResources,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { caller } = request;
  const sent = caller && repeatable(request, caller.accountId);
  const { answer, isReplay } = await replays.run(sent, { prepare: () => {}, create });
  if (isReplay) reply.header(REPLAYED, 'true');
  return { body: answer, isKept: false };
}

/** Returns a cached body, unless it was made for a caller whose plan includes more history. */
function allowed(kept: CachedResponse | undefined, history: PlanHistory) {
  return kept && !history.restrictionOf(kept.historyDays) ? kept : undefined;
}

/** Returns a body and whether it can be cached. Logs why a part is missing. */
function completed(answered: unknown, { log, id }: FastifyRequest, { isBounded }: PlanHistory) {
  if (!(answered instanceof Incomplete)) return { body: answered, isKept: !isBounded };
  logFailure(log, answered.cause, 'an answer lacks a part', { reqId: id });
  return { body: answered.body as unknown, isKept: false };
}

function sendJson(reply: FastifyReply, { payload, etag }: Serialized): string {
  reply.header('etag', etag).type('application/json; charset=utf-8');
  return payload;
}

interface Fragments {
  readonly cache: ResponseCache;
  readonly edition: Edition;
}

/** Serialises a body. Each item of a list is serialised only once per edition. */
function serialized(reply: FastifyReply, body: unknown, { cache, edition }: Fragments): Serialized {
  if (!(body instanceof ItemList) || unknownParametersOf(reply.request.query)) {
    const payload = String(reply.serialize(withWarnings(wholeOf(body), reply.request)));
    return { payload, etag: etagOf(payload) };
  }
  const items = body.items.map(({ id, make }) => {
    return cache.fragment(id, edition, () => {
      return String(reply.serializeInput(make() as never, body.schema as never));
    });
  });
  const missing = body.missing.length === 0 ? '' : `,"missing":${JSON.stringify(body.missing)}`;
  const payload = `{"data":[${items.map((item) => item.payload).join()}]${missing}}`;
  return { payload, etag: etagOf(items.map((item) => item.etag).join() + missing) };
}

/** Returns a body with all of its items. */
function wholeOf(body: unknown): unknown {
  if (!(body instanceof ItemList)) return body;
  const { items, missing } = body;
  return { data: items.map(({ make }) => make()), ...(missing.length > 0 && { missing }) };
}

/** The edition of the response cache that belongs to the served catalogue. */
export function editionOf({ catalog, clock }: Pick<ServiceResources, 'catalog' | 'clock'>) {
  return { publication: catalog.publication.id, day: dayOf(clock()) };
}

/** Returns the parts of a response that are cached with its body. */
function partsOf(
  endpoint: Endpoint,
  { url, query, routeOptions: { config } }: FastifyRequest,
  { body, historyDays }: { readonly body: unknown; readonly historyDays: number },
): ResponseParts {
  const needs = withHistory(needsOf(config, query), historyDays);
  const route = { endpoint: config.endpoint ?? OTHER_ENDPOINT, route: endpoint.path };
  return { ...route, link: linksOf(endpoint, url, body), historyDays, needs };
}

/** Adds the history in a body to the requirements of its request. */
function withHistory({ features, historyDays, ...needs }: Needs, daysRead: number): Needs {
  const isMissing = daysRead > 0 && !features.includes('history');
  return {
    ...needs,
    features: isMissing ? [...features, 'history'] : features,
    historyDays: Math.max(historyDays, daysRead),
  };
}

/** Returns a body with the request's unknown parameters, which its endpoint does not have. */
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
export function methodNotAllowed(path: string, methods: readonly HTTPMethods[]) {
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
  const { schema, documentedBody, errors, feature, parameterFeatures, creates, table } = endpoint;
  const isConditional = endpoint.method === 'GET' && !endpoint.alwaysChanges;
  const restricted: ApiErrorCode[] = feature || parameterFeatures ? ['PLAN_RESTRICTION'] : [];
  const response = {
    ...goodResponses(schema.response[200], { isConditional, isPaged: isPaged(endpoint) }),
    ...errorResponses([...errors, ...restricted]),
  };
  const body = documentedBody && { body: documentedBody };
  return {
    ...schema,
    headers: creates ? CREATION_HEADERS : REQUEST_HEADERS,
    ...body,
    querystring: queryOf(endpoint, table),
    response,
  };
}

/** Returns the table that a mount offers for the answers of an endpoint. */
function tableIn({ table }: Endpoint, { isJsonOnly }: Mount): Table | undefined {
  return isJsonOnly ? undefined : table;
}

/** Returns the schema of all parameters of an endpoint's query. */
function queryOf({ schema: { querystring } }: Endpoint, table: Table | undefined): TSchema {
  const { properties } = (querystring ?? Type.Object({})) as TObject;
  const format = table && !table.isOnly && { format: FormatParameter };
  return Type.Object({ ...properties, ...format, strict: StrictParameter });
}

/** Returns a path in the notation of the reference: `/v1/cards/{id}`. */
function documented(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

/**
 * URLs that are longer, not counting their cursor, get no links, which could exceed the limits of
 * clients.
 */
const LONGEST_URL = 1500;

type Link = readonly [rel: string, parameters: Readonly<Record<string, string | number>>];

/**
 * Returns the `Link` header of a page (RFC 8288): the first, previous, next and last page, if they
 * exist; for pages by cursor, the first and next. Omits an API key in the query. Undefined if the
 * URL is very long.
 */
export function pageLinks(url: string, place: PagePlace): string | undefined {
  const path = pathOf(url);
  const query = new URLSearchParams(url.slice(path.length + 1));
  if (url.length - (query.get('cursor')?.length ?? 0) > LONGEST_URL) return undefined;
  query.delete('api_key');
  const links = place.nextCursor === undefined ? offsetLinks(place) : cursorLinks(place.nextCursor);
  return links
    .map(([rel, parameters]) => {
      const entries = Object.entries(parameters);
      for (const [name, value] of entries) query.set(name, String(value));
      return `<${path}?${query}>; rel="${rel}"`;
    })
    .join(', ');
}

function cursorLinks(next: string | null): readonly Link[] {
  const first: Link = ['first', { cursor: '' }];
  return next === null ? [first] : [first, ['next', { cursor: next }]];
}

function offsetLinks({ total, limit, offset }: PagePlace): readonly Link[] {
  const last = lastOffset({ total, limit, offset });
  const offsets: readonly (readonly [rel: string, offset: number])[] = [
    ['first', 0],
    ['prev', Math.max(0, Math.min(offset - limit, last))],
    ['next', offset + limit],
    ['last', last],
  ];
  return offsets
    .filter(([rel, to]) => (rel !== 'prev' || offset > 0) && (rel !== 'next' || to < total))
    .map(([rel, to]) => [rel, { limit, offset: to }]);
}

/** Returns the offset of the last page, in steps from this one; 0 for an empty list. */
function lastOffset({ total, limit, offset }: PagePlace): number {
  const start = offset < total ? offset % limit : 0;
  return total <= start ? 0 : start + Math.floor((total - start - 1) / limit) * limit;
}
