import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PARTS, type PartMessage, STATEMENTS, type StatementMessage } from '../lib/channels.ts';
import { TrustedProxies } from './proxies.ts';

/** Makes and sends traces. No other file loads OpenTelemetry: see `tracing.ts`. */

/** Creates spans for the work of this process, and sends them, until it is closed. */
export interface Tracing {
  /** Creates a span for every request of an application. Call it before adding other hooks. */
  observe(app: FastifyInstance): void;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** The URL of a collector, or of its path for traces. */
  readonly url: string;
  readonly version: string;
  /** The engine of the database, by its name in OpenTelemetry. */
  readonly database: 'sqlite' | 'postgresql';
  /** Whether a trusted proxy starts the traces that requests belong to. */
  readonly trustProxy: readonly string[];
  /** The task of a process that does not answer requests, such as `sync`. The task is one span. */
  readonly task?: string;
  /** Called when traces cannot be sent; they are dropped. */
  onError(reason: string): void;
}

/** How long a collector may take for one delivery, in milliseconds. */
const SEND_MS = 3000;
/** A span contains at most this many characters of a statement. */
const MAX_TEXT = 500;

/** The span of the request that the current work belongs to. */
const requestSpan = new AsyncLocalStorage<Span>();

export function traceWithOpenTelemetry(options: TracingOptions): Tracing {
  const { version, task, onError } = options;
  const ignore = () => {};
  const logger = { error: onError, warn: onError, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const provider = createProvider(options);
  const tracer = provider.getTracer('cardprice', version);
  const root = task === undefined ? undefined : tracer.startSpan(`cardprice ${task}`);
  const stop = listen(tracer, options, root);
  return {
    observe: (app) => traceRequests(app, tracer, options),
    async close() {
      stop();
      root?.end();
      await provider.shutdown().catch((error) => onError(String(error)));
    },
  };
}

function createProvider({ url, version }: TracingOptions): BasicTracerProvider {
  const exporter = new OTLPTraceExporter({ url: tracesUrl(url), timeoutMillis: SEND_MS });
  const own = resourceFromAttributes({ 'service.name': 'cardprice', 'service.version': version });
  return new BasicTracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: SEND_MS })],
  });
}

/** Collectors take traces at `/v1/traces`, unless the operator names another path. */
function tracesUrl(text: string): string {
  const url = new URL(text);
  if (url.pathname === '/') url.pathname = '/v1/traces';
  return url.href;
}

/** Creates spans for statements and parts of imports. Returns a function that stops it. */
function listen(tracer: Tracer, { database }: TracingOptions, root: Span | undefined): () => void {
  const onStatement = (message: unknown) => {
    const parent = requestSpan.getStore();
    if (!parent?.isRecording()) return;
    const { text, from, error } = message as StatementMessage;
    const statement = text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT);
    const operation = statement.split(' ', 1)[0]?.toLowerCase() ?? '';
    const attributes = {
      'db.system.name': database,
      'db.operation.name': operation,
      'db.query.text': statement,
    };
    const kind = SpanKind.CLIENT;
    const span = tracer.startSpan(operation, { kind, startTime: from, attributes }, below(parent));
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  const onPart = (message: unknown) => {
    const { part, from } = message as PartMessage;
    const attributes = { 'cardprice.part': part };
    tracer.startSpan('import part', { startTime: from, attributes }, below(root)).end();
  };
  STATEMENTS.subscribe(onStatement);
  PARTS.subscribe(onPart);
  return () => {
    STATEMENTS.unsubscribe(onStatement);
    PARTS.unsubscribe(onPart);
  };
}

function below(parent: Span | undefined): Context {
  return parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

/**
 * Creates a span for each request. It contains neither the URL nor headers, which may hold keys.
 */
function traceRequests(app: FastifyInstance, tracer: Tracer, { trustProxy }: TracingOptions): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  const proxies = new TrustedProxies(trustProxy);
  app.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    const parent = proxies.sent(request) ? remoteParent(traceparent) : ROOT_CONTEXT;
    const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER }, parent);
    spans.set(request, span);
    requestSpan.run(span, done);
  });
  // Reading the body loses the async context, so the span is set again.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) requestSpan.run(span, done);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    if (span) endSpan(span, request, reply);
    done();
  });
}

function endSpan(span: Span, request: FastifyRequest, { statusCode }: FastifyReply): void {
  const route = request.routeOptions.url ?? 'unknown';
  const account = (request.caller ?? request.session)?.accountId;
  span.updateName(`${request.method} ${route}`);
  span.setAttributes({
    'http.request.method': request.method,
    'http.route': route,
    'http.response.status_code': statusCode,
    'cardprice.request_id': request.id,
    ...(account === undefined ? {} : { 'cardprice.account_id': account }),
  });
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** The span in a `traceparent` (W3C Trace Context); none if it is malformed. */
function remoteParent(header: string | string[] | undefined): Context {
  const [, traceId = '', spanId = '', flags = ''] =
    /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(String(header)) ?? [];
  const isValid = /[^0]/.test(traceId) && /[^0]/.test(spanId);
  if (!isValid) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & 1;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
