import { statfs } from 'node:fs/promises';
import { Counter, Gauge, type Registry } from 'prom-client';
import { indexLoads, lostWrites, refusals, type Tally } from '../lib/counts.ts';
import { queueLengths } from '../lib/queue.ts';
import { WAIT_KINDS, waits } from '../lib/waits.ts';
import type { SourceTimes } from '../store/catalogue/sync.ts';
import type { Connections } from '../store/engine/engine.ts';

/** The figures of the installation that every scrape reads, without those of the sources. */
export interface OperationFigures {
  /** Counts the sessions that have not expired. */
  readonly sessions: () => Promise<number>;
  /** The duration of each source. */
  readonly times: () => Promise<readonly SourceTimes[]>;
  /** The connections to the database; undefined without a server. */
  readonly connections: () => Connections | undefined;
  /** The folder whose disk must not become full. */
  readonly folder: string;
}

/** Registers the counters of a process. The counts of all workers are summed. */
export function registerProcessMetrics(registry: Registry): void {
  registerWaits(registry);
  new Gauge({
    name: 'cardprice_queue_length',
    help: 'Password checks and pictures that wait for their turn, and that run.',
    labelNames: ['queue', 'state'],
    registers: [registry],
    collect() {
      for (const [queue, { waiting, running }] of Object.entries(queueLengths)) {
        this.set({ queue, state: 'waiting' }, waiting);
        this.set({ queue, state: 'running' }, running);
      }
    },
  });
  registerTally(registry, refusals, {
    name: 'cardprice_refusals_total',
    help: 'Requests and connections that were refused because of a limit, by the limit.',
    label: 'limit',
  });
  registerTally(registry, lostWrites, {
    name: 'cardprice_lost_writes_total',
    help: 'Log entries that could not be written although their action was done, by kind of log.',
    label: 'what',
  });
  registerTally(registry, indexLoads, {
    name: 'cardprice_index_loads_total',
    help: 'Starts of a process, by whether its search index was saved before or had to be built.',
    label: 'from',
  });
}

function registerWaits(registry: Registry): void {
  new Counter({
    name: 'cardprice_waits_total',
    help: 'Waits of a millisecond and more, by what was waited for.',
    labelNames: ['for'],
    registers: [registry],
    collect() {
      this.reset();
      for (const kind of WAIT_KINDS) this.inc({ for: kind }, waits.totalOf(kind).count);
    },
  });
  new Counter({
    name: 'cardprice_wait_seconds_total',
    help: 'The seconds of these waits, by what was waited for.',
    labelNames: ['for'],
    registers: [registry],
    collect() {
      this.reset();
      for (const kind of WAIT_KINDS) {
        this.inc({ for: kind }, waits.totalOf(kind).milliseconds / 1000);
      }
    },
  });
}

interface TallyMetric<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly label: Label;
}

function registerTally<Value extends string, Label extends string>(
  registry: Registry,
  tally: Tally<Value>,
  { name, help, label }: TallyMetric<Label>,
): void {
  new Counter<string>({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [value, count] of tally.entries()) this.inc({ [label]: value }, count);
    },
  });
}

/** Registers the gauges of the database and the disk. A gauge that cannot be read has no value. */
export function registerOperationMetrics(registry: Registry, figures: OperationFigures): void {
  const { sessions, times, connections, folder } = figures;
  registerNumber(registry, {
    name: 'cardprice_sessions',
    help: 'Browsers that are signed in: sessions that have not expired.',
    read: sessions,
  });
  registerNumber(registry, {
    name: 'cardprice_disk_free_bytes',
    help: 'Space that this user can use on the disk of the database or of the downloads.',
    read: () => freeBytes(folder),
  });
  registerTimes(registry, times);
  if (!connections()) return;
  new Gauge({
    name: 'cardprice_database_connections',
    help: 'Connections to PostgreSQL by state, and requests that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(connections() ?? {})) this.set({ state }, count);
    },
  });
}

function registerNumber(
  registry: Registry,
  { name, help, read }: { name: string; help: string; read: () => Promise<number> },
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    aggregator: 'max',
    async collect() {
      try {
        this.set(await read());
      } catch {
        // `cardprice_database_up` reports a lost database.
        this.remove();
      }
    },
  });
}

function registerTimes(registry: Registry, times: OperationFigures['times']): void {
  const gaugeOf = (name: string, help: string, measure: (row: SourceTimes) => number | null) => {
    new Gauge({
      name,
      help,
      labelNames: ['source'],
      registers: [registry],
      aggregator: 'max',
      async collect() {
        this.reset();
        for (const row of await times().catch(() => [])) {
          const milliseconds = measure(row);
          if (milliseconds !== null) this.set({ source: row.source }, milliseconds / 1000);
        }
      },
    });
  };
  gaugeOf(
    'cardprice_source_sync_seconds',
    'How long the last sync of a source took, downloads and import together.',
    ({ sync }) => sync,
  );
  gaugeOf(
    'cardprice_source_import_seconds',
    'How long the last import of a source took that came to an end.',
    ({ imported }) => imported,
  );
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
