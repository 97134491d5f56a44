import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import type { Store } from '../../store/connect.ts';
import * as sql from './session-sql.ts';
import { createToken, hashToken, isToken } from './tokens.ts';

/** How long a browser stays known after its last sign-in, in milliseconds. */
export const DEVICE_MS: Millis = 180 * MS_PER_DAY;

/** The most known browsers of an account; beyond this, the least recently used is forgotten. */
const MAX_DEVICES = 50;

/**
 * The browsers in which somebody has signed in to an account. Guesses from elsewhere do not slow
 * them down, so guessing cannot lock an owner out. Being known gives a browser no access by itself.
 */
export class Devices {
  readonly #store: Store;
  readonly #clock: () => Millis;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Returns the digest of a browser's token if the account knows it; otherwise undefined. */
  async find(accountId: number | undefined, token: string): Promise<string | undefined> {
    if (accountId === undefined || !isToken(token)) return undefined;
    const tokenHash = hashToken(token);
    const { db } = this.#store.accounts;
    const since = this.#clock() - DEVICE_MS;
    return (await sql.hasDevice(db, { tokenHash, accountId }, since)) ? tokenHash : undefined;
  }

  /**
   * Remembers a browser that has just signed in, and returns its token: the one it sent if the
   * account recognises it, otherwise a new one.
   */
  async remember(accountId: number, sent: string): Promise<string> {
    const token = (await this.find(accountId, sent)) === undefined ? createToken() : sent;
    const device = { tokenHash: hashToken(token), accountId };
    const bounds = { now: this.#clock(), most: MAX_DEVICES };
    await sql.saveDevice(this.#store.accounts.db, device, bounds);
    return token;
  }
}
