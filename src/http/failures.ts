import type { FastifyBaseLogger } from 'fastify';
import { isUnavailable } from '../store/unavailable.ts';

type FailureLogger = Pick<FastifyBaseLogger, 'error' | 'debug'>;

/** How often the log says that the database cannot be used, in milliseconds. */
const REPEAT_MS = 10_000;

/** When each log may say it again, as `performance.now()` counts. */
const nextLines = new WeakMap<FailureLogger, number>();

/**
 * Logs a failure with its stack under a message that says what failed. That the database cannot be
 * used is logged once in ten seconds and without a stack, because every request fails then.
 */
export function logFailure(
  logger: FailureLogger,
  err: unknown,
  message: string,
  fields: { readonly reqId?: string } = {},
): void {
  if (!isUnavailable(err)) {
    logger.error({ ...fields, err }, message);
    return;
  }
  const reason = err instanceof Error ? err.message || err.name : String(err);
  const now = performance.now();
  if (now < (nextLines.get(logger) ?? 0)) {
    logger.debug({ ...fields, reason }, message);
    return;
  }
  nextLines.set(logger, now + REPEAT_MS);
  logger.error({ ...fields, reason }, `the database is not available: ${message}`);
}
