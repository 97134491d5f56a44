import type { Millis } from '../../domain/day.ts';
import type { Store } from '../../store/connect.ts';
import { insertReset } from './password-sql.ts';
import { createToken, hashToken } from './tokens.ts';

/** Allows whoever has it to set the password of an account, once. */
export interface ResetToken {
  readonly token: string;
  readonly expiresAt: Millis;
}

/** Makes a token with which the password of an account can be set until `now + validFor`. */
export async function makeReset(
  store: Store,
  accountId: number,
  now: Millis,
  validFor: Millis,
): Promise<ResetToken> {
  const token = createToken();
  const expiresAt = now + validFor;
  const reset = { token_hash: hashToken(token), account_id: accountId, expires_at: expiresAt };
  await insertReset(store.accounts.db, reset, now);
  return { token, expiresAt };
}

/** The URL of the page that sets a password. Browsers send the part after `#` to no server. */
export function resetLink(publicUrl: string, token: string): string {
  return `${publicUrl}/reset#${token}`;
}
