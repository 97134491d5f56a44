import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import { parseEmail } from '../../domain/email.ts';
import { AccountError } from '../../domain/errors.ts';
import type { AccountRow } from '../../store/accounts/schema.ts';
import type { Store } from '../../store/connect.ts';
import type { Deletion } from '../account-deletion-sql.ts';
import { findAccount } from '../account-sql.ts';
import { Accounts } from '../accounts.ts';
import { Plans } from '../quota/plans.ts';
import { type Attempt, AttemptLimiter } from './attempt-limiter.ts';
import { Devices } from './devices.ts';
import * as sql from './password-sql.ts';
import { isOutdated, Passwords, requirePassword } from './passwords.ts';
import { makeReset, type ResetToken } from './resets.ts';
import { deleteSessions } from './session-sql.ts';
import type { Session } from './sessions.ts';
import { type SignUpRules, SignUps } from './sign-ups.ts';
import { hashToken, isToken } from './tokens.ts';
import { requireEnabled, type VerifiedAccount, verifiedAccount } from './verified-account.ts';

export { PASSWORD } from './passwords.ts';
export { resetLink } from './resets.ts';
export type { SignUpRules } from './sign-ups.ts';

/** How long a reset link works that an operator made, in milliseconds. */
export const RESET_LINK_MS: Millis = MS_PER_DAY;
/** How long a reset link works that was sent by mail, in milliseconds. */
export const MAILED_RESET_LINK_MS: Millis = 3_600_000;

/** From where somebody tries to prove who they are. */
interface Caller {
  /** The network address. */
  readonly address: string;
  /** The token by which accounts know the browser; `''` or none for an unknown one. */
  readonly device?: string | undefined;
}

/** An e-mail address and a password, with who sent them. */
interface Credentials extends Caller {
  readonly email: string;
  readonly password: string;
}

/** What a reset link is for. */
export interface ResetPreview {
  readonly email: string;
  /** Whether its owner, or an operator, has confirmed the account before. */
  readonly isConfirmed: boolean;
  /** How many API keys work, and stop working unless they are kept. */
  readonly keys: number;
}

/** What is counted of an attempt: for a known browser the browser, else account and address. */
type Counted = readonly (readonly [attempt: Attempt, who: string])[];

/**
 * What people do themselves: sign up, sign in, change or reset a password, delete their account.
 * Refusals are AccountErrors. Repeated attempts slow down, and no answer says whether an account
 * exists.
 */
export class SelfService {
  readonly signUps: SignUps;
  readonly devices: Devices;
  readonly #store: Store;
  readonly #clock: () => Millis;
  readonly #accounts: Accounts;
  readonly #attempts: AttemptLimiter;
  readonly #passwords = new Passwords();
  readonly #plans: Plans;

  /** `isMailed` says that addresses are proved by mail; else operators confirm accounts. */
  constructor(
    store: Store,
    clock: () => Millis,
    { signUp: rules, isMailed = false }: { signUp: SignUpRules; isMailed?: boolean },
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#accounts = new Accounts(store, clock);
    this.#plans = new Plans(store);
    this.#attempts = new AttemptLimiter(store, clock);
    this.devices = new Devices(store, clock);
    const parts = { rules, isMailed, attempts: this.#attempts, passwords: this.#passwords };
    this.signUps = new SignUps(store, clock, parts);
  }

  /** The account of an e-mail address and its password, once it is confirmed. */
  async signIn(credentials: Credentials): Promise<VerifiedAccount> {
    const row = await this.#verify(credentials);
    if (!row) throw new AccountError('UNAUTHORIZED', WRONG);
    requireEnabled(row);
    return verifiedAccount(row, await this.#plans.read());
  }

  /** Changes a password and ends every session of the account, including this one. */
  async changePassword(
    session: Session,
    change: Caller & { readonly current: string; readonly next: string },
  ): Promise<VerifiedAccount> {
    const password = requirePassword(change.next, session.email);
    const row = await this.#verifyAgain(session, { ...change, password: change.current });
    const next = await this.#passwords.hash(password, change.address);
    const { db } = this.#store.accounts;
    const changed = await sql.setPassword(db, row.id, next, row.password_hash);
    if (!changed) throw new AccountError('CONFLICT', 'The password was changed in the meantime.');
    await deleteSessions(db, row.id);
    return verifiedAccount(changed, await this.#plans.read());
  }

  /**
   * Deletes the account of a session with all that belongs to it, for good.
   *
   * @throws AccountError when the password is wrong, or it is the account of an operator.
   */
  async remove(session: Session, proof: Caller & { readonly password: string }): Promise<Deletion> {
    const { email } = await this.#verifyAgain(session, proof);
    return this.#accounts.delete(email, 'owner');
  }

  /**
   * Checks the password of a session again.
   *
   * @throws AccountError REFUSED when it is wrong.
   */
  async requireOwner(
    session: Session,
    proof: Caller & { readonly password: string },
  ): Promise<void> {
    await this.#verifyAgain(session, proof);
  }

  /** A token that an operator gives to the owner of an account to set its password. */
  async resetToken(email: string, validFor: Millis): Promise<ResetToken> {
    const { id } = await this.#accounts.find(email);
    return makeReset(this.#store, id, this.#clock(), validFor);
  }

  /** Counts that somebody asks for a link to an e-mail address, before {@link requestReset}. */
  async countRequest(email: string, address: string): Promise<void> {
    await this.#attempts.count('forgotAddress', address);
    await this.#attempts.count('forgotAccount', email);
  }

  /**
   * A token for the owner of an account, to be sent to its e-mail address only; undefined when the
   * account does not exist or is disabled. It takes longer for an account that exists, so that no
   * answer may wait for it.
   */
  async requestReset(email: string): Promise<ResetToken | undefined> {
    const row = await this.#findRow(email);
    if (!row || row.disabled_at !== null) return undefined;
    return makeReset(this.#store, row.id, this.#clock(), MAILED_RESET_LINK_MS);
  }

  /** What a reset link is for. Guesses slow down. */
  async previewReset(token: string, address: string): Promise<ResetPreview> {
    const { email, verified_at, keys } = await this.#findReset(token, address);
    await this.#attempts.uncount('signInAddress', address);
    return { email, isConfirmed: verified_at !== null, keys };
  }

  /**
   * Sets a password with a token, which works once. It confirms the account, ends every session and
   * every other reset link of it, and revokes its API keys: whoever had the account before may have
   * made them. With `keepsKeys` they go on working if the account was confirmed before.
   */
  async reset(
    token: string,
    text: string,
    address: string,
    { keepsKeys = false }: { keepsKeys?: boolean } = {},
  ): Promise<VerifiedAccount> {
    const found = await this.#findReset(token, address);
    const { db } = this.#store.accounts;
    const row = await sql.useReset(db, hashToken(token), {
      hash: await this.#passwords.hash(requirePassword(text, found.email), address),
      now: this.#clock(),
      keepsKeys: keepsKeys && found.verified_at !== null,
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

  /** The confirmed account whose password this is, disabled or not; undefined when it is wrong. */
  async #verify(credentials: Credentials): Promise<AccountRow | undefined> {
    const row = await this.#findRow(credentials.email);
    const counted = await this.#countedOf(row, credentials);
    for (const [attempt, who] of counted) await this.#attempts.count(attempt, who);
    try {
      if (!(await this.#isPassword(row, credentials)) || !row) return undefined;
      const current = await this.#renewHash(row, credentials);
      await this.#forgive(counted);
      return current;
    } catch (error) {
      // The password was not checked, so the attempt does not count.
      for (const [attempt, who] of counted) await this.#attempts.uncount(attempt, who);
      throw error;
    }
  }

  /** Takes as long for an account that does not exist, has no password or is not confirmed. */
  async #isPassword(
    row: AccountRow | undefined,
    { password, address }: Credentials,
  ): Promise<boolean> {
    const known = row?.password_hash ?? null;
    const isRight = await this.#passwords.verify(known, password, address);
    return isRight && row !== undefined && row.verified_at !== null;
  }

  /** The account with its right password hashed at today's cost. */
  async #renewHash(row: AccountRow, { password, address }: Credentials): Promise<AccountRow> {
    const { id, password_hash: known } = row;
    if (known === null || !isOutdated(known)) return row;
    const renewed = await this.#passwords.rehash(password, address);
    await sql.replaceHash(this.#store.accounts.db, id, renewed, known);
    return { ...row, password_hash: renewed };
  }

  /** Checks the password of a session again before a change that cannot be undone. */
  async #verifyAgain(
    { accountId, email }: Session,
    proof: Caller & { readonly password: string },
  ): Promise<AccountRow> {
    const row = await this.#verify({ ...proof, email });
    if (row?.id !== accountId) throw new AccountError('REFUSED', 'This is not your password.');
    return row;
  }

  async #countedOf(
    row: AccountRow | undefined,
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
   * Forgets the failures of the account or the browser, but not those of the address: otherwise an
   * attacker could reset them by signing in to an own account between guesses.
   */
  async #forgive(counted: Counted): Promise<void> {
    for (const [attempt, who] of counted) {
      if (attempt === 'signInAddress') await this.#attempts.uncount(attempt, who);
      else await this.#attempts.forget(attempt, who);
    }
  }

  async #findRow(email: string): Promise<AccountRow | undefined> {
    const known = parseEmail(email);
    return known === undefined ? undefined : findAccount(this.#store.accounts.db, known);
  }
}

const WRONG = 'The e-mail address or the password is wrong, or the account is not confirmed yet.';
const LINK_ENDED = 'This link does not work, or not any more. Ask for a new one.';
