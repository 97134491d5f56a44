import type { FastifyInstance } from 'fastify';

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
