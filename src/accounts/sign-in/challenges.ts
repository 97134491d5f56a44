import type { Millis } from '../../domain/day.ts';
import type { ChallengeRow } from '../../store/accounts/schema.ts';
import type { Store } from '../../store/connect.ts';
import * as sql from './challenge-sql.ts';
import { createToken, hashToken, isToken } from './tokens.ts';

/** How long a challenge can be answered, in milliseconds. */
export const CHALLENGE_MS: Millis = 5 * 60_000;

/**
 * What the answer to a challenge is for; an answer for one purpose is none for another.
 *
 * - `pending-sign-in`: a sign-in whose password was right waits for the second factor.
 * - `second-factor`: a passkey is to be that second factor.
 * - `sign-in`: somebody signs in with a passkey alone.
 * - `registration`: somebody who is signed in adds a passkey.
 * - `reauthentication`: somebody who is signed in proves it again with a passkey.
 */
export type ChallengePurpose =
  | 'pending-sign-in'
  | 'second-factor'
  | 'sign-in'
  | 'registration'
  | 'reauthentication';

/** Whose challenge it is. Null for that of a passkey whose account is not known yet. */
export interface ChallengeHolder {
  readonly accountId: number | null;
  /** The version of the account's credentials when the challenge was made. */
  readonly credentialVersion: number;
}

/** Whoever has not said yet who they are. */
export const NOBODY: ChallengeHolder = { accountId: null, credentialVersion: 0 };

/**
 * Random tokens that a browser sends back, or has a passkey sign, within {@link CHALLENGE_MS}. They
 * are in the database, so that any process takes the answer to a challenge of another.
 */
export class Challenges {
  readonly #store: Store;
  readonly #clock: () => Millis;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Makes a challenge and returns its token: 256 random bits in base64url. */
  async begin(purpose: ChallengePurpose, holder: ChallengeHolder): Promise<string> {
    const token = createToken();
    const now = this.#clock();
    const row = {
      token_hash: hashToken(token),
      purpose,
      account_id: holder.accountId,
      credential_version: holder.credentialVersion,
      expires_at: now + CHALLENGE_MS,
    };
    await sql.insertChallenge(this.#store.accounts.db, row, now);
    return token;
  }

  /** The holder of a challenge that can still be answered; undefined for none. */
  async find(purpose: ChallengePurpose, token: string): Promise<ChallengeHolder | undefined> {
    return holderOf(await this.#look(sql.findChallenge, purpose, token));
  }

  /** Uses a challenge up and returns its holder; undefined when it was used or has expired. */
  async take(purpose: ChallengePurpose, token: string): Promise<ChallengeHolder | undefined> {
    return holderOf(await this.#look(sql.takeChallenge, purpose, token));
  }

  async #look(
    read: typeof sql.findChallenge,
    purpose: ChallengePurpose,
    token: string,
  ): Promise<ChallengeRow | undefined> {
    if (!isToken(token)) return undefined;
    const key = { tokenHash: hashToken(token), purpose };
    return read(this.#store.accounts.db, key, this.#clock());
  }
}

function holderOf(row: ChallengeRow | undefined): ChallengeHolder | undefined {
  return row && { accountId: row.account_id, credentialVersion: row.credential_version };
}
