import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Millis } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import type { PasskeyRow } from '../../store/accounts/schema.ts';
import type { AccountTransaction, Store } from '../../store/connect.ts';
import { Accounts } from '../accounts.ts';
import { Challenges } from './challenges.ts';
import { WRONG_CODE } from './codes.ts';
import * as sql from './factor-sql.ts';
import { Passkeys } from './passkeys.ts';
import { createRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts';
import type { RelyingParty } from './relying-party.ts';
import type { Session } from './sessions.ts';
import { hashToken } from './tokens.ts';
import { createTotpSecret, matchTotpStep, totpUri } from './totp.ts';

/** A passkey as its owner sees it. */
export interface Passkey {
  readonly id: number;
  readonly name: string;
  readonly createdAt: Millis;
  /** Null for never. */
  readonly lastUsedAt: Millis | null;
}

/** The second factors of an account. */
export interface FactorList {
  /** Since when there is an authenticator app; null for none. */
  readonly totpSince: Millis | null;
  readonly passkeys: readonly Passkey[];
  /** How many recovery codes still work. */
  readonly recoveryCodes: number;
}

/** The most passkeys of an account. */
const MAX_PASSKEYS = 20;

const NAME = /^[^\p{C}]{1,100}$/u;
/** Ids fit a 32-bit integer of the database. */
const ID = /^\d{1,9}$/;

/**
 * The second factors of accounts, as their owners manage them. Every change ends all sessions of the
 * account but the one that made it. Refusals are AccountErrors.
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

  /** Whether an account must have a second factor. */
  isRequired({ isOperator }: Pick<Session, 'isOperator'>): boolean {
    return isOperator && this.#isRequiredOfOperators;
  }

  async list(accountId: number): Promise<FactorList> {
    const { db } = this.#store.accounts;
    const totp = await sql.findTotp(db, accountId);
    const { recoveryCodes } = await sql.countFactors(db, accountId);
    const passkeys = await sql.listPasskeys(db, accountId);
    return {
      totpSince: totp?.confirmed_at ?? null,
      passkeys: passkeys.map(passkeyOf),
      recoveryCodes,
    };
  }

  /**
   * Begins to add an authenticator app: its secret, and the same as a URI for a QR code. It is no
   * second factor before {@link SecondFactors.confirmTotp}.
   */
  async beginTotp({ accountId, email }: Session): Promise<{ secret: string; uri: string }> {
    const secret = createTotpSecret();
    const totp = { account_id: accountId, secret, created_at: this.#clock() };
    if (!(await sql.insertTotp(this.#store.accounts.db, totp))) {
      throw new AccountError(
        'REFUSED',
        'The account has an authenticator app already. Remove it before you add another one.',
      );
    }
    return { secret, uri: totpUri(secret, email) };
  }

  /**
   * Makes an authenticator app a second factor with the code that it shows, so that nobody is kept
   * out by an app that was set up wrongly. Returns recovery codes like {@link addPasskey}.
   */
  async confirmTotp(session: Session, code: string): Promise<string[]> {
    const totp = await sql.findTotp(this.#store.accounts.db, session.accountId);
    if (!totp || totp.confirmed_at !== null) throw changedMeanwhile();
    const now = this.#clock();
    const step = matchTotpStep(totp.secret, code, now);
    if (step === undefined) throw new AccountError('REFUSED', WRONG_CODE);
    return this.#add(session, (transaction) => sql.confirmTotp(transaction, totp, { step, now }));
  }

  async removeTotp(session: Session): Promise<void> {
    await this.#remove(session, (transaction) => sql.deleteTotp(transaction, session.accountId));
  }

  /** What a browser needs to make a passkey for the account of a session. */
  passkeyOptions(
    session: Session,
    party: RelyingParty,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    return this.#passkeys.registrationOptions(session, party);
  }

  /**
   * Adds the passkey that a browser has made. Returns new recovery codes when the account has none
   * that work, otherwise an empty list. Nothing shows them again.
   */
  async addPasskey(
    session: Session,
    party: RelyingParty,
    { name, response }: { readonly name: string; readonly response: RegistrationResponseJSON },
  ): Promise<string[]> {
    if (!NAME.test(name)) throw new AccountError('REFUSED', BAD_NAME);
    const made = await this.#passkeys.register(session, party, response);
    const { accountId: account_id } = session;
    const row = { ...made, name, account_id, created_at: this.#clock() };
    return this.#add(session, async (transaction) => {
      const { passkeys } = await sql.countFactors(transaction, account_id);
      if (passkeys >= MAX_PASSKEYS) throw tooManyPasskeys();
      return sql.insertPasskey(transaction, row);
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
   * Removes every second factor of an account whose owner has lost them, and ends its sessions. For
   * whoever runs the service, who has made sure who asks. Returns how many there were.
   */
  async removeAll(email: string): Promise<number> {
    const { db } = this.#store.accounts;
    const { id: accountId } = await new Accounts(this.#store, this.#clock).find(email);
    const { totp, passkeys } = await sql.countFactors(db, accountId);
    const version = (await sql.findAccountById(db, accountId))?.credential_version ?? 0;
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

  /** Changes second factors and ends all sessions but this one. An error undoes the change. */
  async #change(
    { accountId, credentialVersion: version, token }: Session,
    change: Change<void>,
  ): Promise<void> {
    const { db } = this.#store.accounts;
    if (!(await sql.changeFactors(db, { accountId, version }, change))) throw changedMeanwhile();
    await sql.keepSession(db, hashToken(token), version);
  }
}

/** A change within a transaction. */
type Change<Result> = (transaction: AccountTransaction) => Promise<Result>;

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

function passkeyOf({ id, name, created_at, last_used_at }: PasskeyRow): Passkey {
  return { id, name, createdAt: created_at, lastUsedAt: last_used_at };
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
