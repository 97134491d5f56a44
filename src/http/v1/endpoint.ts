import type { Static, TSchema } from 'typebox';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Millis } from '../../domain/day.ts';
import type { ApiErrorCode } from '../../domain/errors.ts';
import type { KeyScope } from '../../domain/key-scopes.ts';
import type { Feature } from '../../domain/plans.ts';
import type { DeepReadonly } from '../../lib/readonly.ts';
import type { Resolver } from '../../resolve/index.ts';
import type { MarketplaceChangesReader } from '../../store/catalogue/marketplace-changes.ts';
import type { ObservationsReader } from '../../store/reports/explain.ts';
import type { HistoryReader, PlanHistory } from './plan-history.ts';

/** The data and services that endpoints answer from. */
export interface Resources {
  readonly catalog: Catalog;
  readonly observations: ObservationsReader;
  readonly marketplaceChanges: MarketplaceChangesReader;
  readonly resolver: Pick<Resolver, 'resolve'>;
  /** Whether to estimate prices of conditions that no source gives. */
  readonly estimates: boolean;
  readonly clock: () => Millis;
}

/**
 * The resources of a mount. Endpoints themselves get history only through a {@link PlanHistory}.
 */
export interface ServiceResources extends Resources {
  readonly history: HistoryReader;
}

/** The schema that validates a request, serialises its answer and documents both. */
export interface EndpointSchema {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly body?: TSchema;
  readonly response: { readonly 200: TSchema };
}

/** The type that a part of a schema describes; `unknown` where the schema has no such part. */
export type PartOf<Schema, Part extends string> = Schema extends {
  readonly [Name in Part]: infer Described extends TSchema;
}
  ? Static<Described>
  : unknown;

/** The validated parts of a request. */
export interface EndpointRequest<Schema> {
  readonly params: PartOf<Schema, 'params'>;
  readonly query: PartOf<Schema, 'querystring'>;
  readonly body: PartOf<Schema, 'body'>;
}

/** A body as `Schema` describes it. It may contain values that must not be changed. */
export type BodyOf<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

/** One endpoint of `/v1`. */
export interface Endpoint<Schema extends EndpointSchema = EndpointSchema> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The scope that an API key with a list of scopes must have; by default `read`. */
  readonly scope?: KeyScope;
  /** The feature that the caller's plan must include. */
  readonly feature?: Feature;
  /** The further features that query parameters need, by parameter. */
  readonly parameterFeatures?: Readonly<Record<string, Feature>>;
  readonly schema: Schema;
  /** The documented body, if the handler validates parts that `schema.body` does not. */
  readonly documentedBody?: TSchema;
  /** Largest body, in bytes; 64 KiB without it. */
  readonly bodyLimit?: number;
  /** The errors that this endpoint can answer, in addition to those of every endpoint. */
  readonly errors: readonly ApiErrorCode[];
  /**
   * Whether the body depends only on the URL, the publication and the day (UTC). It is then cached
   * for every caller until one of these changes. Without this method, bodies are never cached.
   */
  isCacheable?(request: EndpointRequest<Schema>): boolean;
  /**
   * Returns how many days of history a request asks for: `Infinity` for all days, 0 if the
   * parameter is malformed. The hooks check it against the plan before quota, parameters and
   * lookup, so `query` is not validated yet.
   */
  historyDays?(query: unknown): number;
  /** How many requests a 200 is charged as, from 1 on; 1 for an endpoint without this. */
  cost?(request: EndpointRequest<Schema>): number;
  /**
   * Makes the body. It reads prices of the past from `history`, which refuses days that the plan
   * of the caller does not include.
   *
   * @throws ApiError one of `errors`.
   */
  answer(
    resources: Resources,
    request: EndpointRequest<Schema>,
    history: PlanHistory,
  ): BodyOf<Schema['response'][200]> | Promise<BodyOf<Schema['response'][200]>>;
}

/** Returns the endpoint. The types of its handler follow from its schema. */
export function defineEndpoint<Schema extends EndpointSchema>(
  endpoint: Endpoint<Schema>,
): Endpoint {
  return endpoint;
}

/** Whether the answers of an endpoint are pages of a list. */
export function isPaged({ schema }: Endpoint): boolean {
  const { properties = {} } = schema.response[200] as { readonly properties?: object };
  return ['total', 'limit', 'offset'].every((name) => name in properties);
}
