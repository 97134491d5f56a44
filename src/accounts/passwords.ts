import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { AccountError } from '../domain/errors.ts';
import { Semaphore } from '../lib/semaphore.ts';

/** How long a password may be, in characters. */
export const PASSWORD = { least: 10, most: 128 };

/** What OWASP recommends of argon2id, which the library takes unless told otherwise. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of a password that nobody knows, of the same cost: for accounts that have none. */
export const NOBODYS =
  '$argon2id$v=19$m=19456,t=2,p=1$7H+5nGjJMqryi8CXjT31Qw$NxbPaXJaLRDiJOg/2Mdp7U1tWaHdUP53122ApnKOlDo';

/** Half of the threads that Node has for such work, so that files and compression go on. */
const AT_ONCE = 2;
const MOST_WAITING = 64;

/** Hashes and verifies passwords, a few at a time, each in some 20 ms and 19 MiB. */
export class Passwords {
  readonly #turns = new Semaphore(AT_ONCE);

  /**
   * The hash of a password that {@link requirePassword} returned, in the PHC format.
   *
   * @throws AccountError TOO_MANY_ATTEMPTS when too many wait already.
   */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(password, COST));
  }

  /**
   * Whether a password is the one of a hash. It takes as long when there is no hash, or the text
   * can be no password. Throws like {@link Passwords.hash}.
   */
  verify(known: string | null, text: string): Promise<boolean> {
    const password = normalise(text);
    return this.#inTurn(async () => {
      const isSame = await verify(known ?? NOBODYS, password ?? '');
      return isSame && known !== null && password !== undefined;
    });
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#turns.waiting >= MOST_WAITING) throw tooManyWait();
    return this.#turns.take(work);
  }
}

/**
 * A new password as it is to be hashed.
 *
 * @throws AccountError REFUSED when it may not be one, saying why.
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
  return password;
}

const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** A random password that is easy to read aloud and to type: four groups of four, 80 bits. */
export function createPassword(): string {
  const group = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: 4 }, group).join('-');
}

/**
 * The one spelling of a text that keyboards may send in several (NFKC); undefined when it is too
 * long to be a password. A text is never more than so much longer than what it is normalised to.
 */
function normalise(text: string): string | undefined {
  if (text.length > PASSWORD.most * 8) return undefined;
  const normalised = text.normalize('NFKC');
  return lengthOf(normalised) <= PASSWORD.most ? normalised : undefined;
}

/** In characters, not in the two halves that some have in UTF-16. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

function tooManyWait(): AccountError {
  return new AccountError('TOO_MANY_ATTEMPTS', 'Too many are signing in. Try again in 1 s.', {
    retryAfter: 1,
  });
}
