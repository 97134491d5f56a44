import { Passwords } from '../../src/accounts/sign-in/passwords.ts';

/** Hashes passwords in microseconds, for tests that do not concern the cost of a hash. */
export function cheapPasswords(): Passwords {
  return new Passwords({ memoryCost: 8, timeCost: 1, parallelism: 1 });
}
