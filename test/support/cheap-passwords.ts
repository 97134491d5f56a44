import { Passwords } from '../../src/accounts/sign-in/passwords.ts';

/** Hashes passwords in microseconds, for tests of other things than the cost of a hash. */
export function cheapPasswords(): Passwords {
  return new Passwords({ memoryCost: 8, timeCost: 1, parallelism: 1 });
}
