import { Counter, Histogram, type Registry } from 'prom-client';
import type { RequestReport } from './request-log.ts';

const NAME = 'cardprice_http_request_seconds';
const HELP = 'Seconds from the arrival of a request to the end of its answer.';

/** The upper bounds of the buckets of durations, in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5] as const;

/**
 * Registers the metrics of answered requests, and returns a function that counts one. Counts in
 * plain numbers, because prom-client's own `inc` and `observe` took 6 % of a cached card's time.
 */
export function registerAnswerMetrics(registry: Registry): (answered: RequestReport) => void {
  const durations = new Durations(registry);
  const counts = new Map<string, Count>();
  new Counter({
    name: 'cardprice_http_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['route', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { route, status, count } of counts.values()) this.inc({ route, status }, count);
    },
  });
  // Unknown paths share one label, so callers cannot increase the number of labels.
  return ({ route = 'unknown', status, ms }) => {
    durations.add(ms / 1000);
    const key = route + status;
    const count = counts.get(key);
    if (count) count.count += 1;
    else counts.set(key, { route, status, count: 1 });
  };
}

/** The number of answers of a route with a status. */
interface Count {
  readonly route: string;
  readonly status: number;
  count: number;
}

/** A histogram of seconds without labels. */
class Durations extends Histogram {
  /** By bucket; the last one is above all bounds. */
  readonly #counts = new Array<number>(BOUNDS.length + 1).fill(0);
  #sum = 0;

  constructor(registry: Registry) {
    super({ name: NAME, help: HELP, buckets: [...BOUNDS], registers: [registry] });
  }

  add(seconds: number): void {
    this.#sum += seconds;
    let bucket = 0;
    while (seconds > (BOUNDS[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
  }

  /** Replaces the method that prom-client reads for all formats. Its types lack this method. */
  async getForPromString() {
    let count = 0;
    const buckets = this.#counts.map((more, bucket) => {
      count += more;
      return sample('bucket', count, { le: BOUNDS[bucket] ?? '+Inf' });
    });
    const values = [...buckets, sample('sum', this.#sum), sample('count', count)];
    return { name: NAME, help: HELP, type: 'histogram', aggregator: 'sum', values };
  }
}

function sample(ending: string, value: number, labels = {}) {
  return { metricName: `${NAME}_${ending}`, value, labels, sharedLabels: {} };
}
