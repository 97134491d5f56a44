import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import type { Store } from '../../store/connect.ts';
import type { Deletion } from '../account-deletion-sql.ts';
import { type AccountRecord, findAccount } from '../account-sql.ts';
import { Accounts } from '../accounts.ts';
import { Plans } from '../quota/plans.ts';
import { type Attempt, AttemptLimiter } from './attempt-limiter.ts';
import { Devices } from './devices.ts';
import * as sql from './password-sql.ts';
import { makeReset, Passwords, type ResetToken, requirePassword } from './passwords.ts';
import { deleteSessions } from './session-sql.ts';
import { requireEnabled, type Session, type VerifiedAccount, verifiedAccount } from './sessions.ts';
import { type SignUpRules, SignUps } from './sign-ups.ts';
import { hashToken, isToken } from './tokens.ts';

export { PASSWORD, resetLink } from './passwords.ts';
export type { SignUpRules } from './sign-ups.ts';

/** How long a reset link from an operator works, in milliseconds. */
export const RESET_LINK_MS: Millis = MS_PER_DAY;
/** How long a mailed reset link works, in milliseconds. */
export const MAILED_RESET_LINK_MS: Millis = 3_600_000;

/** The origin of an attempt. */
interface Caller {
  /** The network address. */
  readonly address: string;
  /** The token by which accounts know the browser; `''` or undefined for an unknown browser. */
  readonly device?: string | undefined;
}

/** An e-mail address and a password. */
interface Credentials extends Caller {
  readonly email: string;
  readonly password: string;
}

/** The effect of a reset link. */
export interface ResetPreview {
  readonly email: string;
  /** Whether its owner or an operator has confirmed the account. */
  readonly isConfirmed: boolean;
  /** The number of working API keys, which the link revokes unless they are kept. */
  readonly keys: number;
}

/** The subject of an attempt: a known browser, otherwise the account and the address. */
type Counted = readonly (readonly [attempt: Attempt, who: string])[];

export interface SelfServiceOptions {
  readonly signUp: SignUpRules;
  /** Whether addresses are proved by mail. Otherwise operators confirm accounts. */
  readonly isMailed?: boolean;
  readonly passwords?: Passwords | undefined;
}

/**
 * Account actions of people themselves: sign up, sign in, change or reset a password, delete the
 * account. Refusals are AccountErrors. Repeated attempts slow down, and no answer reveals whether
 * an account exists.
 */
export class SelfService {
  readonly signUps: SignUps;
  readonly devices: Devices;
  readonly #store: Store;
  readonly #clock: () => Millis;
  readonly #accounts: Accounts;
  readonly #attempts: AttemptLimiter;
  readonly #passwords: Passwords;
  readonly #plans: Plans;

  constructor(
    store: Store,
    clock: () => Millis,
    { signUp: rules, isMailed = false, passwords = new Passwords() }: SelfServiceOptions,
  ) {
    this.#passwords = passwords;
    this.#store = store;
    this.#clock = clock;
    this.#accounts = new Accounts(store, clock);
    this.#plans = new Plans(store);
    this.#attempts = new AttemptLimiter(store, clock);
    this.devices = new Devices(store, clock);
    const parts = { rules, isMailed, attempts: this.#attempts, passwords };
    this.signUps = new SignUps(store, clock, parts);
  }

  /** Returns the confirmed account of an e-mail address and its password. */
  async signIn(credentials: Credentials): Promise<VerifiedAccount> {
    const row = await this.#verify(credentials);
    if (!row) throw new AccountError('UNAUTHORIZED', WRONG);
    requireEnabled(row);
    return verifiedAccount(row, await this.#plans.read());
  }

  /** Changes a password and ends all sessions of the account, including this one. */
  async changePassword(
    session: Session,
    change: Caller & { readonly current: string; readonly next: string },
  ): Promise<VerifiedAccount> {
    const password = await requirePassword(change.next, session.email);
    const row = await this.#verifyAgain(session, { ...change, password: change.current });
    const next = await this.#passwords.hash(password, change.address);
    const { db } = this.#store.accounts;
    const changed = await sql.setPassword(db, row.id, next, row.passwordHash);
    if (!changed) throw new AccountError('CONFLICT', 'The password was changed in the meantime.');
    await deleteSessions(db, row.id);
    return verifiedAccount(changed, await this.#plans.read());
  }

  /**
   * Deletes the account of a session and everything that belongs to it.
   *
   * @throws AccountError if the password is wrong, or if the account is an operator's.
   */
  async remove(session: Session, proof: Caller & { readonly password: string }): Promise<Deletion> {
    const { email } = await this.#verifyAgain(session, proof);
    return this.#accounts.delete(email, 'owner');
  }

  /**
   * Checks the password of a session again.
   *
   * @throws AccountError REFUSED if it is wrong.
   */
  async requireOwner(
    session: Session,
    proof: Caller & { readonly password: string },
  ): Promise<void> {
    await this.#verifyAgain(session, proof);
  }

  /** Makes a token that sets the password of an account, for an operator to give to its owner. */
  async resetToken(email: string, validFor: Millis): Promise<ResetToken> {
    const { id } = await this.#accounts.find(email);
    return makeReset(this.#store, id, this.#clock(), validFor);
  }

  /**
   * Makes a token to send to the e-mail address of an account; undefined if the account does not
   * exist or is disabled, or after too many requests for this account or from this network address.
   * Do not delay an answer for this: it takes longer if the account exists.
   */
  async requestReset(email: string, address: string): Promise<ResetToken | undefined> {
    if (!(await this.#attempts.admits('forgotAddress', address))) return undefined;
    if (!(await this.#attempts.admits('forgotAccount', email))) return undefined;
    const row = await this.#findRow(email);
    if (!row || row.disabledAt !== null) return undefined;
    return makeReset(this.#store, row.id, this.#clock(), MAILED_RESET_LINK_MS);
  }

  /** Returns the effect of a reset link. Guesses slow down. */
  async previewReset(token: string, address: string): Promise<ResetPreview> {
    const { email, verifiedAt, keys } = await this.#findReset(token, address);
    await this.#attempts.uncount('signInAddress', address);
    return { email, isConfirmed: verifiedAt !== null, keys };
  }

  /**
   * Sets a password with a token, which works once. Confirms the account, ends its sessions and its
   * other reset links, and revokes its API keys, because an intruder may have made them.
   * `keepsKeys` keeps the keys of an account that was already confirmed.
   */
  async reset(
    token: string,
    text: string,
    address: string,
    { keepsKeys = false }: { keepsKeys?: boolean } = {},
  ): Promise<VerifiedAccount> {
    const found = await this.#findReset(token, address);
    const { db } = this.#store.accounts;
    const password = await requirePassword(text, found.email);
    const row = await sql.useReset(db, hashToken(token), {
      hash: await this.#passwords.hash(password, address),
      now: this.#clock(),
      keepsKeys: keepsKeys && found.verifiedAt !== null,
    });
    if (!row) throw new AccountError('REFUSED', LINK_ENDED);
    requireEnabled(row);
    await deleteSessions(db, row.id);
    await this.#forgive(await this.#countedOf(row, { email: row.email, address }));
    return verifiedAccount(row, await this.#plans.read());
  }

  async #findReset(token: string, address: string) {
    await this.#attempts.count('signInAddress', address);
    const tokenHash = hashToken(isToken(token) ? token : '');
    const found = await sql.findReset(this.#store.accounts.db, tokenHash, this.#clock());
    if (!found) throw new AccountError('REFUSED', LINK_ENDED);
    requireEnabled(found);
    return found;
  }

  /** Returns the confirmed account, even if disabled; undefined if the password is wrong. */
  async #verify(credentials: Credentials): Promise<AccountRecord | undefined> {
    const row = await this.#findRow(credentials.email);
    const counted = await this.#countedOf(row, credentials);
    for (const [attempt, who] of counted) await this.#attempts.count(attempt, who);
    try {
      if (!(await this.#isPassword(row, credentials)) || !row) return undefined;
      const current = await this.#renewHash(row, credentials);
      await this.#forgive(counted);
      return current;
    } catch (error) {
      // The password was not checked, so this was not a failure.
      for (const [attempt, who] of counted) await this.#attempts.uncount(attempt, who);
      throw error;
    }
  }

  /** Takes equally long if the account does not exist, has no password or is not confirmed. */
  async #isPassword(
    row: AccountRecord | undefined,
    { password, address }: Credentials,
  ): Promise<boolean> {
    const known = row?.passwordHash ?? null;
    const isRight = await this.#passwords.verify(known, password, address);
    return isRight && row !== undefined && row.verifiedAt !== null;
  }

  /**
   * Hashes the right password again if today's cost differs; returns the account with the new hash.
   */
  async #renewHash(row: AccountRecord, { password, address }: Credentials): Promise<AccountRecord> {
    const { id, passwordHash: known } = row;
    if (known === null || !this.#passwords.isOutdated(known)) return row;
    const renewed = await this.#passwords.rehash(password, address);
    await sql.replaceHash(this.#store.accounts.db, id, renewed, known);
    return { ...row, passwordHash: renewed };
  }

  /** Checks the password of a session again before a change that cannot be undone. */
  async #verifyAgain(
    { accountId, email }: Session,
    proof: Caller & { readonly password: string },
  ): Promise<AccountRecord> {
    const row = await this.#verify({ ...proof, email });
    if (row?.id !== accountId) throw new AccountError('REFUSED', 'This is not your password.');
    return row;
  }

  async #countedOf(
    row: AccountRecord | undefined,
    { email, address, device = '' }: Caller & { readonly email: string },
  ): Promise<Counted> {
    const known = await this.devices.find(row?.id, device);
    if (known !== undefined) return [['signInDevice', known]];
    return [
      ['signInAddress', address],
      ['signInAccount', email],
    ];
  }

  /**
   * Forgets the failures of the account or the browser, but not of the address: otherwise attackers
   * could reset their address by signing in to their own account between guesses.
   */
  async #forgive(counted: Counted): Promise<void> {
    for (const [attempt, who] of counted) {
      if (attempt === 'signInAddress') await this.#attempts.uncount(attempt, who);
      else await this.#attempts.forget(attempt, who);
    }
  }

  #findRow(email: string): Promise<AccountRecord | undefined> {
    return findAccount(this.#store.accounts.db, email);
  }
}

const WRONG = 'The e-mail address or the password is wrong, or the account is not confirmed yet.';
const LINK_ENDED = 'This link does not work, or no longer works. Ask for a new one.';
