import type { FastifyBaseLogger } from 'fastify';
import { RateLimiter } from '../accounts/quota/rate-limiter.ts';
import type { BurstLimit } from '../domain/plans.ts';

/** Lines of one kind: a hundred at once, and ten a second after that. */
const LIMIT: BurstLimit = { requests: 100, seconds: 10 };

/** How often the log says how many lines were left out, in milliseconds. */
const REPORT_MS = 10_000;

/** Bounds the lines that others can cause, so that a flood of them does not fill the disk. */
export class LineBudget {
  readonly #limiter = new RateLimiter<string>();
  readonly #logger: Pick<FastifyBaseLogger, 'warn'>;
  #leftOut = 0;
  #report: NodeJS.Timeout | undefined;

  constructor(logger: Pick<FastifyBaseLogger, 'warn'>) {
    this.#logger = logger;
  }

  /** Whether one more line may be written. Those that may not are counted, and the count logged. */
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
