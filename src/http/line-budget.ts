import type { FastifyBaseLogger } from 'fastify';
import { RateLimiter } from '../accounts/quota/rate-limiter.ts';
import type { BurstLimit } from '../domain/plans.ts';

/** The limit of each kind of line: a hundred at once, then ten per second. */
const LIMIT: BurstLimit = { requests: 100, seconds: 10 };

/** How often the log reports how many lines were left out, in milliseconds. */
const REPORT_MS = 10_000;

/** Limits the log lines that callers can cause, so that a flood does not fill the disk. */
export class LineBudget {
  readonly #limiter = new RateLimiter<string>();
  readonly #logger: Pick<FastifyBaseLogger, 'warn'>;
  #leftOut = 0;
  #report: NodeJS.Timeout | undefined;

  constructor(logger: Pick<FastifyBaseLogger, 'warn'>) {
    this.#logger = logger;
  }

  /** Returns whether one more line may be written. Counts the others, and logs the count later. */
  allows(): boolean {
    if (this.#limiter.wait('', LIMIT, performance.now()) === 0) return true;
    this.#leftOut += 1;
    this.#report ??= setTimeout(() => this.flush(), REPORT_MS).unref();
    return false;
  }

  /** Logs how many lines were left out since the last time. */
  flush(): void {
    clearTimeout(this.#report);
    this.#report = undefined;
    if (this.#leftOut === 0) return;
    this.#logger.warn({ lines: this.#leftOut }, 'lines were left out of the log');
    this.#leftOut = 0;
  }
}
