import { hash, timingSafeEqual } from 'node:crypto';
import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import { FREE } from '../../domain/plans.ts';
import type { Store } from '../../store/connect.ts';
import * as sql from '../account-sql.ts';
import { requireEmail } from '../accounts.ts';
import type { AttemptLimiter } from './attempt-limiter.ts';
import { type Passwords, requirePassword } from './passwords.ts';
import { makeReset, type ResetToken } from './resets.ts';

/** Who may sign up. */
export interface SignUpRules {
  readonly isOpen: boolean;
  /** The code that people must enter; empty for none. */
  readonly invitationCode: string;
}

/** What somebody enters to sign up. */
export interface SignUpRequest {
  readonly email: string;
  /** Needed unless the address is proved by mail: then it is chosen with the link of the mail. */
  readonly password?: string | undefined;
  readonly invitation: string;
  /** The network address. */
  readonly address: string;
}

/** A sign-up that nothing speaks against, whether or not its address is taken. */
export interface SignUp {
  readonly email: string;
  readonly passwordHash: string | null;
}

/** What became of a sign-up; it is for the owner of the address only. */
export type SignUpOutcome =
  | { readonly kind: 'link'; readonly reset: ResetToken }
  | { readonly kind: 'taken' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'nothing' };

/** How long the link works that is mailed to a new address, in milliseconds. */
export const SIGN_UP_LINK_MS: Millis = MS_PER_DAY;

/** How long an account waits to be confirmed, in milliseconds. */
export const UNCONFIRMED_MS: Millis = 7 * MS_PER_DAY;

/** The accounts that wait to be confirmed; of more, the oldest is deleted. */
const MAX_UNCONFIRMED = 1000;

interface Parts {
  readonly rules: SignUpRules;
  /** Whether addresses are proved by mail; else an operator confirms each account. */
  readonly isMailed: boolean;
  readonly attempts: AttemptLimiter;
  readonly passwords: Passwords;
}

/**
 * Signing up. Nothing of it tells whether an address is taken: all that is refused is refused before
 * the address is looked up, and what follows is done after the answer.
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

  /** Checks what somebody entered. Attempts slow down, and guesses at the invitation code do so. */
  async check({ address, ...request }: SignUpRequest): Promise<SignUp> {
    const { rules, attempts, passwords } = this.#parts;
    if (!rules.isOpen) throw new AccountError('FORBIDDEN', CLOSED);
    const email = requireEmail(request.email);
    const password = this.#passwordOf(request.password, email);
    await attempts.count('signUpAddress', address);
    if (!isInvited(request.invitation, rules.invitationCode)) {
      throw new AccountError('REFUSED', 'This is not the invitation code.');
    }
    if (password === undefined) await attempts.count('forgotAccount', email);
    const passwordHash = password === undefined ? null : await passwords.hash(password, address);
    return { email, passwordHash };
  }

  /** Adds the account of a sign-up, unconfirmed, unless the address is taken. */
  async add({ email, passwordHash }: SignUp): Promise<SignUpOutcome> {
    const { db } = this.#store.accounts;
    const now = this.#clock();
    await this.#deleteForgotten(now);
    const account = { email, plan: FREE, created_at: now, password_hash: passwordHash };
    const added = await sql.insertAccount(db, account);
    if (!this.#parts.isMailed) return { kind: added ? 'waiting' : 'nothing' };
    const row = added ?? (await sql.findAccount(db, email));
    if (!row || row.disabled_at !== null) return { kind: 'nothing' };
    if (row.verified_at !== null) return { kind: 'taken' };
    return { kind: 'link', reset: await makeReset(this.#store, row.id, now, SIGN_UP_LINK_MS) };
  }

  #passwordOf(text: string | undefined, email: string): string | undefined {
    if (this.#parts.isMailed) return undefined;
    return requirePassword(text ?? '', email);
  }

  async #deleteForgotten(now: Millis): Promise<void> {
    const { db } = this.#store.accounts;
    const limits = { before: now - UNCONFIRMED_MS, most: MAX_UNCONFIRMED - 1 };
    for (const id of await sql.findForgottenSignUps(db, limits)) await sql.deleteUnverified(db, id);
  }
}

const CLOSED = 'New accounts are not open here. Ask whoever runs this service.';

/** Compares invitation codes in constant time. */
function isInvited(invitation: string, code: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return code === '' || timingSafeEqual(digest(invitation), digest(code));
}
