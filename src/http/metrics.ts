import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Catalog } from '../catalog/catalog.ts';
import { ageOf, type Millis, startOfDay } from '../domain/day.ts';
import type { RuleCount } from '../store/quarantine/quarantine.ts';
import type { SourceHealth } from '../store/reports/health.ts';
import { registerAnswerMetrics } from './answer-counts.ts';
import {
  type OperationFigures,
  registerOperationMetrics,
  registerProcessMetrics,
} from './process-metrics.ts';
import type { RequestReport } from './request-log.ts';

/** The metrics of this process, for Prometheus. */
export interface Metrics {
  readonly registry: Registry;
  /** Counts and times an answered request. */
  readonly count: (answered: RequestReport) => void;
}

/** The figures that every scrape reads from the database. */
export interface SourceFigures {
  readonly health: () => Promise<readonly SourceHealth[]>;
  /** Counts the quarantined prices that wait for the operator. */
  readonly quarantined: () => Promise<readonly RuleCount[]>;
  /** Called when the database cannot be read. The other metrics are still served. */
  readonly onFailure: (error: unknown) => void;
}

/** Omits the metrics of sources without `figures`, and the other gauges without `operation`. */
export function createMetrics(
  catalog: Catalog,
  clock: () => Millis,
  figures?: SourceFigures,
  operation?: OperationFigures,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const count = registerAnswerMetrics(registry);
  registerCatalogMetrics(registry, catalog, clock);
  registerProcessMetrics(registry);
  if (operation) registerOperationMetrics(registry, operation);
  if (figures) {
    const health = oncePerScrape(figures.health);
    registerDatabaseMetric(registry, health, figures.onFailure);
    registerSourceMetrics(registry, orNothing(health));
    registerQuarantineMetric(registry, orNothing(figures.quarantined));
  }
  return { registry, count };
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
        if (asOf !== null) this.set({ game: game.slug }, ageOf(startOfDay(asOf), clock()) / 1000);
      }
    },
  });
  new Gauge({
    name: 'cardprice_catalog_revision',
    help: 'The publication of the catalogue that is served.',
    registers: [registry],
    aggregator: 'min',
    collect() {
      this.set(catalog.publication.revision);
    },
  });
  registerPublicationMetrics(registry, catalog, clock);
}

function registerPublicationMetrics(
  registry: Registry,
  catalog: Catalog,
  clock: () => Millis,
): void {
  new Gauge({
    name: 'cardprice_publication_info',
    help: 'The publication that is served, as the label `id`: always 1.',
    labelNames: ['id'],
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.reset();
      const { id, revision } = catalog.publication;
      if (revision > 0) this.set({ id }, 1);
    },
  });
  new Gauge({
    name: 'cardprice_publication_age_seconds',
    help: 'Seconds since the publication that is served was published.',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.reset();
      const { publishedAt, revision } = catalog.publication;
      if (publishedAt !== null && revision > 0) this.set(ageOf(publishedAt, clock()) / 1000);
    },
  });
}

/** The gauges of each source and game with prices. */
const SOURCE_GAUGES: readonly (readonly [
  name: string,
  help: string,
  value: (health: SourceHealth) => number | null,
])[] = [
  [
    'cardprice_source_last_success_timestamp_seconds',
    'When a source was last fetched or imported without an error (Unix time).',
    ({ succeededAt }) => succeededAt && succeededAt / 1000,
  ],
  [
    'cardprice_source_age_seconds',
    'Seconds since the newest price of a source was observed.',
    ({ age }) => age && age / 1000,
  ],
  [
    'cardprice_source_stale',
    'Whether that is more than CARDPRICE_STALE_AFTER allows: 1 or 0.',
    ({ stale }) => Number(stale),
  ],
  [
    'cardprice_source_failing',
    'Whether the last fetch of a source failed: 1 or 0.',
    ({ error }) => Number(error !== null),
  ],
  ['cardprice_source_cards', 'Cards that a source has a price for.', ({ priced }) => priced],
  [
    'cardprice_source_priced_ratio',
    'The share of the cards of a game that a source has a price for.',
    ({ priced, cards }) => (cards === 0 ? null : priced / cards),
  ],
  [
    'cardprice_source_failed_parts',
    'Parts of a source (groups, files) with data that could not be read and is not fixed yet.',
    ({ failedParts }) => failedParts.length,
  ],
  [
    'cardprice_source_quarantined',
    'Prices of a source that are quarantined and wait for the operator.',
    ({ quarantined }) => quarantined,
  ],
];

function registerDatabaseMetric(
  registry: Registry,
  read: () => Promise<unknown>,
  onFailure: (error: unknown) => void,
): void {
  new Gauge({
    name: 'cardprice_database_up',
    help: 'Whether the database could be read for this scrape: 1 or 0.',
    registers: [registry],
    aggregator: 'min',
    async collect() {
      try {
        await read();
        this.set(1);
      } catch (error) {
        this.set(0);
        onFailure(error);
      }
    },
  });
}

/**
 * Wraps `read`. If it fails, there are no rows, and `cardprice_database_up` reports the failure.
 */
function orNothing<Row>(read: () => Promise<readonly Row[]>): () => Promise<readonly Row[]> {
  return () => read().catch(() => []);
}

function registerSourceMetrics(
  registry: Registry,
  health: () => Promise<readonly SourceHealth[]>,
): void {
  for (const [name, help, measure] of SOURCE_GAUGES) {
    new Gauge({
      name,
      help,
      labelNames: ['source', 'game'],
      registers: [registry],
      aggregator: 'max',
      async collect() {
        this.reset();
        for (const row of await health()) {
          const value = measure(row);
          if (value !== null) this.set({ source: row.source, game: row.game ?? '' }, value);
        }
      },
    });
  }
}

function registerQuarantineMetric(
  registry: Registry,
  quarantined: () => Promise<readonly RuleCount[]>,
): void {
  new Gauge({
    name: 'cardprice_quarantined',
    help: 'Prices that are quarantined and wait for the operator, by source and rule.',
    labelNames: ['source', 'rule'],
    registers: [registry],
    aggregator: 'max',
    async collect() {
      this.reset();
      for (const { source, rule, count } of await quarantined()) {
        this.set({ source, rule }, count);
      }
    },
  });
}

/** Returns a function that reads once per scrape, for all gauges. */
function oncePerScrape<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= read().finally(() => {
      setImmediate(() => {
        result = undefined;
      });
    });
    return result;
  };
}
