import { hash } from 'node:crypto';
import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import { parseEmail } from '../../lib/email.ts';
import { networkOf, wideNetworkOf } from '../../lib/networks.ts';
import type { Store } from '../../store/connect.ts';
import * as sql from './attempt-sql.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * Attempts to sign in. Others can lock an account for new browsers, but only for its longest wait.
 * A browser that the account knows has a separate allowance.
 */
const RULES = {
  signInAccount: rule('account', 5, doubling(SECOND, MINUTE)),
  signInDevice: rule('device', 10, doubling(SECOND, 15 * MINUTE)),
  signInAddress: rule('address', 20, doubling(SECOND, 15 * MINUTE)),
  signUpAddress: rule('address', 10, doubling(MINUTE, 60 * MINUTE)),
  /**
   * These limit mails, not answers. The longest wait is shorter than a mailed link works, so
   * strangers who ask for links cannot keep the owner from having one.
   */
  signUpAccount: rule('account', 3, doubling(MINUTE, 30 * MINUTE)),
  forgotAccount: rule('account', 3, doubling(MINUTE, 30 * MINUTE)),
  forgotAddress: rule('address', 10, doubling(MINUTE, 60 * MINUTE)),
  /** At any moment three codes in a million are right, so waits are long: 24 guesses a day. */
  codeAccount: rule('account', 5, doubling(SECOND, 60 * MINUTE)),
  codeDevice: rule('device', 5, doubling(SECOND, 60 * MINUTE)),
  /** Every sign-in page asks for a challenge. */
  passkeyAddress: rule('address', 100, doubling(SECOND, MINUTE)),
};

export type Attempt = keyof typeof RULES;

/**
 * How many times as many attempts may fail from a wide network as from one address. Its waits are
 * short, because the neighbours of an attacker share it.
 */
const WIDE = { times: 10, waits: doubling(SECOND, MINUTE) };

/**
 * Slows down repeated attempts by exponential backoff, across processes. An attempt counts as a
 * failure before its outcome is known, so parallel guesses do not escape the limit. Counts by
 * e-mail address, whether or not the account exists, by the digest of a browser's token, or by
 * network: the address's own and a wide one around it.
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
   * @throws AccountError TOO_MANY_ATTEMPTS, and counts nothing, if it comes too early.
   */
  async count(attempt: Attempt, who: string): Promise<void> {
    const limited = await this.#countAll(attempt, who);
    if (limited) throw await this.#tooEarly(...limited);
  }

  /**
   * Counts an attempt and returns true. If the attempt comes too early, counts nothing and returns
   * false.
   */
  async admits(attempt: Attempt, who: string): Promise<boolean> {
    return (await this.#countAll(attempt, who)) === undefined;
  }

  /** Forgets all attempts of an account or a browser. */
  async forget(attempt: Attempt, who: string): Promise<void> {
    for (const [subject] of subjectsOf(attempt, who)) {
      await sql.deleteAttempts(this.#store.accounts.db, subject);
    }
  }

  /** Uncounts one attempt that did not fail. */
  async uncount(attempt: Attempt, who: string): Promise<void> {
    for (const [subject] of subjectsOf(attempt, who)) {
      await sql.uncountAttempt(this.#store.accounts.db, subject);
    }
  }

  /** Counts an attempt by each of its subjects, or by none; returns the one that has to wait. */
  async #countAll(attempt: Attempt, who: string): Promise<Subject | undefined> {
    const counted: string[] = [];
    for (const [subject, rule] of subjectsOf(attempt, who)) {
      if (await this.#count(subject, rule)) counted.push(subject);
      else {
        for (const other of counted) await sql.uncountAttempt(this.#store.accounts.db, other);
        return [subject, rule];
      }
    }
    return undefined;
  }

  async #count(subject: string, rule: sql.AttemptRule): Promise<boolean> {
    const { db } = this.#store.accounts;
    const now = this.#clock();
    const failures = await sql.countAttempt(db, subject, rule, now);
    if (failures === 1) await sql.deleteOldAttempts(db, now - MS_PER_DAY);
    return failures !== undefined;
  }

  async #tooEarly(subject: string, { free, waits }: sql.AttemptRule): Promise<AccountError> {
    const now = this.#clock();
    const { failures, lastAt } = (await sql.findAttempts(this.#store.accounts.db, subject)) ?? {
      failures: 0,
      lastAt: now,
    };
    const wait = waits[Math.min(Math.max(failures - free, 0), waits.length - 1)] ?? 0;
    const retryAfter = Math.max(1, Math.ceil((lastAt + wait - now) / SECOND));
    const duration = retryAfter < 120 ? `${retryAfter} s` : `${Math.ceil(retryAfter / 60)} min`;
    return new AccountError('TOO_MANY_ATTEMPTS', `Too many attempts. Try again in ${duration}.`, {
      retryAfter,
    });
  }
}

function rule(by: 'account' | 'device' | 'address', free: number, waits: readonly Millis[]) {
  return { by, free, waits, forgottenAfter: MS_PER_DAY };
}

/** Returns `first`, its double, and so on, up to `most`. */
function doubling(first: Millis, most: Millis): Millis[] {
  return first >= most ? [most] : [first, ...doubling(first * 2, most)];
}

/** A subject to count attempts by, and its rule. */
type Subject = [subject: string, rule: sql.AttemptRule];

/** Returns the subjects by which an attempt is counted, each with its rule. */
function subjectsOf(attempt: Attempt, who: string): Subject[] {
  const rule = RULES[attempt];
  if (rule.by === 'device') return [[`${attempt} ${who}`, rule]];
  if (rule.by === 'account') return [[`${attempt} ${accountDigest(who)}`, rule]];
  const wide = { ...rule, free: rule.free * WIDE.times, waits: WIDE.waits };
  return [
    [`${attempt} ${networkOf(who)}`, rule],
    [`${attempt} ${wideNetworkOf(who)}`, wide],
  ];
}

/** Returns the subjects under which attempts at an account are counted. */
export function attemptsAtAccount(email: string): string[] {
  const attempts = (Object.keys(RULES) as Attempt[]).filter(
    (attempt) => RULES[attempt].by === 'account',
  );
  return attempts.flatMap((attempt) => subjectsOf(attempt, email).map(([subject]) => subject));
}

/** Returns the digest of an e-mail address. All other texts share one digest. */
function accountDigest(email: string): string {
  return hash('sha256', parseEmail(email) ?? '', 'hex');
}
