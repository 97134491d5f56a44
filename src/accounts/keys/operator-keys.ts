import { ApiError } from '../../domain/errors.ts';
import type { OperatorScope } from '../../domain/key-scopes.ts';
import type { Store } from '../../store/connect.ts';
import { findAccountById } from '../account-sql.ts';
import type { Operator } from '../sign-in/sessions.ts';
import type { Caller } from './authenticator.ts';

/**
 * The operator whose API key a request carries. The account is read at every request, so that a key
 * of somebody who is no operator any more does not work.
 *
 * @throws ApiError KEY_RESTRICTION when the key lacks the scope, FORBIDDEN when it is of no operator.
 */
export async function requireOperatorKey(
  store: Store,
  { accountId, access }: Caller,
  scope: OperatorScope,
): Promise<Operator> {
  // A key without a list of scopes has those of the API, and none of operators.
  if (!access?.scopes?.includes(scope)) {
    throw new ApiError(
      'KEY_RESTRICTION',
      `This key has not the scope "${scope}", which this needs.`,
    );
  }
  const account = await findAccountById(store.accounts.db, accountId);
  if (account?.operator !== 1) throw new ApiError('FORBIDDEN', 'This is for operators only.');
  return { accountId } as Operator;
}
