import type { ListedAccount } from './responses.ts';

/** What an account is, in a word or a few. */
export function describeState({ disabledAt, isConfirmed, isOperator }: ListedAccount): string {
  if (disabledAt !== null) return isOperator ? 'operator, disabled' : 'disabled';
  if (!isConfirmed) return 'waits to be confirmed';
  return isOperator ? 'operator' : 'active';
}
