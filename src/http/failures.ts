import type { FastifyBaseLogger } from 'fastify';
import { isUnavailable, remedyFor } from '../store/engine/unavailable.ts';
import { LineBudget } from './line-budget.ts';

type FailureLogger = Pick<FastifyBaseLogger, 'error' | 'warn' | 'debug'>;

/** How often the log says that the database cannot be used, in milliseconds. */
const REPEAT_MS = 10_000;

/** The budget of each log for failures of other kinds. */
const budgets = new WeakMap<FailureLogger, LineBudget>();

/** When each log may say it again, as `performance.now()` counts. */
const nextLines = new WeakMap<FailureLogger, number>();

/**
 * Logs a failure with its stack under a message that says what failed. That the database cannot be
 * used is logged once in ten seconds, without a stack and with what to do, because every request
 * fails then. Of many others in a short time some are left out.
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
