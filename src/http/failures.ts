import type { FastifyBaseLogger } from 'fastify';
import { isUnavailable, remedyFor } from '../store/engine/unavailable.ts';
import { LineBudget } from './line-budget.ts';

type FailureLogger = Pick<FastifyBaseLogger, 'error' | 'warn' | 'debug'>;

/** How often the log reports that the database is not available, in milliseconds. */
const REPEAT_MS = 10_000;

/** The budget of each log for other failures. */
const budgets = new WeakMap<FailureLogger, LineBudget>();

/** When each log may report the database again, on the clock of `performance.now()`. */
const nextLines = new WeakMap<FailureLogger, number>();

/**
 * Logs a failure with its stack and a message that says what failed. If the database is not
 * available, every request fails: that is logged once in ten seconds, without a stack but with a
 * remedy. If many other failures come in a short time, some are left out.
 */
export function logFailure(
  logger: FailureLogger,
  err: unknown,
  message: string,
  fields: { readonly reqId?: string } = {},
): void {
  if (!isUnavailable(err)) {
    const level = budgetOf(logger).allows() ? 'error' : 'debug';
    logger[level]({ ...fields, err }, message);
    return;
  }
  const reason = err instanceof Error ? err.message || err.name : String(err);
  const now = performance.now();
  if (now < (nextLines.get(logger) ?? 0)) {
    logger.debug({ ...fields, reason }, message);
    return;
  }
  nextLines.set(logger, now + REPEAT_MS);
  const remedy = remedyFor(err);
  logger.error({ ...fields, reason, remedy }, `the database is not available: ${message}`);
}

function budgetOf(logger: FailureLogger): LineBudget {
  const budget = budgets.get(logger) ?? new LineBudget(logger);
  budgets.set(logger, budget);
  return budget;
}
