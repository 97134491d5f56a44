import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { dayOf, formatMoment, type Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { type ImportLock, LockTaken, withLock } from '../ingest/lock.ts';
import { WebClient, WebError, type WebRules } from '../sources/io/web.ts';
import { readCheck, type SourceCheck, writeCheck } from '../store/catalogue/sync.ts';
import type { Store } from '../store/connect.ts';
import { type OutageOptions, throughOutages } from '../store/engine/outages.ts';
import { isOutage } from '../store/engine/unavailable.ts';
import type { Importers, SyncContext, SyncCounts, SyncSource } from './source.ts';

/**
 * The outcome of a source. Its update was imported (`imported`), or imported without its broken
 * parts (`incomplete`). There was no update (`unchanged`), the source asked us to wait (`waiting`),
 * or the sync failed and nothing changed (`failed`).
 */
export type OutcomeKind = 'imported' | 'incomplete' | 'unchanged' | 'waiting' | 'failed';

export interface SourceOutcome {
  readonly source: string;
  readonly outcome: OutcomeKind;
  /** The import; null if there was none. */
  readonly counts: SyncCounts | null;
  /** The error, worded for the operator. */
  readonly error: string | null;
  readonly requests: number;
  readonly seconds: number;
}

export interface SyncSummary {
  readonly startedAt: Millis;
  readonly finishedAt: Millis;
  readonly sources: readonly SourceOutcome[];
}

export interface SyncOptions extends OutageOptions {
  readonly clock: () => Millis;
  readonly importers: Importers;
  readonly userAgent: string;
  /** The folder for downloads. A sync empties it. */
  readonly folder: string;
  /** API keys of sources, which messages must never contain. */
  readonly secrets?: readonly string[];
  /** Whether to also query sources that asked us to wait. */
  readonly force?: boolean;
  /** Whether to import data again that was already imported. */
  readonly again?: boolean;
  /** Rules that override the sources' own. */
  readonly rules?: Partial<WebRules>;
  /** How long to wait for the import lock, in milliseconds. */
  readonly lockTimeout?: Millis;
  readonly onStart?: (source: string) => void;
  readonly onEnd?: (outcome: SourceOutcome) => void;
}

/**
 * Syncs the sources one after the other. A source that fails does not stop the others.
 *
 * @throws LockTaken if another sync of this database is running.
 */
export function runSync(
  store: Store,
  sources: readonly SyncSource[],
  options: SyncOptions,
): Promise<SyncSummary> {
  const { clock, folder, onStart, onEnd } = options;
  const syncAll = async (lock: ImportLock): Promise<SyncSummary> => {
    const startedAt = clock();
    const outcomes: SourceOutcome[] = [];
    await rm(folder, { recursive: true, force: true });
    for (const source of sources) {
      await throughOutages(store, () => lock.renew(), options);
      onStart?.(source.name);
      const sync = () => new SourceSync(store, source, options).run();
      const outcome = await throughOutages(store, sync, options);
      onEnd?.(outcome);
      outcomes.push(outcome);
    }
    return { startedAt, finishedAt: clock(), sources: outcomes };
  };
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  return withLock(store, clock, (lock) => syncAll(lock).finally(removeFolder), 'sync');
}

/** A source fails if more than one in this many parts is broken. */
const FAILED_SHARE = 2;
const LOCK_TIMEOUT_MS = 600_000;
const LOCK_RETRY_MS = 1000;

type Result = Pick<SourceOutcome, 'outcome' | 'counts' | 'error'> & {
  readonly version: string | null;
  readonly retryAt: Millis | null;
};

/** Syncs one source. */
class SourceSync {
  readonly #store: Store;
  readonly #source: SyncSource;
  readonly #options: SyncOptions;
  readonly #clients: WebClient[] = [];

  constructor(store: Store, source: SyncSource, options: SyncOptions) {
    this.#store = store;
    this.#source = source;
    this.#options = options;
  }

  async run(): Promise<SourceOutcome> {
    const { clock, force = false } = this.#options;
    const started = performance.now();
    const askedAt = clock();
    const check = await readCheck(this.#store.db, this.#source.name, askedAt);
    const { retryAt } = check;
    const waits = !force && retryAt !== null && retryAt > askedAt;
    const result = waits ? waiting(retryAt) : await this.#sync(check);
    if (!waits) await writeCheck(this.#store, this.#recorded(check, askedAt, result));
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

  async #sync(lastCheck: SourceCheck): Promise<Result> {
    try {
      const synced = await this.#source.sync(this.#context(lastCheck));
      const { version } = synced;
      const nothing = { counts: null, error: null, version, retryAt: null };
      if (synced.kind === 'unchanged') return { outcome: 'unchanged', ...nothing };
      return { ...nothing, ...judge(synced.counts) };
    } catch (error) {
      // The sync is repeated once the database is back.
      if (isOutage(error)) throw error;
      const retryAt = error instanceof WebError ? error.retryAt : null;
      const message = this.#hideSecrets(messageOf(error));
      return { outcome: 'failed', counts: null, error: message, version: null, retryAt };
    } finally {
      await rm(this.#folder, { recursive: true, force: true });
    }
  }

  get #folder(): string {
    return join(this.#options.folder, this.#source.name);
  }

  #context(lastCheck: SourceCheck): SyncContext {
    const { clock, userAgent, rules, importers, again = false } = this.#options;
    const isToday = lastCheck.requestsDay === dayOf(clock());
    const usedToday = isToday ? lastCheck.requests : 0;
    return {
      store: this.#store,
      clock,
      lastCheck,
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
        snapshot: (snapshot) => this.#whenFree(() => importers.snapshot(snapshot)),
        feed: (feed) => this.#whenFree(() => importers.feed(feed)),
        backfill: (backfill) => this.#whenFree(() => importers.backfill(backfill)),
        rates: (published) => this.#whenFree(() => importers.rates(published)),
      },
    };
  }

  /** Runs an import. Waits while another process holds the import lock. */
  async #whenFree<Summary>(work: () => Promise<Summary>): Promise<Summary> {
    const deadline = performance.now() + (this.#options.lockTimeout ?? LOCK_TIMEOUT_MS);
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof LockTaken) || performance.now() > deadline) throw error;
        await sleepFor(LOCK_RETRY_MS);
      }
    }
  }

  /** Returns the check to record. */
  #recorded(check: SourceCheck, askedAt: Millis, result: Result): SourceCheck {
    const { outcome, error, version, retryAt } = result;
    const now = this.#options.clock();
    const today = dayOf(now);
    const before = check.requestsDay === today ? check.requests : 0;
    const failed = outcome === 'failed';
    const answered = !failed && this.#requests > 0;
    return {
      ...check,
      askedAt,
      succeededAt: failed ? check.succeededAt : now,
      answeredAt: answered ? askedAt : check.answeredAt,
      failedAt: failed ? now : check.failedAt,
      error,
      retryAt,
      requests: before + this.#requests,
      requestsDay: today,
      version: version ?? check.version,
    };
  }

  #hideSecrets(message: string): string {
    const { secrets = [] } = this.#options;
    return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), message);
  }
}

/** Whether all parts were imported, or enough of them. */
function judge(counts: SyncCounts): Pick<Result, 'outcome' | 'counts' | 'error'> {
  const { broken, parts, firstBroken } = counts;
  if (broken === 0) return { outcome: 'imported', counts, error: null };
  const error = `${broken} of ${parts} could not be read; the first is ${firstBroken}`;
  const outcome = broken * FAILED_SHARE > parts ? 'failed' : 'incomplete';
  return { outcome, counts, error };
}

function waiting(until: Millis): Result {
  const error = `It asked us to wait until ${formatMoment(until)}.`;
  return { outcome: 'waiting', counts: null, error, version: null, retryAt: until };
}

function messageOf(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  const isOfSystem = typeof (error as NodeJS.ErrnoException).code === 'string';
  return isOfSystem ? message : `unexpected error: ${message}`;
}
