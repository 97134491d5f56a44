import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import type { Store } from '../../store/connect.ts';
import * as sql from './device-sql.ts';
import { createToken, hashToken, isToken } from './tokens.ts';

/** How long a browser is known after it was used to sign in, in milliseconds. */
export const DEVICE_MS: Millis = 180 * MS_PER_DAY;

/** The browsers of one account that are known; of more, the one used longest ago is forgotten. */
const MAX_DEVICES = 50;

/**
 * The browsers in which somebody has signed in to an account before. Guesses from elsewhere do not
 * slow them down, so that nobody can keep owners out by guessing. They open nothing by themselves.
 */
export class Devices {
  readonly #store: Store;
  readonly #clock: () => Millis;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The digest of the token of a browser that an account knows; undefined for any other text. */
  async find(accountId: number | undefined, token: string): Promise<string | undefined> {
    if (accountId === undefined || !isToken(token)) return undefined;
    const device = { token_hash: hashToken(token), account_id: accountId };
    const { db } = this.#store.accounts;
    const isKnown = await sql.hasDevice(db, device, this.#clock() - DEVICE_MS);
    return isKnown ? device.token_hash : undefined;
  }

  /**
   * Knows the browser that has just signed in, and returns its token: that which it sent, if the
   * account knows it by it, else a new one.
   */
  async remember(accountId: number, sent: string): Promise<string> {
    const token = (await this.find(accountId, sent)) === undefined ? createToken() : sent;
    const { db } = this.#store.accounts;
    const device = { token_hash: hashToken(token), account_id: accountId };
    await sql.saveDevice(db, { ...device, last_used_at: this.#clock() }, MAX_DEVICES);
    return token;
  }
}
