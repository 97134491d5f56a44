import type { PlanTable } from '../domain/plans.ts';
import type { AccountRow } from '../store/account-schema.ts';
import { type Account, accountOf } from './accounts.ts';

declare const verified: unique symbol;

/**
 * An account whose owner has just proved who they are. Only {@link verifiedAccount} makes one, and
 * only `SelfService` calls it: a session begins with nothing less.
 */
export interface VerifiedAccount extends Account {
  /**
   * The `credential_version` of the row whose password was checked, or that a new password made. A
   * session with it dies with that password, even when it begins after the password was replaced.
   */
  readonly credentialVersion: number;
  readonly [verified]: true;
}

/** The account of a row against which a proof was checked, such as a password. */
export function verifiedAccount(row: AccountRow, plans: PlanTable): VerifiedAccount {
  const account = { ...accountOf(row, plans), credentialVersion: row.credential_version };
  return account as VerifiedAccount;
}
