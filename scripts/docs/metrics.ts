import type { Metric } from 'prom-client';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { createMetrics } from '../../src/http/metrics.ts';

/** What an operator does about a metric of ours, by its name, in the order of the page. */
const ADVICE: Readonly<Record<string, string>> = {
  cardprice_database_up:
    'At 0, requests get 503. The log has the reason (`the database is not available`); ' +
    '`cardprice doctor` finds what is wrong with a file, and a lost server has to come back.',
  cardprice_http_requests_total:
    'Watch the share with a `status` of 500 and above, which should be 0: the log has each as ' +
    '`request failed`. Many 429 are a caller in a loop; see `cardprice_refusals_total`. The route ' +
    'is that of the program, such as `/v1/cards/:id`, so that callers cannot make more of them.',
  cardprice_http_request_seconds:
    'When the slowest hundredth takes longer than usual, look for `slow request` in the log, which ' +
    'says what it waited for, and compare `cardprice_wait_seconds_total`.',
  cardprice_refusals_total:
    '`quota`, `plan-burst` and `key-burst` are callers who want more than their plan has. ' +
    '`address-burst` and `connections` that rise are a flood: block its addresses at the proxy. ' +
    '`page-burst` and `page-quota` are somebody who reads prices out of the pages.',
  cardprice_waits_total: 'See `cardprice_wait_seconds_total`.',
  cardprice_wait_seconds_total:
    '`lock`: another process had a file of SQLite; look for imports or backups at that time, and ' +
    'consider PostgreSQL when it is often. `connection`: all connections to PostgreSQL were in use, ' +
    'or new ones are slow. `password`: many sign in at once, or somebody guesses. `picture`: the ' +
    'servers of pictures are slow. `event-loop`: one piece of work kept all requests from going on, ' +
    'or the machine has too few processors.',
  cardprice_queue_length:
    'Waiting `password` checks above 30 for minutes are an attack on sign-in: look at the ' +
    'audit log for its addresses. Waiting `picture`s above 50 get 429; browsers ask again.',
  cardprice_database_connections:
    'When `waiting` is above 0 for minutes, the server is too slow or has too few connections; a ' +
    'process uses at most 8. Only with PostgreSQL.',
  cardprice_sessions: 'A jump that no campaign explains may be accounts made by a program.',
  cardprice_lost_writes_total:
    'Above 0, somebody did something that the audit log does not have. The log of the service ' +
    'has the error; the disk may be full.',
  cardprice_disk_free_bytes:
    'Below 2 GB, make room: an import needs about as much again as the database grows in a day, and ' +
    'SQLite cannot answer for long on a full disk. `cardprice history compact` and fewer ' +
    'backups give some back. With PostgreSQL it is the disk of the downloads; watch the server, too.',
  cardprice_source_stale:
    'At 1, the prices of a source are older than `CARDPRICE_STALE_AFTER` allows, or it never ' +
    'succeeded. `cardprice status` shows why; `cardprice sync --source NAME` tries again.',
  cardprice_source_failing:
    'At 1 for longer than a day, `cardprice status` shows the error. The last prices stay served.',
  cardprice_source_failed_parts:
    'Not 0: rows, groups or files of a source could not be read. `cardprice status` names them; ' +
    'most are mended by the source within days.',
  cardprice_source_age_seconds: 'For a limit of your own; just before a daily sync it is 46 hours.',
  cardprice_source_last_success_timestamp_seconds:
    'For a limit of your own, such as a source that is to be fetched every day.',
  cardprice_source_priced_ratio: 'When it falls, a source has lost prices: `cardprice report`.',
  cardprice_source_cards: 'When it falls, a source has lost prices: `cardprice report`.',
  cardprice_source_quarantined: 'When it grows, decide: `cardprice quarantine list`.',
  cardprice_quarantined:
    '`mass-delisting` or `absurd-price` above 0 mostly means that a whole source is broken: ' +
    '`cardprice quarantine list --rule RULE`, and approve or reject by source.',
  cardprice_source_sync_seconds:
    'When it takes twice as long as usual, the source is slow or sends much more than before.',
  cardprice_source_import_seconds:
    'When it takes twice as long as usual, the disk is slow or another import was in between.',
  cardprice_price_age_seconds:
    'Above 216000 (60 hours) for a game whose source publishes daily, the catalogue is old: look ' +
    'at the sources of that game.',
  cardprice_cards: 'When a game has fewer cards than before, an import went wrong.',
  cardprice_catalog_revision:
    'When it stays the same although imports succeed, a process cannot read the database: the ' +
    'log has `the catalogue could not be refreshed`. It is the least of all workers.',
  cardprice_publication_info:
    'Workers and machines that serve one publication have one `id`. Different ones for longer than a ' +
    'load takes mean that a process cannot read the database, or reads another one.',
  cardprice_publication_age_seconds:
    'It grows until the next import publishes; how old the prices are, `cardprice_price_age_seconds` says.',
  cardprice_index_loads_total:
    'When starts are slow and only `built` rises, the saved search index does not fit or cannot ' +
    'be written; the log says why.',
};

/** What to know of the metrics that every process of Node has: those that are worth a look. */
const OTHERS: Readonly<Record<string, string>> = {
  process_resident_memory_bytes:
    'The memory of a process. Near that of the machine, use fewer workers ' +
    '([performance.md](performance.md) has what one needs).',
  process_cpu_seconds_total: 'At a rate of 1 a worker, all processors are busy: use more workers.',
  process_open_fds: 'Files and connections. Steadily rising, something is not closed: report it.',
  nodejs_eventloop_lag_p99_seconds:
    'How late requests are begun. Above 0.1 for minutes, there is too much work for one process, or ' +
    'others use the processors of the machine.',
  nodejs_gc_duration_seconds: 'Pauses to free memory.',
};

/** Every metric that a process may have, with PostgreSQL too. */
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

/** The names of metrics that have advice. */
export const ADVISED = Object.keys(ADVICE);

export function metricsPage(): string {
  const metrics = new Map(allMetrics().map((metric) => [described(metric).name, metric]));
  const own = Object.entries(ADVICE).map(([name, advice]) => section(metrics.get(name), advice));
  const others = Object.entries(OTHERS).map(([name, advice]) => `| \`${name}\` | ${advice} |`);
  return `# Metrics

What \`/metrics\` has, for Prometheus: of all workers of a machine together.
[operating.md](operating.md#what-to-watch) says who may read it. \`deploy/prometheus/alerts.yaml\` has
rules for alerts, each with the metric below that explains it, and \`deploy/grafana/cardprice.json\` is
a dashboard. Counters begin at 0 with the process. No label has values that callers choose.

${own.join('\n')}
## Of the process and Node

Every process of Node has these, and more of prom-client.

| metric | what to do |
|---|---|
${others.join('\n')}
`;
}

interface Described {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}

/** The parts of a metric that its type hides. */
function described(metric: Metric | undefined): Described {
  if (!metric) throw new Error('there is advice on a metric that does not exist');
  const { name, help, labelNames = [] } = metric as unknown as Partial<Described>;
  const type = metric.constructor.name.toLowerCase();
  return { name: String(name), help: String(help), type, labelNames };
}

function section(metric: Metric | undefined, advice: string): string {
  const { name, help, type, labelNames } = described(metric);
  const labels = labelNames.map((label) => `\`${label}\``).join(' and ');
  return `## \`${name}\`

${help}

- Type: ${type}${labels && `, by ${labels}`}.
- What to do: ${advice}
`;
}
