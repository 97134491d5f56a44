import { AccountError } from '../../domain/errors.ts';
import { isOperatorScope } from '../../domain/key-scopes.ts';
import type { Account } from '../accounts.ts';
import type { KeyRestrictions } from './key-restrictions.ts';

/** Who may have and change API keys with the scopes of operators. */

/** @throws AccountError when a key that has a scope of operators would be of somebody else. */
export function requireOperatorFor(
  { scopes }: KeyRestrictions,
  { email, isOperator }: Pick<Account, 'email' | 'isOperator'>,
): void {
  const scope = scopes?.find(isOperatorScope);
  if (scope === undefined || isOperator) return;
  throw new AccountError('REFUSED', `Only keys of operators may have the scope ${scope}.`, {
    advice: `\`cardprice account set-operator ${email} on\` makes an account an operator.`,
  });
}

/**
 * Only its owner, or whoever has the command line, changes a key that has a scope of operators: with
 * another key of an operator it could not lift its own limits, nor outlive its being revoked.
 *
 * @throws AccountError when the key has such a scope.
 */
export function requireOrdinary(id: string, { scopes }: KeyRestrictions): void {
  if (!scopes?.some(isOperatorScope)) return;
  throw new AccountError(
    'REFUSED',
    `The key ${id} has a scope of operators: its owner changes it on the page Keys.`,
    { advice: 'So does `cardprice key update`.' },
  );
}
