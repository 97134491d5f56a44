import type { Logger } from 'pino';
import type { AuditAction } from '../../domain/audit.ts';
import type { Actor, AuditEntry, AuditLog } from './audit.ts';
import type { RecordedAudit } from './audit-sql.ts';

/** How often old entries are deleted, in milliseconds. */
const CLEAN_MS = 3_600_000;

/**
 * Records what happens while a process serves: nobody waits for it, it fails nobody, and the log of
 * the process gets each entry, too.
 */
export class AuditTrail {
  readonly #log: AuditLog;
  readonly #logger: Logger;
  /** The last of the writes, which are made one after the other. */
  #last: Promise<void> = Promise.resolve();
  #cleaning: NodeJS.Timeout | undefined;

  constructor(log: AuditLog, logger: Logger) {
    this.#log = log;
    this.#logger = logger;
  }

  /** Records an action soon; a failure is logged. */
  record(action: AuditAction, actor: Actor, entry: AuditEntry = {}): void {
    const { now: at } = this.#log;
    this.#last = this.#last.then(async () => {
      try {
        const row = await this.#log.record(action, actor, { at, ...entry });
        this.#logger.info(fieldsOf(row), 'audit');
      } catch (err) {
        const { requestId: reqId } = actor;
        this.#logger.error({ reqId, audit: action, err }, 'an audit entry could not be written');
      }
    });
  }

  /** Deletes entries that are older than `days`, now and every hour, until {@link close}. */
  keepFor(days: number): void {
    const clean = () => {
      this.#last = this.#last.then(() => this.#clean(days));
    };
    clean();
    this.#cleaning = setInterval(clean, CLEAN_MS).unref();
  }

  /** Resolves when everything that was to be recorded so far is written. */
  settled(): Promise<void> {
    return this.#last;
  }

  /** Deletes no more old entries, and waits for what is being written. */
  async close(): Promise<void> {
    clearInterval(this.#cleaning);
    await this.settled();
  }

  async #clean(days: number): Promise<void> {
    try {
      await this.#log.removeOld(days);
    } catch (err) {
      this.#logger.error({ err }, 'old audit entries could not be deleted');
    }
  }
}

/** An entry as the log has it: without what is null, and with numbers for e-mail addresses. */
function fieldsOf(row: RecordedAudit): Record<string, unknown> {
  const { action, actor, address, request_id, detail } = row;
  const by = nameOf(row.actor_id, row.actor_email);
  const subject = nameOf(row.subject_id, row.subject);
  const fields = {
    ...{ reqId: request_id, audit: action, actor, by, address, subject, detail },
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function nameOf(id: number | null, name: string | null): string | null {
  return id === null ? name : `account #${id}`;
}
