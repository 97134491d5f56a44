import { AccountError } from '../domain/errors.ts';
import type { AccountTransaction } from '../store/connect.ts';
import { lockOperators } from './operator-sql.ts';

/** The operator who changes an account. */
export interface ActingOperator {
  readonly accountId: number;
}

/**
 * Keeps an operator from taking away the access of their own account, or of the last operator who
 * can sign in. It holds until the end of the transaction, however many operators try at once.
 *
 * @throws AccountError when the account has to keep its access, or who asks is no operator any more.
 */
export async function requireOtherOperator(
  transaction: AccountTransaction,
  accountId: number,
  by: ActingOperator,
): Promise<void> {
  const operators = await lockOperators(transaction);
  if (!operators.some(({ id }) => id === by.accountId)) {
    throw new AccountError('FORBIDDEN', 'This is for operators only.');
  }
  if (accountId === by.accountId) {
    throw new AccountError('REFUSED', 'This is your own account: another operator has to do it.');
  }
  const isOperator = operators.some(({ id }) => id === accountId);
  const others = operators.filter(({ id, canSignIn }) => id !== accountId && canSignIn);
  if (isOperator && others.length === 0) {
    throw new AccountError('REFUSED', 'This is the last operator who can sign in.');
  }
}

/**
 * Keeps operators from deleting their own account.
 *
 * @throws AccountError when the account is of an operator.
 */
export async function requireNoOperator(
  transaction: AccountTransaction,
  accountId: number,
): Promise<void> {
  const operators = await lockOperators(transaction);
  if (!operators.some(({ id }) => id === accountId)) return;
  throw new AccountError(
    'REFUSED',
    'The account of an operator cannot be deleted by its owner: another operator has to do it.',
  );
}
