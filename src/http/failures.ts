import type { FastifyBaseLogger } from 'fastify';
import { RateLimiter } from '../accounts/quota/rate-limiter.ts';
import type { BurstLimit } from '../domain/plans.ts';
import { isUnavailable, remedyFor } from '../store/engine/unavailable.ts';

/** The limit of each kind of line: a hundred at once, then ten per second. */
const LIMIT: BurstLimit = { requests: 100, seconds: 10 };

/** Interval at which the log reports the number of omitted lines, in milliseconds. */
const REPORT_MS = 10_000;

/** Limits the log lines that callers can cause, so a flood does not fill the disk. */
export class LineBudget {
  readonly #limiter = new RateLimiter<string>();
  readonly #logger: Pick<FastifyBaseLogger, 'warn'>;
  #leftOut = 0;
  #report: NodeJS.Timeout | undefined;

  constructor(logger: Pick<FastifyBaseLogger, 'warn'>) {
    this.#logger = logger;
  }

  /**
   * Returns whether one more line may be written. Counts omitted lines, and logs their count later.
   */
  allows(): boolean {
    if (this.#limiter.wait('', LIMIT, performance.now()) === 0) return true;
    this.#leftOut += 1;
    this.#report ??= setTimeout(() => this.flush(), REPORT_MS).unref();
    return false;
  }

  /** Logs the number of lines omitted since the last report. */
  flush(): void {
    clearTimeout(this.#report);
    this.#report = undefined;
    if (this.#leftOut === 0) return;
    this.#logger.warn({ lines: this.#leftOut }, 'lines were left out of the log');
    this.#leftOut = 0;
  }
}

type FailureLogger = Pick<FastifyBaseLogger, 'error' | 'warn' | 'debug'>;

/** Interval at which the log reports an unavailable database, in milliseconds. */
const REPEAT_MS = 10_000;

/** The budget of each log for other failures. */
const budgets = new WeakMap<FailureLogger, LineBudget>();

/** When each log may report the database again, on the clock of `performance.now()`. */
const nextLines = new WeakMap<FailureLogger, number>();

/**
 * Logs a failure with its stack and a message about what failed. An unavailable database makes
 * every request fail: it is logged once in ten seconds, without a stack but with a remedy. If many
 * other failures occur in a short time, some are omitted.
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
