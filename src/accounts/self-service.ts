import { hash, timingSafeEqual } from 'node:crypto';
import { type Millis, MS_PER_DAY } from '../domain/day.ts';
import { parseEmail } from '../domain/email.ts';
import { AccountError } from '../domain/errors.ts';
import { FREE } from '../domain/plans.ts';
import type { Deletion } from '../store/account-deletion.ts';
import type { AccountRow } from '../store/account-schema.ts';
import { findAccount, insertAccount } from '../store/accounts.ts';
import type { Store } from '../store/connect.ts';
import * as sql from '../store/passwords.ts';
import { deleteSessions } from '../store/sessions.ts';
import { type Account, Accounts, accountOf, requireEmail } from './accounts.ts';
import { AttemptLimiter } from './attempt-limiter.ts';
import { Passwords, requirePassword } from './passwords.ts';
import { Plans } from './plans.ts';
import type { Session } from './sessions.ts';
import { createToken, hashToken, isToken } from './tokens.ts';

export { PASSWORD } from './passwords.ts';

/** How long a reset link works that an operator made, in milliseconds. */
export const RESET_LINK_MS: Millis = MS_PER_DAY;
/** How long a reset link works that was sent by mail, in milliseconds. */
export const MAILED_RESET_LINK_MS: Millis = 3_600_000;

/** Who may sign up. */
export interface SignUpRules {
  readonly isOpen: boolean;
  /** The code that people must enter; empty for none. */
  readonly invitationCode: string;
}

/** Allows whoever has it to set the password of an account, once. */
export interface ResetToken {
  readonly token: string;
  readonly expiresAt: Millis;
}

/** An e-mail address and a password, with the network address that sent them. */
interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly address: string;
}

/**
 * What people do themselves: sign up, sign in, change or reset a password, delete their account.
 * Refusals are AccountErrors. Repeated attempts slow down, and no answer says whether an account
 * exists, but that of signing up.
 */
export class SelfService {
  readonly #store: Store;
  readonly #clock: () => Millis;
  readonly #signUp: SignUpRules;
  readonly #accounts: Accounts;
  readonly #attempts: AttemptLimiter;
  readonly #passwords = new Passwords();
  readonly #plans: Plans;

  constructor(store: Store, clock: () => Millis, options: { signUp: SignUpRules }) {
    this.#store = store;
    this.#clock = clock;
    this.#signUp = options.signUp;
    this.#accounts = new Accounts(store, clock);
    this.#plans = new Plans(store);
    this.#attempts = new AttemptLimiter(store, clock);
  }

  /** Makes an account of the plan `free`. Guesses at the invitation code slow down as well. */
  async signUp(request: Credentials & { readonly invitation: string }): Promise<Account> {
    if (!this.#signUp.isOpen) throw new AccountError('FORBIDDEN', CLOSED);
    const email = requireEmail(request.email);
    const password = requirePassword(request.password, email);
    await this.#attempts.count('signUpAddress', request.address);
    if (!isInvited(request.invitation, this.#signUp.invitationCode)) {
      throw new AccountError('REFUSED', 'This is not the invitation code.');
    }
    const row = await insertAccount(this.#store.accounts.db, {
      email,
      plan: FREE,
      created_at: this.#clock(),
      password_hash: await this.#passwords.hash(password),
    });
    if (!row) throw new AccountError('REFUSED', TAKEN);
    return accountOf(row, await this.#plans.read());
  }

  /** The account of an e-mail address and its password. */
  async signIn({ email, password, address }: Credentials): Promise<Account> {
    const row = await this.#verify({ email, password, address });
    if (!row) throw new AccountError('UNAUTHORIZED', WRONG);
    if (row.disabled_at !== null) throw new AccountError('UNAUTHORIZED', DISABLED);
    return accountOf(row, await this.#plans.read());
  }

  /** Changes a password and ends every session of the account, including this one. */
  async changePassword(
    session: Session,
    change: { readonly current: string; readonly next: string; readonly address: string },
  ): Promise<void> {
    const password = requirePassword(change.next, session.email);
    const row = await this.#verifyAgain(session, change.current, change.address);
    const next = await this.#passwords.hash(password);
    if (!(await sql.setPassword(this.#store.accounts.db, row.id, next, row.password_hash))) {
      throw new AccountError('CONFLICT', 'The password was changed in the meantime.');
    }
    await deleteSessions(this.#store.accounts.db, row.id);
  }

  /** Deletes the account of a session with all that belongs to it, for good. */
  async remove(
    session: Session,
    proof: { readonly password: string; readonly address: string },
  ): Promise<Deletion> {
    const { email } = await this.#verifyAgain(session, proof.password, proof.address);
    return this.#accounts.delete(email);
  }

  /** A token that an operator gives to the owner of an account to set its password. */
  async resetToken(email: string, validFor: Millis): Promise<ResetToken> {
    return this.#addReset((await this.#accounts.find(email)).id, validFor);
  }

  /**
   * A token for the owner of an account, to be sent to its e-mail address only; undefined when the
   * account does not exist or is disabled.
   */
  async requestReset(email: string, address: string): Promise<ResetToken | undefined> {
    await this.#attempts.count('forgotAddress', address);
    await this.#attempts.count('forgotAccount', email);
    const row = await this.#findRow(email);
    if (!row || row.disabled_at !== null) return undefined;
    return this.#addReset(row.id, MAILED_RESET_LINK_MS);
  }

  /**
   * Sets a password with a token, which works once, and ends every session and every other reset
   * link of the account.
   */
  async reset(token: string, text: string, address: string): Promise<Account> {
    await this.#attempts.count('signInAddress', address);
    const tokenHash = hashToken(isToken(token) ? token : '');
    const found = await sql.findReset(this.#store.accounts.db, tokenHash, this.#clock());
    if (!found) throw new AccountError('REFUSED', LINK_ENDED);
    if (found.disabled_at !== null) throw new AccountError('UNAUTHORIZED', DISABLED);
    const password = await this.#passwords.hash(requirePassword(text, found.email));
    const row = await sql.useReset(this.#store.accounts.db, tokenHash, password, this.#clock());
    if (!row) throw new AccountError('REFUSED', LINK_ENDED);
    await deleteSessions(this.#store.accounts.db, row.id);
    await this.#forgetFailures(row.email, address);
    return accountOf(row, await this.#plans.read());
  }

  async #addReset(accountId: number, validFor: Millis): Promise<ResetToken> {
    const now = this.#clock();
    const token = createToken();
    const expiresAt = now + validFor;
    const reset = { token_hash: hashToken(token), account_id: accountId, expires_at: expiresAt };
    await sql.insertReset(this.#store.accounts.db, reset, now);
    return { token, expiresAt };
  }

  /** The account whose password this is, disabled or not; undefined when it is wrong. */
  async #verify({ email, password, address }: Credentials): Promise<AccountRow | undefined> {
    await this.#attempts.count('signInAddress', address);
    await this.#attempts.count('signInAccount', email);
    const row = await this.#findRow(email);
    try {
      if (!(await this.#passwords.verify(row?.password_hash ?? null, password))) return undefined;
    } catch (error) {
      // The password was not checked, so the attempt does not count.
      await this.#attempts.uncount('signInAddress', address);
      await this.#attempts.uncount('signInAccount', email);
      throw error;
    }
    await this.#forgetFailures(email, address);
    return row;
  }

  /** Checks the password of a session again before a change that cannot be undone. */
  async #verifyAgain(
    { accountId, email }: Session,
    password: string,
    address: string,
  ): Promise<AccountRow> {
    const row = await this.#verify({ email, password, address });
    if (row?.id !== accountId) throw new AccountError('REFUSED', 'This is not your password.');
    return row;
  }

  /**
   * Forgets the failures of the account, but not those of the address: otherwise an attacker could
   * reset them by signing in to an own account between guesses.
   */
  async #forgetFailures(email: string, address: string): Promise<void> {
    await this.#attempts.forget('signInAccount', email);
    await this.#attempts.uncount('signInAddress', address);
  }

  async #findRow(email: string): Promise<AccountRow | undefined> {
    const known = parseEmail(email);
    return known === undefined ? undefined : findAccount(this.#store.accounts.db, known);
  }
}

/** The URL of the page that sets a password. Browsers send the part after `#` to no server. */
export function resetLink(publicUrl: string, token: string): string {
  return `${publicUrl}/reset#${token}`;
}

const CLOSED = 'New accounts are not open here. Ask whoever runs this service.';
const TAKEN =
  'There is already an account with this e-mail address. Sign in, or set a new password.';
const WRONG = 'The e-mail address or the password is wrong.';
const DISABLED = 'This account is disabled. Ask whoever runs this service.';
const LINK_ENDED = 'This link does not work, or not any more. Ask for a new one.';

/** Compares invitation codes in constant time. */
function isInvited(invitation: string, code: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return code === '' || timingSafeEqual(digest(invitation), digest(code));
}
