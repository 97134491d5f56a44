import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Millis } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import type { Store } from '../../store/connect.ts';
import { type AccountRecord, findAccountById } from '../account-sql.ts';
import { Plans } from '../quota/plans.ts';
import { AttemptLimiter } from './attempt-limiter.ts';
import { Challenges, NOBODY } from './challenges.ts';
import { type CodeKind, Codes, type SentCode } from './codes.ts';
import { type ChallengeHolder, countFactors } from './factor-sql.ts';
import { Passkeys, type RelyingParty } from './passkeys.ts';
import type { SelfService } from './self-service.ts';
import {
  type AdmittedAccount,
  requireEnabled,
  type Session,
  type Sessions,
  type VerifiedAccount,
  verifiedAccount,
} from './sessions.ts';

/** A kind of second factor. */
export type FactorKind = CodeKind | 'passkey';

/** A sign-in with the right password that waits for a second factor. */
export interface PendingSignIn {
  /** The secret of the browser that signs in. Never log it. */
  readonly token: string;
  /** The second factors that can finish it. */
  readonly factors: readonly FactorKind[];
}

/**
 * Proof that the owner of a session is still there: the password, and a code for accounts with a
 * second factor; `''` for no code.
 */
export interface Proof extends SentCode {
  readonly password: string;
  /** The network address. */
  readonly address: string;
}

/** A browser's answer to a request for a passkey. */
export interface PasskeyAnswer {
  readonly party: RelyingParty;
  readonly response: AuthenticationResponseJSON;
}

interface Parts {
  readonly store: Store;
  readonly clock: () => Millis;
  readonly selfService: SelfService;
  readonly sessions: Sessions;
}

/**
 * The way from a right password or a passkey to a session, and the proof that its owner is still
 * there. Refusals are AccountErrors.
 */
export class SignInSteps {
  readonly #store: Store;
  readonly #plans: Plans;
  readonly #selfService: SelfService;
  readonly #sessions: Sessions;
  readonly #attempts: AttemptLimiter;
  readonly #challenges: Challenges;
  readonly #codes: Codes;
  readonly #passkeys: Passkeys;

  constructor({ store, clock, selfService, sessions }: Parts) {
    this.#store = store;
    this.#plans = new Plans(store);
    this.#selfService = selfService;
    this.#sessions = sessions;
    this.#attempts = new AttemptLimiter(store, clock);
    this.#challenges = new Challenges(store, clock);
    this.#codes = new Codes(store, clock);
    this.#passkeys = new Passkeys(store, clock, this.#challenges);
  }

  /** Admits an account without a second factor. Otherwise, leaves the sign-in pending. */
  async begin(account: VerifiedAccount): Promise<AdmittedAccount | PendingSignIn> {
    const factors = await this.factorsOf(account.id);
    if (factors.length === 0) return account as AdmittedAccount;
    const holder = { accountId: account.id, credentialVersion: account.credentialVersion };
    return { token: await this.#challenges.begin('pending-sign-in', holder), factors };
  }

  /** Returns the kinds of second factors of an account. Recovery codes alone do not count. */
  async factorsOf(accountId: number): Promise<FactorKind[]> {
    const { db } = this.#store.accounts;
    const { totp, passkeys, recoveryCodes } = await countFactors(db, accountId);
    if (totp + passkeys === 0) return [];
    return [
      ...(passkeys > 0 ? (['passkey'] as const) : []),
      ...(totp > 0 ? (['totp'] as const) : []),
      ...(recoveryCodes > 0 ? (['recovery-code'] as const) : []),
    ];
  }

  /**
   * Admits the account of a pending sign-in with a code of its authenticator app or a recovery
   * code.
   */
  async finishWithCode(
    token: string,
    sent: SentCode,
  ): Promise<{ account: AdmittedAccount; kind: CodeKind }> {
    const row = await this.#pending(token);
    const kind = await this.#codes.use(row, sent);
    return { account: await this.#finish(token, row), kind };
  }

  /** Returns what a browser needs to finish a pending sign-in with a passkey. */
  async passkeyOptions(
    token: string,
    party: RelyingParty,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const holder = holderOf(await this.#pending(token));
    return this.#passkeys.authenticationOptions('second-factor', holder, party);
  }

  /** Admits the account of a pending sign-in with one of its passkeys. */
  async finishWithPasskey(
    token: string,
    { party, response }: PasskeyAnswer,
  ): Promise<AdmittedAccount> {
    const row = await this.#pending(token);
    const id = await this.#passkeys.authenticate('second-factor', party, response);
    if (id !== row.id) throw new AccountError('REFUSED', 'This is a passkey of another account.');
    return this.#finish(token, row);
  }

  /** Returns what a browser needs to sign in with any passkey and without a password. */
  async soleOptions(
    party: RelyingParty,
    address: string,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    await this.#attempts.count('passkeyAddress', address);
    return this.#passkeys.authenticationOptions('sign-in', NOBODY, party);
  }

  /** Admits the account of a passkey that has verified its user, and so is both factors. */
  async signInWithPasskey(
    { party, response }: PasskeyAnswer,
    address: string,
  ): Promise<AdmittedAccount> {
    await this.#attempts.count('signInAddress', address);
    const id = await this.#passkeys.authenticate('sign-in', party, response);
    const row = await findAccountById(this.#store.accounts.db, id);
    if (!row) throw ended();
    requireEnabled(row);
    await this.#attempts.uncount('signInAddress', address);
    await this.#attempts.uncount('passkeyAddress', address);
    return verifiedAccount(row, await this.#plans.read()) as AdmittedAccount;
  }

  /** Admits the account of a session again after a change of its password. */
  renew({ accountId }: Session, account: VerifiedAccount): AdmittedAccount {
    if (account.id !== accountId) throw ended();
    return account as AdmittedAccount;
  }

  /**
   * Proves with the password that the owner of a session is still there. An account with a second
   * factor also needs a code, because somebody at an open browser may know the password. Returns
   * the new token of the session.
   */
  async reauthenticate(session: Session, proof: Proof): Promise<string> {
    const factors = await this.factorsOf(session.accountId);
    if (factors.length > 0 && proof.code === '') {
      throw new AccountError('REFUSED', 'Also enter a code of your second factor.');
    }
    await this.#selfService.requireOwner(session, proof);
    const account = { id: session.accountId, email: session.email };
    if (factors.length > 0) await this.#codes.use(account, proof);
    return this.#renewSession(session);
  }

  /** Returns what a browser needs to prove with a passkey that the owner is still there. */
  ownerOptions(
    session: Session,
    party: RelyingParty,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.#passkeys.authenticationOptions('reauthentication', session, party);
  }

  /** Like {@link reauthenticate}, with a passkey that has verified its user. */
  async reauthenticateWithPasskey(
    session: Session,
    { party, response }: PasskeyAnswer,
  ): Promise<string> {
    const id = await this.#passkeys.authenticate('reauthentication', party, response);
    if (id !== session.accountId) throw ended();
    return this.#renewSession(session);
  }

  async #renewSession(session: Session): Promise<string> {
    const token = await this.#sessions.renew(session);
    if (token === undefined) throw ended();
    return token;
  }

  /** Returns the account of a pending sign-in, if its credentials have not changed since. */
  async #pending(token: string): Promise<AccountRecord> {
    const holder = await this.#challenges.find('pending-sign-in', token);
    if (!holder || holder.accountId === null) throw ended();
    const row = await findAccountById(this.#store.accounts.db, holder.accountId);
    if (row?.credentialVersion !== holder.credentialVersion) throw ended();
    requireEnabled(row);
    return row;
  }

  /** Ends a pending sign-in. If several requests finish it at once, only one succeeds. */
  async #finish(token: string, row: AccountRecord): Promise<AdmittedAccount> {
    if (!(await this.#challenges.take('pending-sign-in', token))) throw ended();
    return verifiedAccount(row, await this.#plans.read()) as AdmittedAccount;
  }
}

function holderOf({ id, credentialVersion }: AccountRecord): ChallengeHolder {
  return { accountId: id, credentialVersion };
}

/** UNAUTHORIZED, because the browser has to start with the password again. */
function ended(): AccountError {
  return new AccountError('UNAUTHORIZED', 'This sign-in took too long, or has ended. Start again.');
}
