import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Millis } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import type { PasskeyRow } from '../../store/accounts/schema.ts';
import type { Store } from '../../store/connect.ts';
import {
  CHALLENGE_MS,
  type ChallengeHolder,
  type ChallengePurpose,
  type Challenges,
} from './challenges.ts';
import * as sql from './factor-sql.ts';
import type { RelyingParty } from './relying-party.ts';
import type { Session } from './sessions.ts';

/** EdDSA, ES256 and RS256, which every version of Node verifies. */
const ALGORITHMS = [-8, -7, -257];

/** A passkey that a browser has just made, ready to be stored. */
export type NewPasskey = Pick<
  PasskeyRow,
  'credential_id' | 'public_key' | 'counter' | 'transports'
>;

/** What a passkey may be used for. */
export type PasskeyPurpose = Exclude<ChallengePurpose, 'pending-sign-in' | 'registration'>;

/**
 * The ceremonies of WebAuthn. A challenge can be answered once, and the public key of a passkey is
 * all that the service knows of it. Refusals are AccountErrors.
 */
export class Passkeys {
  readonly #store: Store;
  readonly #clock: () => Millis;
  readonly #challenges: Challenges;

  constructor(store: Store, clock: () => Millis, challenges: Challenges) {
    this.#store = store;
    this.#clock = clock;
    this.#challenges = challenges;
  }

  /** What a browser needs to make a passkey for the account of a session. */
  async registrationOptions(
    { accountId, email, credentialVersion }: Session,
    party: RelyingParty,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { generateRegistrationOptions } = await import('@simplewebauthn/server');
    const holder = { accountId, credentialVersion };
    return generateRegistrationOptions({
      rpName: 'Cardprice',
      rpID: party.id,
      userID: new TextEncoder().encode(`account ${accountId}`),
      userName: email,
      challenge: bytesOf(await this.#challenges.begin('registration', holder)),
      timeout: CHALLENGE_MS,
      excludeCredentials: await this.#credentialsOf(accountId),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      supportedAlgorithmIDs: ALGORITHMS,
    });
  }

  /** The passkey that a browser has made for the account of a session. */
  async register(
    { accountId }: Session,
    party: RelyingParty,
    response: RegistrationResponseJSON,
  ): Promise<NewPasskey> {
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    await requireNoCertificates(response);
    const { token, holder } = await this.#take('registration', response);
    if (holder.accountId !== accountId) throw notAccepted();
    const verification = await verifyRegistrationResponse({
      response,
      expectedChallenge: token,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch(refuse);
    if (!verification.verified) throw notAccepted();
    const { id, publicKey, counter, transports = [] } = verification.registrationInfo.credential;
    return {
      credential_id: id,
      public_key: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: transports.filter((transport) => /^[a-z-]{1,20}$/.test(transport)).join(','),
    };
  }

  /** What a browser needs to use a passkey: one of the holder's account, or any where it is null. */
  async authenticationOptions(
    purpose: PasskeyPurpose,
    holder: ChallengeHolder,
    party: RelyingParty,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
    const { accountId } = holder;
    return generateAuthenticationOptions({
      rpID: party.id,
      challenge: bytesOf(await this.#challenges.begin(purpose, holder)),
      timeout: CHALLENGE_MS,
      userVerification: isSole(purpose) ? 'required' : 'preferred',
      allowCredentials: accountId === null ? [] : await this.#credentialsOf(accountId),
    });
  }

  /**
   * The account whose passkey has signed a challenge of this purpose. A passkey that is all that is
   * asked for must have verified its user, by a PIN or a fingerprint.
   */
  async authenticate(
    purpose: PasskeyPurpose,
    party: RelyingParty,
    response: AuthenticationResponseJSON,
  ): Promise<number> {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const { db } = this.#store.accounts;
    const passkey = await sql.findPasskey(db, response.id);
    const { token, holder } = await this.#take(purpose, response);
    if (!passkey || ![null, passkey.account_id].includes(holder.accountId)) throw notAccepted();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: token,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: credentialOf(passkey),
      requireUserVerification: isSole(purpose),
    }).catch(refuse);
    const use = { counter: authenticationInfo.newCounter, now: this.#clock() };
    if (!verified || !(await sql.usePasskey(db, passkey.id, use))) throw notAccepted();
    return passkey.account_id;
  }

  /** Uses up the challenge that a passkey has signed. */
  async #take(
    purpose: ChallengePurpose,
    { response }: { readonly response: { readonly clientDataJSON: string } },
  ): Promise<{ token: string; holder: ChallengeHolder }> {
    const token = await challengeOf(response.clientDataJSON);
    const holder = await this.#challenges.take(purpose, token);
    if (!holder) throw notAccepted();
    return { token, holder };
  }

  async #credentialsOf(accountId: number): Promise<{ id: string; transports: string[] }[]> {
    const passkeys = await sql.listPasskeys(this.#store.accounts.db, accountId);
    return passkeys.map((passkey) => ({
      id: passkey.credential_id,
      transports: transportsOf(passkey),
    }));
  }
}

/** Whether a passkey is the only proof that is asked for. */
function isSole(purpose: PasskeyPurpose): boolean {
  return purpose !== 'second-factor';
}

function credentialOf(passkey: PasskeyRow) {
  return {
    id: passkey.credential_id,
    publicKey: bytesOf(passkey.public_key),
    counter: passkey.counter,
    transports: transportsOf(passkey),
  };
}

function transportsOf({ transports }: PasskeyRow): string[] {
  return transports === '' ? [] : transports.split(',');
}

/**
 * Refuses attestations with certificates, which nobody asked for: to verify them, the library would
 * fetch revocation lists from wherever the certificates say.
 */
async function requireNoCertificates({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const attestation = decodeAttestationObject(bytesOf(response.attestationObject));
    const isPlain = ['none', 'packed'].includes(attestation.get('fmt'));
    if (isPlain && attestation.get('attStmt').get('x5c') === undefined) return;
  } catch {
    // What cannot be decoded is no attestation.
  }
  throw notAccepted();
}

/** The challenge that the browser says it was given; `''` when it says nothing readable. */
async function challengeOf(clientDataJSON: string): Promise<string> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers');
  try {
    return String(decodeClientDataJSON(clientDataJSON).challenge);
  } catch {
    return '';
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'base64url'));
}

/** The library throws plain errors for everything that is wrong with an answer. */
function refuse(): never {
  throw notAccepted();
}

function notAccepted(): AccountError {
  return new AccountError(
    'REFUSED',
    'This passkey was not accepted: it is not known here, or it took too long. Try again.',
  );
}
