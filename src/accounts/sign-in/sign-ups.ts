import { hash, timingSafeEqual } from 'node:crypto';
import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import { FREE } from '../../domain/plans.ts';
import type { Store } from '../../store/connect.ts';
import * as sql from '../account-sql.ts';
import { requireEmail } from '../accounts.ts';
import type { AttemptLimiter } from './attempt-limiter.ts';
import { makeReset, type Passwords, type ResetToken, requirePassword } from './passwords.ts';

/** The conditions for signing up. */
export interface SignUpRules {
  readonly isOpen: boolean;
  /** The code that people must enter; empty for none. */
  readonly invitationCode: string;
}

/** The input of somebody who signs up. */
export interface SignUpRequest {
  readonly email: string;
  /** Required unless addresses are proved by mail, where the mailed link sets the password. */
  readonly password?: string | undefined;
  readonly invitation: string;
  /** The network address. */
  readonly address: string;
}

/** A sign-up that passed all checks, whether or not its address is taken. */
export interface SignUp {
  readonly email: string;
  readonly passwordHash: string | null;
}

/** The outcome of a sign-up. Only the owner of the address may learn it. */
export type SignUpOutcome =
  | { readonly kind: 'link'; readonly reset: ResetToken }
  | { readonly kind: 'taken' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'nothing' };

/** How long the link mailed to a new address works, in milliseconds. */
export const SIGN_UP_LINK_MS: Millis = MS_PER_DAY;

/** How long an account waits to be confirmed, in milliseconds. */
export const UNCONFIRMED_MS: Millis = 7 * MS_PER_DAY;

/** The most accounts that wait to be confirmed; beyond this, the oldest is deleted. */
const MAX_UNCONFIRMED = 1000;

interface Parts {
  readonly rules: SignUpRules;
  /** Whether addresses are proved by mail. Otherwise an operator confirms each account. */
  readonly isMailed: boolean;
  readonly attempts: AttemptLimiter;
  readonly passwords: Passwords;
}

/**
 * Signing up. It never reveals whether an address is taken: refusals come before the lookup of the
 * address, and the rest happens after the answer.
 */
export class SignUps {
  readonly #store: Store;
  readonly #clock: () => Millis;
  readonly #parts: Parts;

  constructor(store: Store, clock: () => Millis, parts: Parts) {
    this.#store = store;
    this.#clock = clock;
    this.#parts = parts;
  }

  /** Checks a request. Repeated attempts slow down, and so do guesses at the invitation code. */
  async check({ address, ...request }: SignUpRequest): Promise<SignUp> {
    const { rules, isMailed, attempts, passwords } = this.#parts;
    if (!rules.isOpen) throw new AccountError('FORBIDDEN', CLOSED);
    const email = requireEmail(request.email);
    await attempts.count('signUpAddress', address);
    if (!isInvited(request.invitation, rules.invitationCode)) {
      throw new AccountError('REFUSED', 'The invitation code is wrong.');
    }
    if (isMailed) return { email, passwordHash: null };
    const password = await requirePassword(request.password ?? '', email);
    return { email, passwordHash: await passwords.hash(password, address) };
  }

  /**
   * Adds the account of a sign-up, unconfirmed, unless the address is taken. Does nothing after too
   * many requests for mails to this address.
   */
  async add({ email, passwordHash }: SignUp): Promise<SignUpOutcome> {
    const { isMailed, attempts } = this.#parts;
    if (isMailed && !(await attempts.admits('signUpAccount', email))) return { kind: 'nothing' };
    const { db } = this.#store.accounts;
    const now = this.#clock();
    await this.#deleteForgotten(now);
    const account = { email, plan: FREE, createdAt: now, passwordHash };
    const added = await sql.insertAccount(db, account);
    if (!isMailed) return { kind: added ? 'waiting' : 'nothing' };
    const found = added ?? (await sql.findAccount(db, email));
    if (!found || found.disabledAt !== null) return { kind: 'nothing' };
    if (found.verifiedAt !== null) return { kind: 'taken' };
    return { kind: 'link', reset: await makeReset(this.#store, found.id, now, SIGN_UP_LINK_MS) };
  }

  async #deleteForgotten(now: Millis): Promise<void> {
    const { db } = this.#store.accounts;
    const limits = { before: now - UNCONFIRMED_MS, most: MAX_UNCONFIRMED - 1 };
    for (const id of await sql.findForgottenSignUps(db, limits)) await sql.deleteUnverified(db, id);
  }
}

const CLOSED = 'Sign-up is closed. Ask the operator of this service for an account.';

/** Compares invitation codes in constant time. */
function isInvited(invitation: string, code: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return code === '' || timingSafeEqual(digest(invitation), digest(code));
}
