import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Millis, MS_PER_DAY } from '../domain/day.ts';
import { parseEmail } from '../domain/email.ts';
import { AccountError } from '../domain/errors.ts';
import * as sql from '../store/attempts.ts';
import type { Store } from '../store/connect.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** The attempts that slow down. The longest wait of an account is how long others can lock it. */
const RULES = {
  signInAccount: rule('account', 5, doubling(SECOND, MINUTE)),
  signInAddress: rule('address', 20, doubling(SECOND, 15 * MINUTE)),
  signUpAddress: rule('address', 10, doubling(MINUTE, 60 * MINUTE)),
  forgotAccount: rule('account', 3, doubling(MINUTE, 60 * MINUTE)),
  forgotAddress: rule('address', 10, doubling(MINUTE, 60 * MINUTE)),
};

export type Attempt = keyof typeof RULES;

/**
 * Slows down repeated attempts by exponential backoff, across processes. An attempt counts as a
 * failure before its outcome is known, so that parallel guesses do not escape the limit. Attempts
 * are counted by the e-mail address of an account, whether or not it exists, or by network.
 */
export class AttemptLimiter {
  readonly #store: Store;
  readonly #clock: () => Millis;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Counts an attempt.
   *
   * @throws AccountError TOO_MANY_ATTEMPTS when it comes too early; it is not counted then.
   */
  async count(attempt: Attempt, who: string): Promise<void> {
    const { db } = this.#store.accounts;
    const now = this.#clock();
    const subject = subjectOf(attempt, who);
    const failures = await sql.countAttempt(db, subject, RULES[attempt], now);
    if (failures === undefined) throw await this.#tooEarly(attempt, subject, now);
    if (failures === 1) await sql.deleteOldAttempts(db, now - MS_PER_DAY);
  }

  /** Forgets all attempts of an account or network. */
  forget(attempt: Attempt, who: string): Promise<void> {
    return sql.deleteAttempts(this.#store.accounts.db, subjectOf(attempt, who));
  }

  /** Uncounts one attempt that was no failure; earlier ones stay. */
  uncount(attempt: Attempt, who: string): Promise<void> {
    return sql.uncountAttempt(this.#store.accounts.db, subjectOf(attempt, who));
  }

  async #tooEarly(attempt: Attempt, subject: string, now: Millis): Promise<AccountError> {
    const { free, waits } = RULES[attempt];
    const { failures, last_at } = (await sql.findAttempts(this.#store.accounts.db, subject)) ?? {
      failures: 0,
      last_at: now,
    };
    const wait = waits[Math.min(Math.max(failures - free, 0), waits.length - 1)] ?? 0;
    const retryAfter = Math.max(1, Math.ceil((last_at + wait - now) / SECOND));
    const duration = retryAfter < 120 ? `${retryAfter} s` : `${Math.ceil(retryAfter / 60)} min`;
    return new AccountError('TOO_MANY_ATTEMPTS', `Too many attempts. Try again in ${duration}.`, {
      retryAfter,
    });
  }
}

function rule(by: 'account' | 'address', free: number, waits: readonly Millis[]) {
  return { by, free, waits, forgottenAfter: MS_PER_DAY };
}

/** `first`, twice as much, four times as much …, up to `most`. */
function doubling(first: Millis, most: Millis): Millis[] {
  return first >= most ? [most] : [first, ...doubling(first * 2, most)];
}

function subjectOf(attempt: Attempt, who: string): string {
  const name = RULES[attempt].by === 'address' ? networkOf(who) : accountDigest(who);
  return `${attempt} ${name}`;
}

/** The subjects under which attempts at an account are counted. */
export function attemptsAtAccount(email: string): string[] {
  const attempts = (Object.keys(RULES) as Attempt[]).filter(
    (attempt) => RULES[attempt].by === 'account',
  );
  return attempts.map((attempt) => subjectOf(attempt, email));
}

/** Texts that are no e-mail address share one digest. */
function accountDigest(email: string): string {
  return hash('sha256', parseEmail(email) ?? '', 'hex');
}

/** How many of the eight groups of an IPv6 address make its /64. */
const NETWORK_GROUPS = 4;

/**
 * The network that counts as one caller: an IPv4 address, or the /64 that a provider gives one
 * customer of IPv6. Everything that is not an address is the network `unknown`.
 */
export function networkOf(address: string): string {
  // The library also takes octal and shortened IPv4 addresses, which Node refuses.
  if (isIP(address) === 0) return 'unknown';
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
