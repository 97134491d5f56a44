import type { VerifiedAccount } from './verified-account.ts';

declare const admitted: unique symbol;

/**
 * An account whose owner has proved all that it takes to sign in: with a second factor, that one,
 * too. Only `SignInSteps` makes one, and no session begins with less.
 */
export interface AdmittedAccount extends VerifiedAccount {
  readonly [admitted]: true;
}
