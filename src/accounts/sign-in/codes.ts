import type { Millis } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import type { AccountRow } from '../../store/accounts/schema.ts';
import type { Store } from '../../store/connect.ts';
import { AttemptLimiter } from './attempt-limiter.ts';
import { Devices } from './devices.ts';
import * as sql from './factor-sql.ts';
import { hashRecoveryCode, isRecoveryCode } from './recovery-codes.ts';
import { matchTotpStep } from './totp.ts';

/** The kind of a code that was right. */
export type CodeKind = 'totp' | 'recovery-code';

/** A code, with the token by which the account knows the browser; `''` for an unknown one. */
export interface SentCode {
  readonly code: string;
  readonly device: string;
}

/** Whose code it is. */
type CodeHolder = Pick<AccountRow, 'id' | 'email'>;

/** Verifies codes of authenticator apps and recovery codes, each of which works once. */
export class Codes {
  readonly #store: Store;
  readonly #clock: () => Millis;
  readonly #attempts: AttemptLimiter;
  readonly #devices: Devices;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#clock = clock;
    this.#attempts = new AttemptLimiter(store, clock);
    this.#devices = new Devices(store, clock);
  }

  /**
   * Uses a code of an account up and returns its kind. Wrong codes of an app slow the account down,
   * or the browser where the account knows it, so that six digits cannot be guessed even by somebody
   * who knows the password, and no guesses keep the owner out. Recovery codes cannot be guessed.
   *
   * @throws AccountError REFUSED when the code is wrong or was used before.
   */
  async use({ id, email }: CodeHolder, { code, device }: SentCode): Promise<CodeKind> {
    if (isRecoveryCode(code)) {
      if (await this.#useRecoveryCode(id, code)) return 'recovery-code';
      throw new AccountError('REFUSED', WRONG_CODE);
    }
    const known = await this.#devices.find(id, device);
    const attempt = known === undefined ? 'codeAccount' : 'codeDevice';
    await this.#attempts.count(attempt, known ?? email);
    if (!(await this.#useTotp(id, code))) throw new AccountError('REFUSED', WRONG_CODE);
    await this.#attempts.forget(attempt, known ?? email);
    return 'totp';
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
