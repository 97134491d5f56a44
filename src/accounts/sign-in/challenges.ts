import type { Millis } from '../../domain/day.ts';
import type { Store } from '../../store/connect.ts';
import {
  type ChallengeHolder,
  findChallenge,
  insertChallenge,
  takeChallenge,
} from './factor-sql.ts';
import { createToken, hashToken, isToken } from './tokens.ts';

/** How long a challenge can be answered, in milliseconds. */
export const CHALLENGE_MS: Millis = 5 * 60_000;

/**
 * The purpose of a challenge. Its answer is not valid for another purpose.
 *
 * - `pending-sign-in`: a sign-in with the right password waits for the second factor.
 * - `second-factor`: a passkey is to be that second factor.
 * - `sign-in`: somebody signs in with only a passkey.
 * - `registration`: somebody who is signed in adds a passkey.
 * - `reauthentication`: somebody who is signed in proves it again with a passkey.
 */
export type ChallengePurpose =
  | 'pending-sign-in'
  | 'second-factor'
  | 'sign-in'
  | 'registration'
  | 'reauthentication';

/** The holder of a challenge to somebody whose account is not known yet. */
export const NOBODY: ChallengeHolder = { accountId: null, credentialVersion: 0 };

/**
 * Random tokens that a browser sends back, or has a passkey sign, within {@link CHALLENGE_MS}. They
 * are in the database, so each process accepts answers to the challenges of the others.
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
    const key = { tokenHash: hashToken(token), purpose };
    const moments = { now, expiresAt: now + CHALLENGE_MS };
    await insertChallenge(this.#store.accounts.db, key, holder, moments);
    return token;
  }

  /** Returns the holder of a challenge that is still open; otherwise undefined. */
  find(purpose: ChallengePurpose, token: string): Promise<ChallengeHolder | undefined> {
    return this.#look(findChallenge, purpose, token);
  }

  /** Uses up a challenge and returns its holder; undefined if it was used or has expired. */
  take(purpose: ChallengePurpose, token: string): Promise<ChallengeHolder | undefined> {
    return this.#look(takeChallenge, purpose, token);
  }

  async #look(
    read: typeof findChallenge,
    purpose: ChallengePurpose,
    token: string,
  ): Promise<ChallengeHolder | undefined> {
    if (!isToken(token)) return undefined;
    const key = { tokenHash: hashToken(token), purpose };
    return read(this.#store.accounts.db, key, this.#clock());
  }
}
