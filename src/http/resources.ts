import type { Logger } from 'pino';
import { Alerts } from '../accounts/alerts/alerts.ts';
import { UsageReport } from '../accounts/quota/usage-report.ts';
import { Replays } from '../accounts/replays.ts';
import { Webhooks } from '../accounts/webhooks/webhooks.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Config } from '../config/config.ts';
import type { Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { isPostgres } from '../domain/location.ts';
import { staleLimit } from '../domain/staleness.ts';
import { Resolver } from '../resolve/index.ts';
import { changesReader } from '../store/catalogue/changes.ts';
import { factsReader } from '../store/catalogue/facts.ts';
import { knownPublicationsReader } from '../store/catalogue/known-publications.ts';
import { marketplaceChangesReader } from '../store/catalogue/marketplace-changes.ts';
import { type Reader, type ReaderOf, Replica } from '../store/catalogue/replica.ts';
import { sourceFactsReader } from '../store/catalogue/source-facts.ts';
import type { Store } from '../store/connect.ts';
import {
  historiesReader,
  historyReader,
  knownHistoriesReader,
  pastPricesReader,
  seriesReader,
} from '../store/history/index.ts';
import { observationsReader } from '../store/reports/explain.ts';
import { readHealth, type SourceHealth } from '../store/reports/health.ts';
import { PublicationWaits } from './publication-waits.ts';
import type { ServiceResources } from './v1/endpoint.ts';

/** The data behind both the API and the dashboard. */
export interface ServerCore {
  readonly resources: ServiceResources;
  readonly health: () => Promise<readonly SourceHealth[]>;
}

interface CoreParts {
  readonly catalog: Catalog;
  readonly resolver: Resolver;
  readonly replica: Replica | undefined;
}

interface CoreOptions {
  readonly config: Config;
  readonly store: Store;
  readonly clock: () => Millis;
}

/** Creates the data and services behind the answers of a serving process. */
export function coreOf(
  { config, store, clock }: CoreOptions,
  { catalog, resolver, replica }: CoreParts,
): ServerCore {
  const health = { synced: config.sync, limitOf: (name: string) => staleLimit(config, name) };
  return {
    resources: {
      catalog,
      history: replicated(replica, store, historyReader),
      histories: replicated(replica, store, historiesReader),
      knownHistories: replicated(replica, store, knownHistoriesReader),
      knownPublications: knownPublicationsReader(store),
      historySeries: replicated(replica, store, seriesReader),
      pastPrices: replicated(replica, store, pastPricesReader),
      facts: replicated(replica, store, factsReader),
      observations: replicated(replica, store, observationsReader),
      marketplaceChanges: marketplaceChangesReader(store),
      changes: changesReader(store),
      publicationWaits: new PublicationWaits(catalog),
      usage: new UsageReport(store, clock),
      alerts: new Alerts(store, clock),
      webhooks: new Webhooks(store, clock, config.webhookNetworks),
      replays: new Replays(store, clock),
      sourceFacts: sourceFactsReader(store),
      resolver,
      estimates: config.estimates,
      bulkFolder: config.bulk,
      clock,
    },
    health: () => readHealth(store, { ...health, now: clock() }),
  };
}

/** Creates a resolver over a catalogue in memory. */
export function resolverOf(catalog: Catalog): Resolver {
  return new Resolver({
    get search() {
      return catalog.search;
    },
    cardsWithId: (id) => [catalog.cardByExternalId(id) ?? []].flat(),
    products: {
      find: (text, passes) => catalog.products.search.find(text, passes),
      withId: (id) => catalog.products.productByExternalId(id),
      withUpc: (upc) => catalog.products.withUpc(upc),
    },
  });
}

/** Wraps a reader to read from the replica, if there is one. */
function replicated<Parameters extends unknown[], Result>(
  replica: Replica | undefined,
  store: Store,
  readerOf: ReaderOf<Parameters, Result>,
): Reader<Parameters, Result> {
  const own = readerOf(store);
  return replica ? replica.reader(readerOf, own) : own;
}

/**
 * Opens the replica named in the settings, if there is one.
 *
 * @throws OperatorError if the database is not a PostgreSQL server.
 */
export function openReplica(
  {
    config: { database, databaseReplica },
    logger,
  }: { readonly config: Config; readonly logger: Logger },
  catalog: Catalog,
): Replica | undefined {
  if (databaseReplica === '') return undefined;
  if (!isPostgres(database)) {
    throw new OperatorError('CARDPRICE_DATABASE_REPLICA is for PostgreSQL only: unset it.');
  }
  return new Replica(databaseReplica, {
    publication: () => catalog.publication,
    onFailure: (err) => logger.warn({ reason: reasonOf(err) }, 'the replica is not read'),
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
