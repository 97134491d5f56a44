import type { Millis } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import type { AccountRow } from '../../store/account-schema.ts';
import type { Store } from '../../store/connect.ts';
import * as sql from '../../store/second-factors.ts';
import { AttemptLimiter } from '../attempt-limiter.ts';
import { hashRecoveryCode, isRecoveryCode } from './recovery-codes.ts';
import { matchTotpStep } from './totp.ts';

/** The kind of a code that was right. */
export type CodeKind = 'totp' | 'recovery-code';

/** Verifies codes of authenticator apps and recovery codes, each of which works once. */
export class Codes {
  readonly #store: Store;
  readonly #clock: () => Millis;
  readonly #attempts: AttemptLimiter;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#clock = clock;
    this.#attempts = new AttemptLimiter(store, clock);
  }

  /**
   * Uses a code of an account up and returns its kind. Wrong codes slow the account down, so that
   * six digits cannot be guessed even by somebody who knows the password.
   *
   * @throws AccountError REFUSED when the code is wrong or was used before.
   */
  async use({ id, email }: Pick<AccountRow, 'id' | 'email'>, text: string): Promise<CodeKind> {
    await this.#attempts.count('secondFactor', email);
    const kind = isRecoveryCode(text) ? 'recovery-code' : 'totp';
    const isRight = kind === 'totp' ? this.#useTotp(id, text) : this.#useRecoveryCode(id, text);
    if (!(await isRight)) throw new AccountError('REFUSED', WRONG_CODE);
    await this.#attempts.forget('secondFactor', email);
    return kind;
  }

  async #useTotp(accountId: number, text: string): Promise<boolean> {
    const { db } = this.#store.accounts;
    const totp = await sql.findTotp(db, accountId);
    if (!totp || totp.confirmed_at === null) return false;
    const step = matchTotpStep(totp.secret, text, this.#clock());
    return step !== undefined && (await sql.useTotpStep(db, totp, step));
  }

  #useRecoveryCode(accountId: number, text: string): Promise<boolean> {
    const { db } = this.#store.accounts;
    return sql.useRecoveryCode(db, accountId, hashRecoveryCode(text), this.#clock());
  }
}

export const WRONG_CODE =
  'This code is wrong, or was used already. Wait for the next one of the app, and check that the ' +
  'clock of your device is right.';
