import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../domain/errors.ts';
import { pathOf } from '../request-log.ts';
import type { ResponseCache } from '../response-cache.ts';
import type { Endpoint, ServiceResources } from '../v1/endpoint.ts';
import { ENDPOINTS, METHODS, nameOfEndpoint, registerEndpoints } from '../v1/routes.ts';
import { sheet } from '../v1/sheet.ts';
import { shown } from '../validation.ts';
import type { CompatibleInterface } from './interface.ts';
import { pokemonTcg } from './pokemontcg/index.ts';
import { tcgPriceLookup } from './tcgpricelookup/index.ts';

/** The interfaces of other services, served below `/compatible`. */

const INTERFACES: readonly CompatibleInterface[] = [tcgPriceLookup, pokemonTcg];

/** All endpoints, by the index under which their requests are counted. */
const COUNTED = [...ENDPOINTS, sheet, ...INTERFACES.flatMap(({ endpoints }) => endpoints)];

/** The names under which the usage recorder counts requests, by the index of their endpoint. */
export const ENDPOINT_NAMES: readonly string[] = COUNTED.map(nameOfEndpoint);

/** Returns the index under which requests to an endpoint are counted. */
export function countedAs(endpoint: Endpoint): number {
  return COUNTED.indexOf(endpoint);
}

/**
 * Registers the compatible addresses. The hooks of `app` check the API key, plan and quota of every
 * request below them, including unknown paths.
 */
export function registerCompatible(
  app: FastifyInstance,
  resources: ServiceResources,
  cache: ResponseCache,
): void {
  for (const { address, endpoints, errorForm } of INTERFACES) {
    registerEndpoints(app, resources, {
      endpoints,
      cache,
      isDocumented: false,
      errorForm,
      callerOf: ({ caller }) => caller,
      configOf: (endpoint) => ({ endpoint: countedAs(endpoint) }),
    });
    for (const url of [address, `${address}/*`]) {
      app.route({
        method: [...METHODS],
        url,
        schema: { hide: true },
        config: { errorForm },
        // A hook, which runs before the body is read: no body could make the path known.
        onRequest: refuse,
        handler: refuse,
      });
    }
  }
}

async function refuse({ url }: FastifyRequest): Promise<never> {
  const path = shown(pathOf(url));
  throw new ApiError('NOT_FOUND', `There is nothing at ${path}. See docs/compatibility.md.`);
}
