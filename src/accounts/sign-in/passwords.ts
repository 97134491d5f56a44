import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { AccountError } from '../../domain/errors.ts';
import { createQueue } from '../../lib/queue.ts';
import { networkOf, wideNetworkOf } from './attempt-limiter.ts';
import { requireUncommon } from './common-passwords.ts';

/** The shortest and the longest password, in characters. */
export const PASSWORD = { least: 10, most: 128 };

/** What OWASP recommends of argon2id, which the library takes unless told otherwise. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const CURRENT_PREFIX = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;

/** A hash of the same cost that no password has, verified where an account has no password. */
export const UNMATCHED_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$7H+5nGjJMqryi8CXjT31Qw$NxbPaXJaLRDiJOg/2Mdp7U1tWaHdUP53122ApnKOlDo';

/** Half of the threads in libuv's pool, so that files and compression go on. */
const MAX_CONCURRENT = 2;

/** How many may wait or run: of all, of one network and of one wide network. */
const MAX_PENDING = { all: 64, network: 6, wideNetwork: 24 };

/**
 * Hashes and verifies passwords, a few at a time, each in some 20 ms and 19 MiB. Every network has a
 * few places in the queue, so that nobody fills it for all.
 */
export class Passwords {
  readonly #limit = createQueue('password', MAX_CONCURRENT);
  /** How many wait or run, by network. */
  readonly #pending = new Map<string, number>();

  /**
   * The hash of a password that {@link requirePassword} returned, in the PHC format, for a caller of
   * a network address.
   *
   * @throws AccountError TOO_MANY_ATTEMPTS when too many are waiting already ({@link MAX_PENDING}).
   */
  hash(password: string, address: string): Promise<string> {
    return this.#limited(address, () => hash(password, COST));
  }

  /** A new hash of a password that was verified just now, at today's cost; else as {@link hash}. */
  rehash(text: string, address: string): Promise<string> {
    return this.hash(normalise(text) ?? text, address);
  }

  /**
   * Whether a password matches a hash. It takes as long when there is no hash or the text cannot be
   * a password, so that the time gives nothing away. Throws like {@link Passwords.hash}.
   */
  verify(known: string | null, text: string, address: string): Promise<boolean> {
    const password = normalise(text);
    return this.#limited(address, async () => {
      const isSame = await verify(known ?? UNMATCHED_HASH, password ?? '');
      return isSame && known !== null && password !== undefined;
    });
  }

  async #limited<Result>(address: string, work: () => Promise<Result>): Promise<Result> {
    const places = [
      ['', MAX_PENDING.all],
      [networkOf(address), MAX_PENDING.network],
      [wideNetworkOf(address), MAX_PENDING.wideNetwork],
    ] as const;
    if (places.some(([who, most]) => this.#pendingOf(who) >= most)) throw tooManyPending();
    for (const [who] of places) this.#pending.set(who, this.#pendingOf(who) + 1);
    try {
      return await this.#limit(work);
    } finally {
      for (const [who] of places) this.#leave(who);
    }
  }

  #pendingOf(who: string): number {
    return this.#pending.get(who) ?? 0;
  }

  #leave(who: string): void {
    const others = this.#pendingOf(who) - 1;
    if (others > 0) this.#pending.set(who, others);
    else this.#pending.delete(who);
  }
}

/** Whether a hash was made at another cost than passwords are hashed at now. */
export function isOutdated(known: string): boolean {
  return !known.startsWith(CURRENT_PREFIX);
}

/**
 * Checks a new password and returns it normalised, ready to be hashed.
 *
 * @throws AccountError REFUSED, with the reason, when the text may not be a password.
 */
export function requirePassword(text: string, email: string): string {
  const password = normalise(text);
  const length = password === undefined ? PASSWORD.most + 1 : lengthOf(password);
  if (length < PASSWORD.least) {
    throw new AccountError('REFUSED', `A password has at least ${PASSWORD.least} characters.`);
  }
  if (password === undefined || length > PASSWORD.most) {
    throw new AccountError('REFUSED', `A password has at most ${PASSWORD.most} characters.`);
  }
  if (password.toLowerCase() === email) {
    throw new AccountError('REFUSED', 'A password must not be the e-mail address.');
  }
  requireUncommon(password, email);
  return password;
}

const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** A random password that is easy to read aloud and to type: seven groups of four, 140 bits. */
export function createPassword(): string {
  const group = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: 7 }, group).join('-');
}

/**
 * The NFKC form of a text, because keyboards send the same text in several forms; undefined when it
 * is too long to be a password. The first check is cheap: eight times the limit never normalises
 * to less than it.
 */
function normalise(text: string): string | undefined {
  if (text.length > PASSWORD.most * 8) return undefined;
  const normalised = text.normalize('NFKC');
  return lengthOf(normalised) <= PASSWORD.most ? normalised : undefined;
}

/** The length in code points, not in UTF-16 units. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

function tooManyPending(): AccountError {
  return new AccountError('TOO_MANY_ATTEMPTS', 'Too many are signing in. Try again in 1 s.', {
    retryAfter: 1,
  });
}
