import { setImmediate as yieldToRequests } from 'node:timers/promises';
import type { Static, TSchema } from 'typebox';
import type { Alerts } from '../../accounts/alerts/alerts.ts';
import type { KeyRestrictions } from '../../accounts/keys/key-restrictions.ts';
import type { UsageReport } from '../../accounts/quota/usage-report.ts';
import type { Replays } from '../../accounts/replays.ts';
import type { Webhooks } from '../../accounts/webhooks/webhooks.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { CopyName } from '../../domain/copy.ts';
import { type Day, type Millis, windowOf } from '../../domain/day.ts';
import type { ApiError, ApiErrorCode } from '../../domain/errors.ts';
import type { KeyScope } from '../../domain/key-scopes.ts';
import type { PastPrices } from '../../domain/past-prices.ts';
import type { Feature, Plan, PlanTable } from '../../domain/plans.ts';
import type { HistoryDay } from '../../domain/price.ts';
import type { DeepReadonly } from '../../lib/readonly.ts';
import type { Resolver } from '../../resolve/index.ts';
import type { ChangesReader } from '../../store/catalogue/changes.ts';
import type { FactsReader } from '../../store/catalogue/facts.ts';
import type { KnownPublications } from '../../store/catalogue/known-publications.ts';
import type { MarketplaceChangesReader } from '../../store/catalogue/marketplace-changes.ts';
import type { SourceFactsReader } from '../../store/catalogue/source-facts.ts';
import type { Store } from '../../store/connect.ts';
import type {
  historiesReader,
  historyReader,
  knownHistoriesReader,
  pastPricesReader,
  seriesReader,
} from '../../store/history/index.ts';
import type { ObservationsReader } from '../../store/reports/explain.ts';
import { missingFeature, missingHistory } from '../admission.ts';
import type { PublicationWaits } from '../publication-waits.ts';
import type { Table } from '../tables.ts';

/** Reads the days of a printing with an observation, from one day to another, both inclusive. */
export type HistoryReader = ReturnType<typeof historyReader>;

/** Reads the days of several printings. */
export type HistoriesReader = ReturnType<typeof historiesReader>;

/** Reads the days of several printings as an earlier publication had them. */
export type KnownHistoriesReader = ReturnType<typeof knownHistoriesReader>;

/** Finds the history of a condition or grade of a printing. */
export type SeriesReader = ReturnType<typeof seriesReader>;

/** Reads the prices of printings on a day. */
export type PastPricesReader = ReturnType<typeof pastPricesReader>;

/** Printings read in one tick of the event loop, in a few milliseconds. */
const PRINTINGS_PER_TICK = 25;

/** The plan of an authenticated caller, and all plans of the service. */
export interface PlanHolder {
  readonly plan: Plan;
  readonly plans: PlanTable;
  /** The account; a visitor of the pages has none. */
  readonly accountId?: number;
  /** The restrictions of the API key, and its charges of today. */
  readonly access?: Pick<KeyRestrictions, 'dailyRequests'> | null;
  readonly keyUsedToday?: number;
}

/** Returns the account of a caller with an API key; visitors of the pages have none. */
export function accountOf({ accountId }: PlanHolder): number {
  if (accountId === undefined) throw new Error('only accounts call this endpoint');
  return accountId;
}

/**
 * The price history, as far back as one caller's plan includes it. Endpoints cannot read history in
 * any other way, so none can serve more days than the plan has. The hooks refuse a request earlier
 * if its endpoint declares `historyDays`.
 */
export class PlanHistory {
  readonly #read: HistoryReader;
  readonly #readEach: HistoriesReader;
  readonly #readKnown: KnownHistoriesReader;
  readonly #findSeries: SeriesReader;
  readonly #readPast: PastPricesReader;
  readonly #caller: PlanHolder;
  readonly #isOpen: boolean;
  #daysRead = 0;
  #isBounded = false;
  #revision: number | undefined;

  /** `isOpen` lets plans without the feature `history` read the days that they include. */
  constructor(
    { history, histories, knownHistories, historySeries, pastPrices }: HistoryReaders,
    caller: PlanHolder,
    isOpen: boolean,
  ) {
    this.#read = history;
    this.#readEach = histories;
    this.#readKnown = knownHistories;
    this.#findSeries = historySeries;
    this.#readPast = pastPrices;
    this.#caller = caller;
    this.#isOpen = isOpen;
  }

  /**
   * Whether the plan of this caller includes price history. Cacheable bodies must not depend on it.
   */
  get isIncluded(): boolean {
    return this.#caller.plan.features.includes('history');
  }

  /** How many days of history this caller has read; 0 for none, `Infinity` for all. */
  get daysRead(): number {
    return this.#daysRead;
  }

  /** Whether the body may lack days that other plans include, so it is not kept for others. */
  get isBounded(): boolean {
    return this.#isBounded;
  }

  /** From now on, reads all days as of the publication with this number. */
  readAsOf(revision: number): void {
    this.#revision = revision;
  }

  /**
   * Returns how many days the plan of this caller includes up to a day that is this many days
   * before the newest one; null for all.
   * @throws ApiError PLAN_RESTRICTION if they are fewer than `least`.
   */
  longest(least = 0, age = 0): number | null {
    this.require(least + age);
    const { historyDays } = this.#caller.plan;
    if (historyDays === null) return null;
    this.#isBounded = true;
    return Math.max(0, historyDays - age);
  }

  /**
   * Reads the last `days` days of a printing up to `asOf`, by default `newest`, oldest first; null
   * reads all days. Omits days without an observation.
   *
   * @throws ApiError PLAN_RESTRICTION if the caller's plan does not include these days.
   */
  async last(
    days: number | null,
    newest: Day,
    printing: number,
    asOf = newest,
  ): Promise<HistoryDay[]> {
    this.#requireUpTo(asOf, newest, days);
    const { from, to } = windowOf(days, asOf);
    if (this.#revision === undefined) return this.#read(printing, from, to);
    const known = await this.#readKnown([{ printing, from, to }], this.#revision);
    return [...(known.get(printing) ?? [])];
  }

  /**
   * Reads the prices of printings on a day, by row id.
   *
   * @throws ApiError PLAN_RESTRICTION if the caller's plan does not include this day.
   */
  async pricesOn(
    day: Day,
    printings: readonly NewestDay[],
  ): Promise<ReadonlyMap<number, PastPrices>> {
    for (const { newest } of printings) this.#requireUpTo(day, newest, 1);
    return this.#readPast(
      printings.map(({ printing }) => printing),
      day,
      this.#revision,
    );
  }

  /**
   * Reads the last `days` days of several printings like {@link last}, all at once; by row id.
   *
   * @throws ApiError PLAN_RESTRICTION if the caller's plan does not include these days.
   */
  async lastOfEach(
    days: number | null,
    printings: readonly NewestDay[],
  ): Promise<ReadonlyMap<number, readonly HistoryDay[]>> {
    this.require(days ?? Number.POSITIVE_INFINITY);
    if (days === 0) return new Map();
    const windows = printings.map(({ printing, newest, asOf = newest }) => {
      this.#requireUpTo(asOf, newest, days);
      return { printing, ...windowOf(days, asOf) };
    });
    const revision = this.#revision;
    return revision === undefined ? this.#readEach(windows) : this.#readKnown(windows, revision);
  }

  /**
   * Reads the last `days` days of any number of printings like {@link lastOfEach}, a few at a time,
   * so the process can answer other requests in between. Omits damaged histories.
   *
   * @throws ApiError PLAN_RESTRICTION if the caller's plan does not include these days.
   */
  async *inParts(
    days: number,
    newest: Day,
    printings: readonly number[],
  ): AsyncGenerator<ReadonlyMap<number, readonly HistoryDay[]>> {
    this.require(days);
    const window = windowOf(days, newest);
    for (let at = 0; at < printings.length; at += PRINTINGS_PER_TICK) {
      const part = printings.slice(at, at + PRINTINGS_PER_TICK);
      yield await this.#readEach(
        part.map((printing) => ({ printing, ...window })),
        () => {},
      );
      await yieldToRequests();
    }
  }

  /**
   * Reads the last days of one condition or grade of a printing, up to `asOf`, or without it to its
   * own newest day or `newest`, whichever is later. Undefined if it has no history.
   *
   * @throws ApiError PLAN_RESTRICTION if the caller's plan does not include these days.
   */
  async lastOfCopy(
    days: number | null,
    newest: Day | null,
    { printing, copy, asOf, known }: WantedCopy,
  ): Promise<{ readonly days: HistoryDay[]; readonly asOf: Day } | undefined> {
    this.require(days ?? Number.POSITIVE_INFINITY);
    const series = await this.#findSeries(printing, copy);
    if (!series) return undefined;
    const last = Math.max(newest ?? 0, series.last_day) as Day;
    const end = asOf ?? (await this.#endOfCopy(series.id, last, known));
    return end === null
      ? undefined
      : { days: await this.last(days, last, series.id, end), asOf: end };
  }

  /** Returns the last day of a series: `last`, unless an earlier publication is read. */
  async #endOfCopy(series: number, last: Day, known: Day | null = null): Promise<Day | null> {
    if (this.#revision === undefined) return last;
    const days = await this.#readKnown(
      [{ printing: series, ...windowOf(null, last) }],
      this.#revision,
    );
    const own = days.get(series)?.at(-1)?.day;
    return own === undefined ? null : (Math.max(known ?? 0, own) as Day);
  }

  /** Requires the `days` days up to `asOf` of a history that ends with `newest`. */
  #requireUpTo(asOf: Day, newest: Day, days: number | null): void {
    this.require((days ?? Number.POSITIVE_INFINITY) + Math.max(0, newest - asOf));
  }

  /** @throws ApiError PLAN_RESTRICTION if the caller's plan does not include this many days. */
  require(days: number): void {
    const restriction = this.restrictionOf(days);
    if (restriction) throw restriction;
    this.#daysRead = Math.max(this.#daysRead, days);
  }

  /** Returns the error if the caller's plan does not include this many days. */
  restrictionOf(days: number): ApiError | undefined {
    if (days === 0) return undefined;
    const { plan, plans } = this.#caller;
    if (!this.#isOpen && !this.isIncluded) return missingFeature('history', plans);
    return missingHistory(plan, days);
  }
}

/** A printing, and the newest day with figures of its game. */
interface NewestDay {
  readonly printing: number;
  readonly newest: Day;
  /** The last day to read, if it is not the newest. */
  readonly asOf?: Day | undefined;
}

/** A condition or grade of a printing, and the last day to read. */
interface WantedCopy {
  readonly printing: number;
  readonly copy: CopyName;
  readonly asOf?: Day | undefined;
  /** The newest day of the game in the publication that is read. */
  readonly known?: Day | null;
}

/** The reader of the history. */
export type HistoryReaders = Pick<
  ServiceResources,
  'history' | 'histories' | 'knownHistories' | 'historySeries' | 'pastPrices'
>;

/** The data and services behind the endpoints. */
export interface Resources {
  readonly catalog: Catalog;
  readonly observations: ObservationsReader;
  readonly facts: FactsReader;
  readonly knownPublications: KnownPublications;
  readonly marketplaceChanges: MarketplaceChangesReader;
  readonly changes: ChangesReader;
  /** Lets requests wait for the next publication. */
  readonly publicationWaits: PublicationWaits;
  readonly sourceFacts: SourceFactsReader;
  readonly resolver: Pick<Resolver, 'resolveAny'>;
  readonly usage: Pick<UsageReport, 'read'>;
  readonly alerts: Alerts;
  readonly webhooks: Webhooks;
  /** Whether to estimate prices of conditions that no source gives. */
  readonly estimates: boolean;
  /** The folder of bulk files; empty for none. */
  readonly bulkFolder: string;
  readonly clock: () => Millis;
}

/**
 * The resources of a mount. Endpoints themselves get history only through a {@link PlanHistory}.
 */
export interface ServiceResources extends Resources {
  readonly history: HistoryReader;
  readonly histories: HistoriesReader;
  readonly knownHistories: KnownHistoriesReader;
  readonly historySeries: SeriesReader;
  readonly pastPrices: PastPricesReader;
  readonly replays: Replays;
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

/** The type that a part of a schema describes; `unknown` if the schema has no such part. */
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

/** Facts about the request for an answer that waits. */
export interface Waiting {
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
  /** How many milliseconds the answer waited at the caller's request. */
  waitedMs: number;
}

/** A body as described by `Schema`. It may contain values that must not be changed. */
export type BodyOf<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

/** One item of an {@link ItemList}. */
export interface Item {
  /** Identifies it among all items with the same schema. */
  readonly id: string;
  readonly make: () => unknown;
}

/**
 * A body that is only `data`, a list of items that depend only on the publication and the day
 * (UTC). Each is serialised once until one of these changes, so any selection is cheap.
 */
export class ItemList {
  readonly schema: TSchema;
  readonly items: readonly Item[];
  /** The requested ids that match nothing. */
  readonly missing: readonly string[];

  constructor(schema: TSchema, items: readonly Item[], missing: readonly string[]) {
    this.schema = schema;
    this.items = items;
    this.missing = missing;
  }
}

/** A body without a part that the database could not provide now. It is sent, but not cached. */
export class Incomplete<Body = unknown> {
  readonly body: Body;
  /** Why the part is missing. */
  readonly cause: unknown;

  constructor(body: Body, cause: unknown) {
    this.body = body;
    this.cause = cause;
  }
}

/**
 * A creation by an endpoint, and the body of its answer. `create` runs in one transaction of
 * accounts. A request that repeats an `Idempotency-Key` gets the earlier body instead.
 */
export class Creation<Body = unknown> {
  readonly create: (store: Store) => Promise<Body>;

  constructor(create: (store: Store) => Promise<Body>) {
    this.create = create;
  }
}

/** A body, the items to make it from, an incomplete body, or a creation that makes it. */
type Answer<Schema extends TSchema> =
  | BodyOf<Schema>
  | ItemList
  | Incomplete<BodyOf<Schema>>
  | Creation<BodyOf<Schema>>;

/** For paths that the hosted service's later interface also has. */
export const LATER_INTERFACE =
  "Clients of the hosted service's later interface use the address /compatible/tcgpricelookup/v1.";

/** One endpoint of `/v1`. */
export interface Endpoint<Schema extends EndpointSchema = EndpointSchema> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The scope that an API key with a list of scopes must include; by default `read`. */
  readonly scope?: KeyScope;
  /** The feature that the caller's plan must include. */
  readonly feature?: Feature;
  /** The further features that query parameters need, by `parameter` or `parameter=word`. */
  readonly parameterFeatures?: Readonly<Record<string, Feature>>;
  readonly schema: Schema;
  /** How to turn an answer into a table on request; tables are not available without it. */
  readonly table?: Table;
  /** The documented body, if the handler validates parts that `schema.body` does not. */
  readonly documentedBody?: TSchema;
  /** Largest body, in bytes; 64 KiB by default. */
  readonly bodyLimit?: number;
  /** A sentence for a 400 that points to another interface with the same path. */
  readonly elsewhere?: string;
  /** The errors that this endpoint can answer, in addition to the errors of every endpoint. */
  readonly errors: readonly ApiErrorCode[];
  /**
   * Whether the body depends only on the URL, the publication and the day (UTC). It is then cached
   * for every caller until one of these changes. Without this method, bodies are never cached.
   */
  isCacheable?(request: EndpointRequest<Schema>): boolean;
  /**
   * Returns the days of history that a request asks for: `Infinity` for all days, 0 if the
   * parameter is malformed. The hooks check it against the plan before quota, parameters and
   * lookup, so `query` is not validated yet.
   */
  historyDays?(query: unknown): number;
  /** Whether the answer is about the caller. Pages and assistants do not have such endpoints. */
  readonly isOfCaller?: true;
  /** Whether the answer always changes and is therefore never a 304. */
  readonly alwaysChanges?: true;
  /** Whether `answer` returns a {@link Creation}, for the document. */
  readonly creates?: true;
  /** The cost of a 200 in requests, at least 1; 1 by default. */
  cost?(request: EndpointRequest<Schema>): number;
  /**
   * Makes the body. Read past prices only from `history`, which refuses days that the plan of the
   * caller does not include.
   *
   * @throws ApiError one of `errors`.
   */
  answer(
    resources: Resources,
    request: EndpointRequest<Schema>,
    history: PlanHistory,
    caller: PlanHolder,
    waiting: Waiting,
  ): Answer<Schema['response'][200]> | Promise<Answer<Schema['response'][200]>>;
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
