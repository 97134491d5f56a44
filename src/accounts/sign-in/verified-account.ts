import { AccountError } from '../../domain/errors.ts';
import type { PlanTable } from '../../domain/plans.ts';
import type { AccountRecord } from '../account-sql.ts';
import { type Account, accountOf } from '../accounts.ts';

declare const verified: unique symbol;
declare const admitted: unique symbol;

/**
 * An account whose owner has just proved who they are, by a password for one. Only
 * {@link verifiedAccount} makes one.
 */
export interface VerifiedAccount extends Account {
  /**
   * The version of the credentials that were verified. A session with it ends with these
   * credentials, even if it begins after they were replaced.
   */
  readonly credentialVersion: number;
  readonly [verified]: true;
}

/**
 * An account whose owner has proved everything that signing in takes, a second factor included if
 * there is one. Only `SignInSteps` makes one, and every session begins with one.
 */
export interface AdmittedAccount extends VerifiedAccount {
  readonly [admitted]: true;
}

/** Refuses a disabled account to its owner, who has proved who they are. */
export function requireEnabled({ disabledAt }: AccountRecord): void {
  if (disabledAt === null) return;
  throw new AccountError(
    'UNAUTHORIZED',
    'This account is disabled. Contact the operator of this service.',
  );
}

/** Returns the account of a record whose credentials were verified. */
export function verifiedAccount(record: AccountRecord, plans: PlanTable): VerifiedAccount {
  const { credentialVersion } = record;
  return { ...accountOf(record, plans), credentialVersion } as VerifiedAccount;
}
