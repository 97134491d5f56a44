import { OperatorError } from '../domain/errors.ts';
import type { Tracing, TracingOptions } from './opentelemetry.ts';

/**
 * Starts tracing. Without a URL it does nothing, and does not load OpenTelemetry.
 *
 * @throws OperatorError with the command to run if the optional packages are missing.
 */
export async function startTracing(options: TracingOptions): Promise<Tracing | undefined> {
  if (options.url === '') return undefined;
  try {
    const { traceWithOpenTelemetry } = await import('./opentelemetry.ts');
    return traceWithOpenTelemetry(options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new OperatorError(
      'Traces (CARDPRICE_TRACES) need packages that are not installed. Install them next to ' +
        'cardprice, with --global if cardprice is: npm install @opentelemetry/api@1 ' +
        '@opentelemetry/sdk-trace-base@2 @opentelemetry/resources@2 ' +
        '@opentelemetry/exporter-trace-otlp-http',
      { cause: error },
    );
  }
}
