import type { Logger } from 'pino';
import type { ActorKind, AuditAction } from '../../domain/audit.ts';
import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import { lostWrites } from '../../lib/counts.ts';
import type { Store } from '../../store/connect.ts';
import { type AuditName, deleteOldAudit, insertAudit, type RecordedAudit } from './audit-sql.ts';

/** The actor, and where the action came from. */
export interface Actor {
  readonly kind: ActorKind;
  /** The account, by its e-mail address or row id; null for none. */
  readonly account: string | number | null;
  /** The network address; null for none. */
  readonly address: string | null;
  readonly requestId: string | null;
}

/** A person who runs a command on this machine. */
export const COMMAND_LINE: Actor = {
  kind: 'command',
  account: null,
  address: null,
  requestId: null,
};

/** A serving process. */
export const SERVICE: Actor = { kind: 'service', account: null, address: null, requestId: null };

/** The object of an action, and more about it; never a secret. */
export interface AuditEntry {
  /** An account by its e-mail address or row id, or the name of a source, a setting and so on. */
  readonly subject?: AuditName;
  readonly detail?: string | null;
  /** When it happened; now by default. */
  readonly at?: Millis;
}

/** The longest detail that is stored, in characters. */
const MAX_DETAIL = 500;

/** Old entries deleted by one statement. */
const STEP = 500;

/** The audit log: who did what to accounts, keys and prices. */
export class AuditLog {
  readonly #store: Store;
  readonly #clock: () => Millis;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The current moment by the clock of the log. */
  get now(): Millis {
    return this.#clock();
  }

  /** Records an action; returns it as stored. */
  async record(
    action: AuditAction,
    actor: Actor,
    { subject = null, detail = null, at = this.now }: AuditEntry = {},
  ): Promise<RecordedAudit> {
    const inserting = insertAudit(this.#store.accounts.db, {
      at,
      action,
      actor: actor.kind,
      account: actor.account,
      address: actor.address,
      requestId: actor.requestId,
      subject,
      detail: detail?.slice(0, MAX_DETAIL) ?? null,
    });
    return inserting.catch((error) => {
      lostWrites.add('audit');
      throw error;
    });
  }

  /** Deletes entries older than `days`, in batches. */
  async removeOld(days: number): Promise<void> {
    const before = this.now - days * MS_PER_DAY;
    while ((await deleteOldAudit(this.#store.accounts.db, before, STEP)) === STEP);
  }
}

/** Interval between deletions of old entries, in milliseconds. */
const CLEAN_MS = 3_600_000;

/**
 * Records what happens while a process serves. No request waits for it or fails because of it. Also
 * writes each entry to the log of the process.
 */
export class AuditTrail {
  readonly #log: AuditLog;
  readonly #logger: Logger;
  /** The last of the writes, which run one after the other. */
  #last: Promise<void> = Promise.resolve();
  #cleaning: NodeJS.Timeout | undefined;

  constructor(log: AuditLog, logger: Logger) {
    this.#log = log;
    this.#logger = logger;
  }

  /** Records an action soon. Logs a failure. */
  record(action: AuditAction, actor: Actor, entry: AuditEntry = {}): void {
    const { now: at } = this.#log;
    this.#last = this.#last.then(async () => {
      try {
        const recorded = await this.#log.record(action, actor, { at, ...entry });
        this.#logger.info(fieldsOf(recorded), 'audit');
      } catch (err) {
        const { requestId: reqId } = actor;
        this.#logger.error({ reqId, audit: action, err }, 'an audit entry could not be written');
      }
    });
  }

  /**
   * Deletes entries older than `days`, now and every hour, until {@link close}. `removeOthers` also
   * deletes other expired rows.
   */
  keepFor(days: number, removeOthers: () => Promise<void>): void {
    const clean = () => {
      this.#last = this.#last.then(() => this.#clean(days, removeOthers));
    };
    clean();
    this.#cleaning = setInterval(clean, CLEAN_MS).unref();
  }

  /** Resolves when everything recorded so far is written. */
  settled(): Promise<void> {
    return this.#last;
  }

  /** Stops deleting old entries, and waits until pending entries are written. */
  async close(): Promise<void> {
    clearInterval(this.#cleaning);
    await this.settled();
  }

  async #clean(days: number, removeOthers: () => Promise<void>): Promise<void> {
    try {
      await this.#log.removeOld(days);
      await removeOthers();
    } catch (err) {
      this.#logger.error({ err }, 'old audit entries and answers could not be deleted');
    }
  }
}

/** Returns an entry for the log: without nulls, and with numbers for e-mail addresses. */
function fieldsOf(entry: RecordedAudit): Record<string, unknown> {
  const { action: audit, actor, address, requestId: reqId, detail } = entry;
  const by = nameOf(entry.actorId, entry.actorEmail);
  const subject = nameOf(entry.subjectId, entry.subject);
  const fields = { reqId, audit, actor, by, address, subject, detail };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function nameOf(id: number | null, name: string | null): string | null {
  return id === null ? name : `account #${id}`;
}
