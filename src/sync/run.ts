import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { dayOf, formatMoment, type Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { LockTaken, takeLock } from '../ingest/lock.ts';
import { WebClient, WebError, type WebRules } from '../sources/io/web.ts';
import type { Store } from '../store/connect.ts';
import type { SourceCheckRow } from '../store/schema.ts';
import { readCheck, writeCheck } from '../store/sync.ts';
import type { Importers, PullCounts, SyncSource, Visit } from './source.ts';

/**
 * What became of a source: something new is in; some of it is, but parts of it were broken; there
 * was nothing new; it wants to be left alone; or it failed, and everything stays as it was.
 */
export type OutcomeKind = 'imported' | 'incomplete' | 'unchanged' | 'waiting' | 'failed';

export interface SourceOutcome {
  readonly source: string;
  readonly outcome: OutcomeKind;
  /** What came in; null when nothing did. */
  readonly counts: PullCounts | null;
  /** What went wrong, for the operator. */
  readonly error: string | null;
  readonly requests: number;
  readonly seconds: number;
}

export interface SyncSummary {
  readonly startedAt: Millis;
  readonly finishedAt: Millis;
  readonly sources: readonly SourceOutcome[];
}

export interface SyncOptions {
  readonly clock: () => Millis;
  readonly importers: Importers;
  readonly userAgent: string;
  /** For downloads. It is ours alone: whatever is in it is removed. */
  readonly folder: string;
  /** Keys, which no message may hold. */
  readonly secrets?: readonly string[];
  /** Whether sources are asked, too, that want to be left alone for a while. */
  readonly insist?: boolean;
  /** Whether also what was imported before is imported. */
  readonly again?: boolean;
  /** How the sources are asked, where that is to be otherwise. */
  readonly rules?: Partial<WebRules>;
  /** How long to wait for an import that somebody else makes. */
  readonly patience?: Millis;
  readonly onStart?: (source: string) => void;
  readonly onEnd?: (outcome: SourceOutcome) => void;
}

/**
 * Asks the sources one after the other, and imports what they have new. A source that fails
 * keeps no other from its turn.
 *
 * @throws LockTaken when another sync of this database is running.
 */
export async function runSync(
  store: Store,
  sources: readonly SyncSource[],
  options: SyncOptions,
): Promise<SyncSummary> {
  const { clock, folder, onStart, onEnd } = options;
  const lock = await takeLock(store, clock, 'sync');
  try {
    const startedAt = clock();
    const outcomes: SourceOutcome[] = [];
    await rm(folder, { recursive: true, force: true });
    for (const source of sources) {
      await lock.renew();
      onStart?.(source.name);
      const outcome = await new SourceVisit(store, source, options).make();
      onEnd?.(outcome);
      outcomes.push(outcome);
    }
    return { startedAt, finishedAt: clock(), sources: outcomes };
  } finally {
    await rm(folder, { recursive: true, force: true });
    await lock.free();
  }
}

/** Of so many parts of a source at least one has to be sound, or it counts as failed. */
const SOUND_SHARE = 2;
const IMPORT_PATIENCE_MS = 600_000;
const IMPORT_RETRY_MS = 1000;

type Result = Pick<SourceOutcome, 'outcome' | 'counts' | 'error'> & {
  readonly version: string | null;
  readonly retryAt: Millis | null;
};

/** One turn of one source. */
class SourceVisit {
  readonly #store: Store;
  readonly #source: SyncSource;
  readonly #options: SyncOptions;
  readonly #clients: WebClient[] = [];

  constructor(store: Store, source: SyncSource, options: SyncOptions) {
    this.#store = store;
    this.#source = source;
    this.#options = options;
  }

  async make(): Promise<SourceOutcome> {
    const { clock, insist = false } = this.#options;
    const started = performance.now();
    const askedAt = clock();
    const check = await readCheck(this.#store.db, this.#source.name, askedAt);
    const { retry_at: retryAt } = check;
    const waits = !insist && retryAt !== null && retryAt > askedAt;
    const result = waits ? waiting(retryAt) : await this.#pull(check);
    if (!waits) await writeCheck(this.#store, this.#noted(check, askedAt, result));
    const { outcome, counts, error } = result;
    const seconds = (performance.now() - started) / 1000;
    return {
      source: this.#source.name,
      outcome,
      counts,
      error,
      requests: this.#requests,
      seconds,
    };
  }

  get #requests(): number {
    return this.#clients.reduce((sum, { requestCount }) => sum + requestCount, 0);
  }

  async #pull(check: SourceCheckRow): Promise<Result> {
    try {
      const pulled = await this.#source.pull(this.#visit(check));
      const { version } = pulled;
      const nothing = { counts: null, error: null, version, retryAt: null };
      if (pulled.kind === 'unchanged') return { outcome: 'unchanged', ...nothing };
      return { ...nothing, ...judge(pulled.counts) };
    } catch (error) {
      const retryAt = error instanceof WebError ? error.retryAt : null;
      const words = this.#hideSecrets(wordsFor(error));
      return { outcome: 'failed', counts: null, error: words, version: null, retryAt };
    } finally {
      await rm(this.#folder, { recursive: true, force: true });
    }
  }

  get #folder(): string {
    return join(this.#options.folder, this.#source.name);
  }

  #visit(check: SourceCheckRow): Visit {
    const { clock, userAgent, rules, importers, again = false } = this.#options;
    const usedToday = check.requests_day === dayOf(clock()) ? check.requests : 0;
    return {
      store: this.#store,
      clock,
      check,
      again,
      openClient: (own, requestsADay = Number.POSITIVE_INFINITY) => {
        const maxRequests = Math.max(0, requestsADay - usedToday);
        const client = new WebClient({ ...own, maxRequests, userAgent, clock, ...rules });
        this.#clients.push(client);
        return client;
      },
      folder: async () => {
        await mkdir(this.#folder, { recursive: true, mode: 0o700 });
        return this.#folder;
      },
      importers: {
        snapshot: (snapshot) => this.#inTurn(() => importers.snapshot(snapshot)),
        feed: (feed) => this.#inTurn(() => importers.feed(feed)),
        past: (past) => this.#inTurn(() => importers.past(past)),
      },
    };
  }

  /** Imports once nobody else does. */
  async #inTurn<Summary>(work: () => Promise<Summary>): Promise<Summary> {
    const deadline = performance.now() + (this.#options.patience ?? IMPORT_PATIENCE_MS);
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof LockTaken) || performance.now() > deadline) throw error;
        await sleepFor(IMPORT_RETRY_MS);
      }
    }
  }

  /** What is written down about the source now. */
  #noted(check: SourceCheckRow, askedAt: Millis, result: Result): SourceCheckRow {
    const { outcome, error, version, retryAt } = result;
    const now = this.#options.clock();
    const today = dayOf(now);
    const before = check.requests_day === today ? check.requests : 0;
    const failed = outcome === 'failed';
    const answered = !failed && this.#requests > 0;
    return {
      ...check,
      asked_at: askedAt,
      succeeded_at: failed ? check.succeeded_at : now,
      answered_at: answered ? askedAt : check.answered_at,
      failed_at: failed ? now : check.failed_at,
      error,
      retry_at: retryAt,
      requests: before + this.#requests,
      requests_day: today,
      version: version ?? check.version,
    };
  }

  #hideSecrets(words: string): string {
    const { secrets = [] } = this.#options;
    return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), words);
  }
}

/** Whether what came in is all there was. */
function judge(counts: PullCounts): Pick<Result, 'outcome' | 'counts' | 'error'> {
  const { broken, parts, firstBroken } = counts;
  if (broken === 0) return { outcome: 'imported', counts, error: null };
  const error = `${broken} of ${parts} could not be read; the first is ${firstBroken}`;
  const outcome = broken * SOUND_SHARE > parts ? 'failed' : 'incomplete';
  return { outcome, counts, error };
}

function waiting(until: Millis): Result {
  const error = `It asked to be left alone until ${formatMoment(until)}.`;
  return { outcome: 'waiting', counts: null, error, version: null, retryAt: until };
}

function wordsFor(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  const isOfSystem = typeof (error as NodeJS.ErrnoException).code === 'string';
  return isOfSystem ? message : `unexpected error: ${message}`;
}
