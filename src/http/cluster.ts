import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { AggregatorRegistry, type Registry } from 'prom-client';

/** Several worker processes behind one port, and the primary that restarts them. */

/** Milliseconds between the death of a worker and the start of its replacement. */
const RESTART_MS = 500;

interface MetricsRequest {
  readonly cardpriceMetrics: string;
}

/** The answer of the primary. It has no text if the metrics could not be collected. */
interface MetricsAnswer extends MetricsRequest {
  readonly text?: string;
}

/** Runs in the primary. Starts workers, which run this same program, and replaces dead ones. */
export class Supervisor {
  readonly #logger: Logger;
  readonly #registry = new AggregatorRegistry();
  readonly #ended = Promise.withResolvers<boolean>();
  #cameUp = false;
  #stopping = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * Runs `count` workers until a signal stops them. Resolves to whether the first one ever
   * listened. The others start only after that, so a mistake in the settings is reported once and
   * ends the program. After that, dead workers are replaced.
   */
  run(count: number): Promise<boolean> {
    process.on('SIGTERM', () => this.#stop());
    process.on('SIGINT', () => this.#stop());
    cluster.on('exit', (worker, code, signal) => this.#replace(worker, code, signal));
    cluster.once('listening', () => {
      this.#cameUp = true;
      for (let index = 1; index < count; index += 1) this.#start();
    });
    this.#start();
    return this.#ended.promise;
  }

  #start(): void {
    if (this.#stopping) return;
    const worker = cluster.fork();
    worker.on('message', async (message: Partial<MetricsRequest>) => {
      if (message.cardpriceMetrics === undefined) return;
      const answer = await this.#gather(message.cardpriceMetrics);
      if (worker.isConnected()) worker.send(answer);
    });
  }

  /**
   * Returns the metrics of all workers; an empty text if one of them dies during the collection.
   */
  async #gather(cardpriceMetrics: string): Promise<MetricsAnswer> {
    try {
      return { cardpriceMetrics, text: await this.#registry.clusterMetrics() };
    } catch (error) {
      this.#logger.error({ err: error }, 'the metrics could not be gathered');
      return { cardpriceMetrics };
    }
  }

  #replace(worker: Worker, code: number, signal: string): void {
    if (!this.#stopping) {
      this.#logger.error({ worker: worker.process.pid, code, signal }, 'a worker died');
      if (this.#cameUp) setTimeout(() => this.#start(), RESTART_MS);
      else this.#stopping = true;
    }
    this.#endIfAlone();
  }

  #stop(): void {
    this.#stopping = true;
    for (const worker of liveWorkers()) worker.process.kill('SIGTERM');
    this.#endIfAlone();
  }

  #endIfAlone(): void {
    if (this.#stopping && liveWorkers().length === 0) this.#ended.resolve(this.#cameUp);
  }
}

function liveWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

/**
 * Runs in a worker. From now on the primary can read its metrics. Returns a function that asks the
 * primary for the combined metrics of all workers.
 */
export function shareMetrics(own: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries(own);
  // The constructor adds the listener that answers the primary.
  new AggregatorRegistry();
  return gatheredMetrics;
}

function gatheredMetrics(): Promise<string> {
  const id = randomUUID();
  return new Promise((resolve, reject) => {
    const receive = (message: Partial<MetricsAnswer>) => {
      if (message.cardpriceMetrics !== id) return;
      process.off('message', receive);
      if (message.text !== undefined) resolve(message.text);
      else reject(new Error('the primary could not gather the metrics'));
    };
    process.on('message', receive);
    process.send?.({ cardpriceMetrics: id } satisfies MetricsRequest);
  });
}
