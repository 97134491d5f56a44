import { AccountError } from '../../domain/errors.ts';
import type { PlanTable } from '../../domain/plans.ts';
import type { AccountRow } from '../../store/accounts/schema.ts';
import { type Account, accountOf } from '../accounts.ts';

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

/** Refuses an account that an operator disabled, to whoever has proved that it is theirs. */
export function requireEnabled({ disabled_at }: AccountRow): void {
  if (disabled_at === null) return;
  throw new AccountError(
    'UNAUTHORIZED',
    'This account is disabled. Ask whoever runs this service.',
  );
}

/** The account of a row against which a proof was checked, such as a password. */
export function verifiedAccount(row: AccountRow, plans: PlanTable): VerifiedAccount {
  const account = { ...accountOf(row, plans), credentialVersion: row.credential_version };
  return account as VerifiedAccount;
}
