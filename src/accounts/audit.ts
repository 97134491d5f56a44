import type { AuditAction } from '../domain/audit.ts';
import type { Millis } from '../domain/day.ts';
import { lostWrites } from '../lib/tally.ts';
import { insertAudit } from '../store/audit.ts';
import type { Store } from '../store/connect.ts';

/** Who did something, and from where. */
export interface Actor {
  /** How: in the dashboard or with a key, as an operator there, on the command line, by itself. */
  readonly kind: 'account' | 'operator' | 'command' | 'service';
  /** The e-mail address of the account; null where none did it. */
  readonly email: string | null;
  /** The network address; null where it came from none. */
  readonly address: string | null;
  readonly requestId: string | null;
}

/** Whoever may run commands on this machine. */
export const COMMAND_LINE: Actor = {
  kind: 'command',
  email: null,
  address: null,
  requestId: null,
};

/** The log of who did what to accounts, keys and prices. */
export class AuditLog {
  readonly #store: Store;
  readonly #clock: () => Millis;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Records an action. Neither `subject` nor `detail` may hold a secret. */
  async record(
    action: AuditAction,
    actor: Actor,
    { subject = null, detail = null }: { subject?: string | null; detail?: string | null } = {},
  ): Promise<void> {
    const inserting = insertAudit(this.#store.accounts.db, {
      at: this.#clock(),
      action,
      actor: actor.kind,
      actor_email: actor.email,
      address: actor.address,
      request_id: actor.requestId,
      subject,
      detail,
    });
    await inserting.catch((error) => {
      lostWrites.add('audit');
      throw error;
    });
  }
}
