import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Store } from '../../store/connect.ts';
import { readMailKey, stopMails } from './mail-sql.ts';

/**
 * What a link ends: the mails of one alert, or of all alerts of an account if `alertId` is null.
 */
export interface Subscription {
  readonly accountId: number;
  readonly alertId: number | null;
}

/** The row ids, and the signature in base64url. */
const TOKEN = /^(\d{1,9})-(all|\d{1,9})-([\w-]{43})$/;

/**
 * Ends mails by a link, without a session. The token of the link names the row ids of its account
 * and alert, signed with a key that never leaves the database (docs/adr/0052).
 */
export class Unsubscribing {
  readonly #store: Store;
  #key: Promise<string> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  async tokenOf(subscription: Subscription): Promise<string> {
    const named = nameOf(subscription);
    return `${named}-${(await this.#sign(named)).toString('base64url')}`;
  }

  /**
   * Ends the mails that a token names, or all mails of its account if `endsAll`. Doing so again
   * changes nothing. Returns false for a token that this service did not sign.
   */
  async end(token: string, endsAll: boolean): Promise<boolean> {
    const subscription = await this.#read(token);
    if (!subscription) return false;
    const alertId = endsAll ? null : subscription.alertId;
    await stopMails(this.#store.accounts.db, { ...subscription, alertId });
    return true;
  }

  async #read(token: string): Promise<Subscription | undefined> {
    const [, account, alert, signature = ''] = TOKEN.exec(token) ?? [];
    if (account === undefined) return undefined;
    const expected = await this.#sign(`${account}-${alert}`);
    const isSigned = timingSafeEqual(Buffer.from(signature, 'base64url'), expected);
    if (!isSigned) return undefined;
    return { accountId: Number(account), alertId: alert === 'all' ? null : Number(alert) };
  }

  async #sign(named: string): Promise<Buffer> {
    this.#key ??= readMailKey(this.#store.accounts.db);
    const key = await this.#key.catch((error) => {
      // The next call reads it again.
      this.#key = undefined;
      throw error;
    });
    return createHmac('sha256', key).update(`unsubscribe ${named}`).digest();
  }
}

function nameOf({ accountId, alertId }: Subscription): string {
  return `${accountId}-${alertId ?? 'all'}`;
}
