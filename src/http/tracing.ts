import type { FastifyInstance } from 'fastify';

/** Makes spans of the work of this process, and sends them, until it is closed. */
export interface Tracing {
  /** Makes a span of every request of an application. Call it before adding other hooks. */
  observe(app: FastifyInstance): void;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** The URL of a collector, or of its path for traces. */
  readonly url: string;
  readonly version: string;
  /** The engine of the database, as OpenTelemetry calls it. */
  readonly database: 'sqlite' | 'postgresql';
  /** Whether a trusted proxy starts the traces that requests belong to. */
  readonly trustProxy: boolean;
  /** The task of a process that does not answer requests, such as `sync`: it is one span. */
  readonly task?: string;
  /** Called when traces cannot be sent; they are dropped. */
  onError(reason: string): void;
}
