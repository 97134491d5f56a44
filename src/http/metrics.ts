import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Catalog } from '../catalog/catalog.ts';
import { type Millis, startOfDay } from '../domain/day.ts';

/** What this process tells Prometheus. */
export interface Metrics {
  readonly registry: Registry;
  /** Counts and times every request of an application. */
  observe(app: FastifyInstance): void;
}

const DURATIONS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export function createMetrics(catalog: Catalog, clock: () => Millis): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'cardprice_http_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['route', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'cardprice_http_request_seconds',
    help: 'Seconds from the arrival of a request to the end of its answer.',
    buckets: DURATIONS,
    registers: [registry],
  });
  registerCatalogMetrics(registry, catalog, clock);
  const counters = new Map<string, Counter.Internal>();
  return {
    registry,
    observe(app) {
      app.addHook('onResponse', (request, reply, done) => {
        durations.observe(reply.elapsedTime / 1000);
        // Unknown paths share one label: a caller must not be able to make labels up.
        const route = request.routeOptions.url ?? 'unknown';
        const key = `${route} ${reply.statusCode}`;
        let counter = counters.get(key);
        if (!counter) {
          counter = requests.labels(route, String(reply.statusCode));
          counters.set(key, counter);
        }
        counter.inc();
        done();
      });
    },
  };
}

function registerCatalogMetrics(registry: Registry, catalog: Catalog, clock: () => Millis): void {
  new Gauge({
    name: 'cardprice_cards',
    help: 'Cards that are served, by game.',
    labelNames: ['game'],
    registers: [registry],
    aggregator: 'max',
    collect() {
      for (const { game, cardCount } of catalog.games()) this.set({ game: game.slug }, cardCount);
    },
  });
  new Gauge({
    name: 'cardprice_price_age_seconds',
    help: 'Seconds since the day of the newest prices began, by game.',
    labelNames: ['game'],
    registers: [registry],
    aggregator: 'max',
    collect() {
      for (const { game } of catalog.games()) {
        const asOf = catalog.asOf(game.slug);
        if (asOf !== null) this.set({ game: game.slug }, (clock() - startOfDay(asOf)) / 1000);
      }
    },
  });
  new Gauge({
    name: 'cardprice_catalog_revision',
    help: 'The publication of the catalogue that is served.',
    registers: [registry],
    aggregator: 'min',
    collect() {
      this.set(catalog.revision);
    },
  });
}
