import { Histogram, type Metric } from 'prom-client';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { table } from './table.ts';

/** Advice on each of our metrics, by name and in the order of the page. */
const ADVICE: Readonly<Record<string, string>> = {
  cardprice_database_up:
    'At 0, requests get 503. The log has the reason (`the database is not available`). For a file, ' +
    '`cardprice doctor` finds the fault; a lost server has to come back.',
  cardprice_http_requests_total:
    'The share with a `status` of 500 or above should be 0; the log has each as `request failed`. ' +
    'Many 429s mean a caller in a loop: see `cardprice_refusals_total`. The route is a pattern such ' +
    'as `/v1/cards/:id`.',
  cardprice_http_request_seconds:
    'If the slowest 1 % take longer than usual, find `slow request` in the log. It shows what the ' +
    'request waited for. Compare `cardprice_wait_seconds_total`.',
  cardprice_refusals_total:
    '`quota`, `plan-burst` and `key-burst`: callers want more than their plan allows. Rising ' +
    '`address-burst` and `connections`: a flood; block the addresses at the proxy. `page-burst` and ' +
    '`page-quota`: somebody scrapes prices from the pages.',
  cardprice_waits_total: 'See `cardprice_wait_seconds_total`.',
  cardprice_wait_seconds_total:
    '`lock`: another process held a SQLite file; look for imports or backups at that time, and ' +
    'consider PostgreSQL if it happens often. `connection`: all connections to PostgreSQL were busy, ' +
    'or new ones are slow. `password`: many people sign in at once, or somebody guesses. `picture`: ' +
    'picture servers are slow. `event-loop`: one long task held up all requests, or the machine has ' +
    'too few processors.',
  cardprice_queue_length:
    'More than 30 waiting `password` checks for minutes are an attack on sign-in: find its addresses ' +
    'in the audit log. Beyond 50 waiting `picture` requests, more get 429; browsers retry.',
  cardprice_database_connections:
    'If `waiting` stays above 0 for minutes, the server is too slow or has too few connections. A ' +
    'process uses at most 8. PostgreSQL only.',
  cardprice_sessions: 'An unexplained jump may be accounts created by a program.',
  cardprice_lost_writes_total:
    'Above 0, the audit log misses an action. The log of the service has the error; the disk may be ' +
    'full.',
  cardprice_disk_free_bytes:
    'Below 2 GB, make room with `cardprice history compact` or fewer backups. An import needs about ' +
    "twice the database's daily growth, and SQLite stops working on a full disk. With PostgreSQL, " +
    'this is the disk for downloads; watch the server as well.',
  cardprice_source_stale:
    'At 1, the prices of a source are older than `CARDPRICE_STALE_AFTER`, or it never succeeded. ' +
    '`cardprice status` shows why; `cardprice sync --source NAME` tries again.',
  cardprice_source_failing:
    'At 1 for more than a day, `cardprice status` shows the error. The last prices are still served.',
  cardprice_source_failed_parts:
    'Above 0, rows, groups or files of a source were unreadable. `cardprice status` lists them; ' +
    'sources usually fix them within days.',
  cardprice_source_age_seconds:
    'For an alert of your own. Just before a daily sync it reaches 46 hours.',
  cardprice_source_last_success_timestamp_seconds:
    'For an alert of your own, such as a source that must be fetched daily.',
  cardprice_source_priced_ratio: 'A drop means that a source lost prices: `cardprice report`.',
  cardprice_source_cards: 'A drop means that a source lost prices: `cardprice report`.',
  cardprice_source_quarantined: 'If it grows, decide: `cardprice quarantine list`.',
  cardprice_quarantined:
    '`mass-delisting` or `absurd-price` above 0 usually means that a whole source is broken. Run ' +
    '`cardprice quarantine list --rule RULE`, then approve or reject by source.',
  cardprice_source_sync_seconds:
    'At twice the usual time, the source is slow or sends far more than before.',
  cardprice_source_import_seconds:
    'At twice the usual time, the disk is slow or another import ran in between.',
  cardprice_price_age_seconds:
    "Above 216000 (60 hours) for a game with a daily source, prices are old: check that game's " +
    'sources.',
  cardprice_cards: 'If a game has fewer cards than before, an import went wrong.',
  cardprice_catalog_revision:
    'If it does not change although imports succeed, a process cannot read the database: the log has ' +
    '`the catalogue could not be refreshed`. It is the lowest revision of all workers.',
  cardprice_publication_info:
    'Workers and machines that serve the same publication have the same `id`. If ids differ for ' +
    'longer than a load takes, a process cannot read the database, or reads another one.',
  cardprice_publication_age_seconds:
    'It grows until the next import publishes. For the age of prices, see ' +
    '`cardprice_price_age_seconds`.',
  cardprice_index_loads_total:
    'If starts are slow and only `built` rises, the saved search index does not match or cannot be ' +
    'written. The log says why.',
};

/** Advice on the metrics of every Node process. */
const OTHERS: Readonly<Record<string, string>> = {
  process_resident_memory_bytes:
    'Memory of a process. Close to the size of the machine, use fewer workers ' +
    '([performance.md](performance.md) has figures).',
  process_cpu_seconds_total: 'At a rate of 1 per worker, all processors are busy: add workers.',
  process_open_fds: 'Files and connections. A steady rise is a leak: report it.',
  nodejs_eventloop_lag_p99_seconds:
    'Delay before requests start. Above 0.1 for minutes, one process has too much work, or other ' +
    'programs use the processors.',
  nodejs_gc_duration_seconds: 'Pauses to free memory.',
};

/** Returns every metric that a process can have, including those of PostgreSQL. */
export function allMetrics(): readonly Metric[] {
  const none = async () => [];
  const { registry } = createMetrics(
    { games: none, revision: 0 } as unknown as Catalog,
    () => 0,
    { health: none, quarantined: none, onFailure() {} },
    {
      sessions: async () => 0,
      times: none,
      connections: () => ({ used: 0, idle: 0, waiting: 0 }),
      folder: '.',
    },
  );
  return registry.getMetricsAsArray() as unknown as Metric[];
}

/** Names of the metrics with advice. */
export const ADVISED = Object.keys(ADVICE);

/** Returns docs/metrics.md. */
export function metricsPage(): string {
  const metrics = new Map(allMetrics().map((metric) => [described(metric).name, metric]));
  const own = Object.entries(ADVICE).map(([name, advice]) => row(metrics.get(name), advice));
  const others = Object.entries(OTHERS).map(([name, advice]) => [`\`${name}\``, advice]);
  return `# Metrics

\`/metrics\` serves these in Prometheus format, summed over all workers of a machine.
[operating.md](operating.md#what-to-watch) says who may read it. \`deploy/prometheus/alerts.yaml\` has
alerts that link to the rows below, and \`deploy/grafana/cardprice.json\` is a dashboard. Counters start
at 0 with the process. No label takes values from callers.

This page is generated from the registry of metrics by \`npm run docs\`.

${table(['metric', 'type', 'meaning', 'what to do'], own)}

## Process and Node

prom-client adds these and more to every Node process.

${table(['metric', 'what to do'], others)}
`;
}

interface Described {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}

/** Returns the parts of a metric that its type hides. */
function described(metric: Metric | undefined): Described {
  if (!metric) throw new Error('there is advice on a metric that does not exist');
  const { name, help, labelNames = [] } = metric as unknown as Partial<Described>;
  const type = metric instanceof Histogram ? 'histogram' : metric.constructor.name.toLowerCase();
  return { name: String(name), help: String(help), type, labelNames };
}

function row(metric: Metric | undefined, advice: string): string[] {
  const { name, help, type, labelNames } = described(metric);
  const labels = labelNames.map((label) => `\`${label}\``).join(' and ');
  const anchored = `<a id="${name}"></a>\`${name}\``;
  return [anchored, `${type}${labels && ` by ${labels}`}`, help, advice];
}
