import { hash, verify } from '@node-rs/argon2';
import type { Millis } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import { networkOf, wideNetworkOf } from '../../lib/networks.ts';
import { createQueue } from '../../lib/queue.ts';
import type { Store } from '../../store/connect.ts';
import { insertReset } from './password-sql.ts';
import { createToken, hashToken } from './tokens.ts';

/** The shortest and the longest password, in characters. */
export const PASSWORD = { least: 10, most: 128 };

/** The cost of an argon2id hash; the memory is in KiB. */
export interface HashCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** OWASP's recommended parameters for argon2id, also the defaults of the library. */
const RECOMMENDED: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash of the same cost that matches no password, verified for accounts without a password. */
export const UNMATCHED_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$7H+5nGjJMqryi8CXjT31Qw$NxbPaXJaLRDiJOg/2Mdp7U1tWaHdUP53122ApnKOlDo';

/** Half of the threads in libuv's pool, so files and compression can continue. */
const MAX_CONCURRENT = 2;

/** How many calls may wait or run: in all, from one network and from one wide network. */
const MAX_PENDING = { all: 64, network: 6, wideNetwork: 24 };

/**
 * Hashes and verifies passwords, two at a time, each in about 20 ms and 19 MiB. Each network has
 * only a few places in the queue, so none can fill it for everybody.
 */
export class Passwords {
  readonly #cost: HashCost;
  readonly #limit = createQueue('password', MAX_CONCURRENT);
  /** Waiting or running calls, by network. */
  readonly #pending = new Map<string, number>();

  /** @param cost The cost of new hashes. Tests of other features use a lower one. */
  constructor(cost = RECOMMENDED) {
    this.#cost = cost;
  }

  /**
   * Returns the hash of a password from {@link requirePassword}, in the PHC format, for a caller of
   * a network address.
   *
   * @throws AccountError TOO_MANY_ATTEMPTS if too many wait already ({@link MAX_PENDING}).
   */
  hash(password: string, address: string): Promise<string> {
    return this.#limited(address, () => hash(password, this.#cost));
  }

  /** Returns whether the cost of a hash differs from the cost of new ones. */
  isOutdated(known: string): boolean {
    const { memoryCost, timeCost, parallelism } = this.#cost;
    return !known.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
  }

  /** Returns a new hash, at today's cost, of a password that was just verified. */
  rehash(text: string, address: string): Promise<string> {
    return this.hash(normalise(text) ?? text, address);
  }

  /**
   * Returns whether a password matches a hash. The call takes the same time if there is no hash or
   * if the text cannot be a password, so timing reveals nothing. Throws like
   * {@link Passwords.hash}.
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

/**
 * Checks a new password and returns it normalised, ready to be hashed. The first check loads the
 * words that passwords are compared with.
 *
 * @throws AccountError REFUSED, with the reason, if the text may not be a password.
 */
export async function requirePassword(text: string, email: string): Promise<string> {
  const password = normalise(text);
  if (password === undefined || lengthOf(password) > PASSWORD.most) {
    throw new AccountError('REFUSED', `A password has at most ${PASSWORD.most} characters.`);
  }
  if (lengthOf(password) < PASSWORD.least) {
    throw new AccountError('REFUSED', `A password has at least ${PASSWORD.least} characters.`);
  }
  const { weaknessOf } = await import('./password-strength.ts');
  const weakness = weaknessOf(password, email);
  if (weakness !== undefined) {
    const message = `This password is easy to guess: ${weakness}. ${ADVICE}`;
    throw new AccountError('REFUSED', message);
  }
  return password;
}

/**
 * Returns the NFKC form of a text, because keyboards send the same text in several forms; undefined
 * if it is too long to be a password. The first check is cheap: eight times the limit never
 * normalises to less than the limit.
 */
function normalise(text: string): string | undefined {
  if (text.length > PASSWORD.most * 8) return undefined;
  const normalised = text.normalize('NFKC');
  return lengthOf(normalised) <= PASSWORD.most ? normalised : undefined;
}

/** Returns the length in code points, not in UTF-16 units. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

function tooManyPending(): AccountError {
  return new AccountError(
    'TOO_MANY_ATTEMPTS',
    'Too many people are signing in. Try again in 1 s.',
    { retryAfter: 1 },
  );
}

const ADVICE = 'Use three or more words that do not belong together.';

/** A token that sets the password of an account, once. */
export interface ResetToken {
  readonly token: string;
  readonly expiresAt: Millis;
}

/** Makes a token that sets the password of an account until `now + validFor`. */
export async function makeReset(
  store: Store,
  accountId: number,
  now: Millis,
  validFor: Millis,
): Promise<ResetToken> {
  const token = createToken();
  const expiresAt = now + validFor;
  const reset = { tokenHash: hashToken(token), accountId, expiresAt };
  await insertReset(store.accounts.db, reset, now);
  return { token, expiresAt };
}

/** Returns the URL of the page that sets a password. Browsers never send the part after `#`. */
export function resetLink(publicUrl: string, token: string, back?: string): string {
  const query = back === undefined ? '' : `?back=${encodeURIComponent(back)}`;
  return `${publicUrl}/reset${query}#${token}`;
}
