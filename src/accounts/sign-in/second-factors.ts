import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Millis } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import type { AccountTransaction, Store } from '../../store/connect.ts';
import { findAccountById } from '../account-sql.ts';
import { Accounts } from '../accounts.ts';
import { Challenges } from './challenges.ts';
import {
  createRecoveryCodes,
  createTotpSecret,
  hashRecoveryCode,
  matchTotpStep,
  totpUri,
  WRONG_CODE,
} from './codes.ts';
import * as sql from './factor-sql.ts';
import { Passkeys, type RelyingParty } from './passkeys.ts';
import type { Session } from './sessions.ts';
import { hashToken } from './tokens.ts';

/** A passkey as its owner sees it. */
export type Passkey = Pick<sql.PasskeyRecord, 'id' | 'name' | 'createdAt' | 'lastUsedAt'>;

/** A new passkey with the name that its owner chose. */
export interface VerifiedPasskey extends sql.Credential {
  readonly name: string;
}

/** The second factors of an account. */
export interface FactorList {
  /** When the authenticator app was added; null for none. */
  readonly totpSince: Millis | null;
  readonly passkeys: readonly Passkey[];
  /** Unused recovery codes. */
  readonly recoveryCodes: number;
}

/** A change within a transaction. */
type Change<Result> = (transaction: AccountTransaction) => Promise<Result>;

/** The most passkeys of an account. */
const MAX_PASSKEYS = 20;

const NAME = /^[^\p{C}]{1,100}$/u;
/** Ids fit a 32-bit integer of the database. */
const ID = /^\d{1,9}$/;

/**
 * The second factors of accounts, as their owners manage them. Every change ends all other sessions
 * of the account. Refusals are AccountErrors.
 */
export class SecondFactors {
  readonly #store: Store;
  readonly #clock: () => Millis;
  readonly #isRequiredOfOperators: boolean;
  readonly #passkeys: Passkeys;

  constructor(
    store: Store,
    clock: () => Millis,
    { isRequiredOfOperators }: { isRequiredOfOperators: boolean },
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#isRequiredOfOperators = isRequiredOfOperators;
    this.#passkeys = new Passkeys(store, clock, new Challenges(store, clock));
  }

  /** Returns whether an account must have a second factor. */
  isRequired({ isOperator }: Pick<Session, 'isOperator'>): boolean {
    return isOperator && this.#isRequiredOfOperators;
  }

  async list(accountId: number): Promise<FactorList> {
    const { db } = this.#store.accounts;
    const totp = await sql.findTotp(db, accountId);
    const { recoveryCodes } = await sql.countFactors(db, accountId);
    const passkeys = await sql.listPasskeys(db, accountId);
    return {
      totpSince: totp?.confirmedAt ?? null,
      passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => {
        return { id, name, createdAt, lastUsedAt };
      }),
      recoveryCodes,
    };
  }

  /**
   * Starts adding an authenticator app. Returns its secret, also as a URI for a QR code. It becomes
   * a second factor with {@link SecondFactors.confirmTotp}.
   */
  async beginTotp({ accountId, email }: Session): Promise<{ secret: string; uri: string }> {
    const secret = createTotpSecret();
    const { db } = this.#store.accounts;
    if (await sql.insertTotp(db, { accountId, secret }, this.#clock())) {
      return { secret, uri: totpUri(secret, email) };
    }
    throw new AccountError(
      'REFUSED',
      'The account already has an authenticator app. Remove it before you add another one.',
    );
  }

  /**
   * Makes an authenticator app a second factor. The code that the app shows proves that the setup
   * works, so the app cannot lock its owner out. Returns recovery codes like {@link addPasskey}.
   */
  async confirmTotp(session: Session, code: string): Promise<string[]> {
    const totp = await sql.findTotp(this.#store.accounts.db, session.accountId);
    if (!totp || totp.confirmedAt !== null) throw changedMeanwhile();
    const now = this.#clock();
    const step = matchTotpStep(totp.secret, code, now);
    if (step === undefined) throw new AccountError('REFUSED', WRONG_CODE);
    return this.#add(session, (transaction) => sql.confirmTotp(transaction, totp, { step, now }));
  }

  async removeTotp(session: Session): Promise<void> {
    await this.#remove(session, (transaction) => sql.deleteTotp(transaction, session.accountId));
  }

  /** Returns what a browser needs to make a passkey for the account of a session. */
  passkeyOptions(
    session: Session,
    party: RelyingParty,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    return this.#passkeys.registrationOptions(session, party);
  }

  /** Verifies the passkey that a browser has made, which {@link addPasskey} adds. */
  async verifyPasskey(
    session: Session,
    party: RelyingParty,
    { name, response }: { readonly name: string; readonly response: RegistrationResponseJSON },
  ): Promise<VerifiedPasskey> {
    if (!NAME.test(name)) throw new AccountError('REFUSED', BAD_NAME);
    return { ...(await this.#passkeys.register(session, party, response)), name };
  }

  /**
   * Adds a passkey. Returns new recovery codes if the account has none left, otherwise an empty
   * list. Nothing shows them again.
   */
  async addPasskey(session: Session, verified: VerifiedPasskey): Promise<string[]> {
    const { accountId } = session;
    const passkey = { ...verified, accountId, createdAt: this.#clock() };
    return this.#add(session, async (transaction) => {
      const { passkeys } = await sql.countFactors(transaction, accountId);
      if (passkeys >= MAX_PASSKEYS) throw tooManyPasskeys();
      return sql.insertPasskey(transaction, passkey);
    });
  }

  async removePasskey(session: Session, id: string): Promise<void> {
    if (!ID.test(id)) throw changedMeanwhile();
    await this.#remove(session, (transaction) => {
      return sql.deletePasskey(transaction, session.accountId, Number(id));
    });
  }

  /** Replaces the recovery codes of an account that has a second factor; returns the new ones. */
  async replaceRecoveryCodes(session: Session): Promise<string[]> {
    const codes = createRecoveryCodes();
    await this.#change(session, async (transaction) => {
      if (!(await hasFactor(transaction, session.accountId))) {
        throw new AccountError('REFUSED', 'Add a second factor first.');
      }
      await storeCodes(transaction, session.accountId, codes);
    });
    return codes;
  }

  /**
   * Removes every second factor of an account whose owner has lost them, and ends its sessions.
   * Before calling this, the operator must verify who is asking. Returns the number of removed
   * factors.
   */
  async removeAll(email: string): Promise<number> {
    const { db } = this.#store.accounts;
    const { id: accountId } = await new Accounts(this.#store, this.#clock).find(email);
    const { totp, passkeys } = await sql.countFactors(db, accountId);
    const version = (await findAccountById(db, accountId))?.credentialVersion ?? 0;
    const isChanged = await sql.changeFactors(db, { accountId, version }, (transaction) => {
      return sql.deleteSecondFactors(transaction, accountId);
    });
    if (!isChanged) throw changedMeanwhile();
    return totp + passkeys;
  }

  async #add(session: Session, add: Change<boolean>): Promise<string[]> {
    const codes = createRecoveryCodes();
    let hasCodes = false;
    await this.#change(session, async (transaction) => {
      if (!(await add(transaction))) throw changedMeanwhile();
      hasCodes = (await sql.countFactors(transaction, session.accountId)).recoveryCodes > 0;
      if (!hasCodes) await storeCodes(transaction, session.accountId, codes);
    });
    return hasCodes ? [] : codes;
  }

  async #remove(session: Session, remove: Change<boolean>): Promise<void> {
    await this.#change(session, async (transaction) => {
      if (!(await remove(transaction))) throw changedMeanwhile();
      if (await hasFactor(transaction, session.accountId)) return;
      if (this.isRequired(session)) throw new AccountError('REFUSED', LAST_ONE);
      await sql.replaceRecoveryCodes(transaction, session.accountId, []);
    });
  }

  /** Changes second factors and ends all other sessions. An error undoes the change. */
  async #change(
    { accountId, credentialVersion: version, token }: Session,
    change: Change<void>,
  ): Promise<void> {
    const { db } = this.#store.accounts;
    if (!(await sql.changeFactors(db, { accountId, version }, change))) throw changedMeanwhile();
    await sql.keepSession(db, hashToken(token), version);
  }
}

async function hasFactor(db: AccountTransaction, accountId: number): Promise<boolean> {
  const { totp, passkeys } = await sql.countFactors(db, accountId);
  return totp + passkeys > 0;
}

function storeCodes(
  transaction: AccountTransaction,
  accountId: number,
  codes: readonly string[],
): Promise<void> {
  return sql.replaceRecoveryCodes(transaction, accountId, codes.map(hashRecoveryCode));
}

const BAD_NAME = 'The name of a passkey is 1 to 100 characters, without control characters.';

const LAST_ONE =
  'Operators need a second factor here. Add another one before you remove the last one.';

function tooManyPasskeys(): AccountError {
  const reason = `The account has ${MAX_PASSKEYS} passkeys, which is the most it may have.`;
  return new AccountError('REFUSED', `${reason} Remove one first.`);
}

function changedMeanwhile(): AccountError {
  return new AccountError('CONFLICT', 'This was changed in the meantime. Load the page again.');
}
