import type { RouteOptions } from 'fastify';
import { Service } from '../../support/app.ts';

/** The constraints of a JSON schema on its values. */
export interface ValueSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly ValueSchema[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly items?: ValueSchema;
  readonly maxItems?: number;
}

/** A route as the application has registered it. */
export interface KnownRoute {
  readonly methods: readonly string[];
  readonly path: string;
  readonly query: Readonly<Record<string, ValueSchema>>;
  readonly body: ValueSchema | undefined;
}

/** Returns every route of the application: API, pages and their calls. */
export async function listRoutes(location: string): Promise<KnownRoute[]> {
  const routes: KnownRoute[] = [];
  const service = await Service.open(location, {
    observe(app) {
      app.addHook('onRoute', (route) => {
        routes.push(describe(route));
      });
    },
  });
  await service.close();
  return routes;
}

function describe({ method, url, schema }: RouteOptions): KnownRoute {
  const { properties = {} } = (schema?.querystring ?? {}) as ValueSchema;
  return {
    methods: [method].flat().map(String),
    path: url,
    query: properties,
    body: schema?.body as ValueSchema | undefined,
  };
}
