import { registerHooks } from 'node:module';

/**
 * Loaded before the program (`--import`), it is as if OpenTelemetry were not installed; but for its
 * interface, which prom-client has as a library of its own.
 */
registerHooks({
  resolve(specifier, context, next) {
    const isPart = specifier.startsWith('@opentelemetry/');
    const isMissing = isPart && !context.parentURL?.includes('prom-client');
    return next(isMissing ? 'opentelemetry-is-not-installed' : specifier, context);
  },
});
