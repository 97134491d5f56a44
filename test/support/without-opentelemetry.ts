import { registerHooks } from 'node:module';

/**
 * Preload this into a program (`--import`) to simulate that OpenTelemetry is not installed. Its
 * interface stays, because prom-client depends on it.
 */
registerHooks({
  resolve(specifier, context, next) {
    const isPart = specifier.startsWith('@opentelemetry/');
    const isMissing = isPart && !context.parentURL?.includes('prom-client');
    return next(isMissing ? 'opentelemetry-is-not-installed' : specifier, context);
  },
});
