import type { FastifyInstance } from 'fastify';
import { OperatorError } from '../domain/errors.ts';

/** Makes spans of what this process does, and sends them, until it is closed. */
export interface Tracing {
  /** Makes a span of every request of an application; call it before other hooks are added. */
  observe(app: FastifyInstance): void;
  /** Sends what is left. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** Where traces are sent: a collector, or its path for traces. */
  readonly url: string;
  readonly version: string;
  /** The engine of the database, as OpenTelemetry calls it. */
  readonly database: 'sqlite' | 'postgresql';
  /** Whether a trusted proxy begins the traces that requests belong to. */
  readonly trustProxy: boolean;
  /** What the process does besides answering requests, such as `sync`: one span from here on. */
  readonly task?: string;
  /** Called when traces cannot be sent; they are dropped. */
  onError(reason: string): void;
}

/**
 * Begins to trace, or does nothing where no URL is set: then nothing of OpenTelemetry is loaded.
 *
 * @throws OperatorError, which says what to install, when the optional packages are missing.
 */
export async function startTracing(options: TracingOptions): Promise<Tracing | undefined> {
  if (options.url === '') return undefined;
  try {
    const { traceWithOpenTelemetry } = await import('./opentelemetry.ts');
    return traceWithOpenTelemetry(options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new OperatorError(
      'Traces (CARDPRICE_TRACES) need packages that are not installed. Install them beside ' +
        'cardprice, with --global if cardprice is: npm install @opentelemetry/api@1 ' +
        '@opentelemetry/sdk-trace-base@2 @opentelemetry/resources@2 ' +
        '@opentelemetry/exporter-trace-otlp-http',
      { cause: error },
    );
  }
}
