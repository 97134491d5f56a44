import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import { parseEmail } from '../../domain/email.ts';
import { AccountError } from '../../domain/errors.ts';
import type { Store } from '../../store/connect.ts';
import * as sql from './attempt-sql.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * The attempts that slow down. The longest wait of an account is how long others can lock it for
 * browsers that are new to it; one that is not has an allowance of its own.
 */
const RULES = {
  signInAccount: rule('account', 5, doubling(SECOND, MINUTE)),
  signInDevice: rule('device', 10, doubling(SECOND, 15 * MINUTE)),
  signInAddress: rule('address', 20, doubling(SECOND, 15 * MINUTE)),
  signUpAddress: rule('address', 10, doubling(MINUTE, 60 * MINUTE)),
  forgotAccount: rule('account', 3, doubling(MINUTE, 60 * MINUTE)),
  forgotAddress: rule('address', 10, doubling(MINUTE, 60 * MINUTE)),
  /** Three of a million codes are right at a time, so that waits are long: 24 guesses a day. */
  codeAccount: rule('account', 5, doubling(SECOND, 60 * MINUTE)),
  codeDevice: rule('device', 5, doubling(SECOND, 60 * MINUTE)),
  /** Each page to sign in asks for a challenge, so that it may be often. */
  passkeyAddress: rule('address', 100, doubling(SECOND, MINUTE)),
};

export type Attempt = keyof typeof RULES;

/**
 * How many more attempts the wide network of an address may fail than the address. Its waits are
 * short, because the neighbours of an attacker share it.
 */
const WIDE = { times: 10, waits: doubling(SECOND, MINUTE) };

/**
 * Slows down repeated attempts by exponential backoff, across processes. An attempt counts as a
 * failure before its outcome is known, so that parallel guesses do not escape the limit. Attempts
 * are counted by the e-mail address of an account, whether or not it exists, by the digest of a
 * device, or by network: that of the address and a wide one around it.
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
    const counted: string[] = [];
    for (const [subject, rule] of subjectsOf(attempt, who)) {
      if (await this.#count(subject, rule)) counted.push(subject);
      else {
        for (const other of counted) await sql.uncountAttempt(this.#store.accounts.db, other);
        throw await this.#tooEarly(subject, rule);
      }
    }
  }

  /** Forgets all attempts of an account or device. */
  async forget(attempt: Attempt, who: string): Promise<void> {
    for (const [subject] of subjectsOf(attempt, who)) {
      await sql.deleteAttempts(this.#store.accounts.db, subject);
    }
  }

  /** Uncounts one attempt that was no failure; earlier ones stay. */
  async uncount(attempt: Attempt, who: string): Promise<void> {
    for (const [subject] of subjectsOf(attempt, who)) {
      await sql.uncountAttempt(this.#store.accounts.db, subject);
    }
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

function rule(by: 'account' | 'device' | 'address', free: number, waits: readonly Millis[]) {
  return { by, free, waits, forgottenAfter: MS_PER_DAY };
}

/** `first`, twice as much, four times as much …, up to `most`. */
function doubling(first: Millis, most: Millis): Millis[] {
  return first >= most ? [most] : [first, ...doubling(first * 2, most)];
}

/** What an attempt is counted by, each with its rule. */
function subjectsOf(attempt: Attempt, who: string): [subject: string, rule: sql.AttemptRule][] {
  const rule = RULES[attempt];
  if (rule.by === 'device') return [[`${attempt} ${who}`, rule]];
  if (rule.by === 'account') return [[`${attempt} ${accountDigest(who)}`, rule]];
  const wide = { ...rule, free: rule.free * WIDE.times, waits: WIDE.waits };
  return [
    [`${attempt} ${networkOf(who)}`, rule],
    [`${attempt} ${wideNetworkOf(who)}`, wide],
  ];
}

/** The subjects under which attempts at an account are counted. */
export function attemptsAtAccount(email: string): string[] {
  const attempts = (Object.keys(RULES) as Attempt[]).filter(
    (attempt) => RULES[attempt].by === 'account',
  );
  return attempts.flatMap((attempt) => subjectsOf(attempt, email).map(([subject]) => subject));
}

/** Texts that are no e-mail address share one digest. */
function accountDigest(email: string): string {
  return hash('sha256', parseEmail(email) ?? '', 'hex');
}

/**
 * The network that counts as one caller: an IPv4 address, or the /64 that a provider gives one
 * customer of IPv6. Everything that is not an address is the network `unknown`.
 */
export function networkOf(address: string): string {
  // The library also takes octal and shortened IPv4 addresses, which Node refuses.
  if (isIP(address) === 0) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? prefixOf(parsed, 4) : parsed.toString();
}

/**
 * The wide network of an address: the /24 of IPv4, or the /48 that a provider gives a company or a
 * rented server. Somebody may have all addresses of it, or be one of many who share it.
 */
export function wideNetworkOf(address: string): string {
  if (isIP(address) === 0) return 'all unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6) return prefixOf(parsed, 3);
  return `${parsed.toByteArray().slice(0, 3).join('.')}.0/24`;
}

/** The network of the first `groups` of an address, 16 bits each. */
function prefixOf({ parts }: ipaddr.IPv6, groups: number): string {
  const first = parts.slice(0, groups).map((group) => group.toString(16));
  return `${first.join(':')}::/${groups * 16}`;
}
