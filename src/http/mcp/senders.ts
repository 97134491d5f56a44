import Fastify, { type FastifyInstance } from 'fastify';
import { DEFAULT_PLANS, FEATURES, type Plan, PlanTable, UNLIMITED } from '../../domain/plans.ts';
import { errorHandler } from '../errors.ts';
import { ResponseCache } from '../response-cache.ts';
import type { ServiceResources } from '../v1/endpoint.ts';
import { DATA_ENDPOINTS, registerEndpoints } from '../v1/routes.ts';
import { lateSerializers } from '../validation.ts';
import { type SendRequest, ToolError } from './api.ts';

/** The ways for tools to reach `/v1`. */

/** The origin and the caller of requests inside a process. */
interface Sender {
  readonly headers: Readonly<Record<string, string>>;
  readonly remoteAddress?: string;
}

/** Sends requests to the routes of an application in this process. */
export function injectInto(app: FastifyInstance, { headers, ...sender }: Sender): SendRequest {
  return async ({ method, url, body }) => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const payload = body === undefined ? {} : { payload: body };
    const all = { ...headers, ...json };
    const answer = await app.inject({ method, url, headers: all, ...sender, ...payload });
    const retryAfter = answer.headers['retry-after'];
    return {
      status: answer.statusCode,
      body: answer.body,
      ...(retryAfter !== undefined && { retryAfter: String(retryAfter) }),
    };
  };
}

/** The plan of a process with its own database. */
const OWNER: Plan = {
  name: 'owner',
  label: 'Owner',
  dailyRequests: UNLIMITED,
  price: 0 as Plan['price'],
  burst: null,
  historyDays: null,
  features: FEATURES,
  alerts: 0,
  howToGet: '',
};

/** Answers requests from a database, without keys and quotas. Listens on no port. */
export function answerFrom(resources: ServiceResources): SendRequest {
  const app = Fastify({
    schemaController: { compilersFactory: { buildSerializer: lateSerializers() } },
  });
  app.setErrorHandler(errorHandler('standard'));
  const caller = { plan: OWNER, plans: new PlanTable(DEFAULT_PLANS) };
  registerEndpoints(app, resources, {
    endpoints: DATA_ENDPOINTS,
    cache: new ResponseCache(),
    isDocumented: false,
    callerOf: () => caller,
  });
  return injectInto(app, { headers: {} });
}

/** The time limit for answers of another service, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** Sends requests with an API key to a service at an address. */
export function sendTo(address: URL, key: string): SendRequest {
  return async ({ method, url, body }) => {
    const answer = await fetch(new URL(url, address), {
      method,
      headers: {
        'x-api-key': key,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      // The key must not reach another address.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new ToolError(`${address.origin} does not answer: ${reasonOf(error)}.`);
    });
    const retryAfter = answer.headers.get('retry-after') ?? undefined;
    return { status: answer.status, body: await answer.text(), retryAfter };
  };
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  const { code } = (cause ?? {}) as { readonly code?: string };
  return code ?? message;
}
