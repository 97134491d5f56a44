import type { ActorKind, AuditAction } from '../../domain/audit.ts';
import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import { lostWrites } from '../../lib/tally.ts';
import type { Store } from '../../store/connect.ts';
import { type AuditName, deleteOldAudit, insertAudit, type RecordedAudit } from './audit-sql.ts';

/** Who did something, and from where. */
export interface Actor {
  readonly kind: ActorKind;
  /** The account, by its e-mail address or row id; null where none did it. */
  readonly account: string | number | null;
  /** The network address; null where it came from none. */
  readonly address: string | null;
  readonly requestId: string | null;
}

/** Whoever may run commands on this machine. */
export const COMMAND_LINE: Actor = {
  kind: 'command',
  account: null,
  address: null,
  requestId: null,
};

/** A serving process. */
export const SERVICE: Actor = { kind: 'service', account: null, address: null, requestId: null };

/** To whom or to what something was done, and more about it; never a secret. */
export interface AuditEntry {
  /** An account by its e-mail address or row id, or the name of a source, a setting … */
  readonly subject?: AuditName;
  readonly detail?: string | null;
  /** When it was done; now unless given. */
  readonly at?: Millis;
}

/** The longest detail that is stored, in characters. */
const MAX_DETAIL = 500;

/** How many old entries are deleted by one statement. */
const STEP = 500;

/** The log of who did what to accounts, keys and prices. */
export class AuditLog {
  readonly #store: Store;
  readonly #clock: () => Millis;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The moment by the clock of the log. */
  get now(): Millis {
    return this.#clock();
  }

  /** Records an action; returns it as it is stored. */
  async record(
    action: AuditAction,
    actor: Actor,
    { subject = null, detail = null, at = this.now }: AuditEntry = {},
  ): Promise<RecordedAudit> {
    const inserting = insertAudit(this.#store.accounts.db, {
      at,
      action,
      actor: actor.kind,
      actor_email: actor.account,
      address: actor.address,
      request_id: actor.requestId,
      subject,
      detail: detail?.slice(0, MAX_DETAIL) ?? null,
    });
    return inserting.catch((error) => {
      lostWrites.add('audit');
      throw error;
    });
  }

  /** Deletes what is older than `days`, some entries at a time. */
  async removeOld(days: number): Promise<void> {
    const before = this.now - days * MS_PER_DAY;
    while ((await deleteOldAudit(this.#store.accounts.db, before, STEP)) === STEP);
  }
}
