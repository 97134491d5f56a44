import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Millis } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import type { Store } from '../../store/connect.ts';
import { CHALLENGE_MS, type ChallengePurpose, type Challenges } from './challenges.ts';
import * as sql from './factor-sql.ts';
import type { Session } from './sessions.ts';

/** EdDSA, ES256 and RS256, which every version of Node verifies. */
const ALGORITHMS = [-8, -7, -257];

/** The service as passkeys know it: browsers offer a passkey only to its host and origin. */
export interface RelyingParty {
  /** The host name, without a port. */
  readonly id: string;
  readonly origin: string;
}

/**
 * Returns the relying party of a service: the address at which people open it. Without that setting
 * it is the origin of the request, but only on this machine, because a client can send any host.
 * Returns undefined where browsers do not support passkeys: they need a host name, and https or
 * localhost.
 */
export function relyingPartyOf(publicUrl: string, requestOrigin: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl || requestOrigin);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (publicUrl === '' && !isLocal) return undefined;
  if (protocol !== 'https:' && !isLocal) return undefined;
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return undefined;
  return { id: hostname, origin };
}

/** The purpose of a passkey. */
export type PasskeyPurpose = Exclude<ChallengePurpose, 'pending-sign-in' | 'registration'>;

/**
 * The ceremonies of WebAuthn. A challenge can be answered once. The service knows only the public
 * key of a passkey. Refusals are AccountErrors.
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

  /** Returns what a browser needs to make a passkey for the account of a session. */
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

  /** Verifies and returns the passkey that a browser has made for the account of a session. */
  async register(
    { accountId }: Session,
    party: RelyingParty,
    response: RegistrationResponseJSON,
  ): Promise<sql.Credential> {
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
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: transports.filter((transport) => /^[a-z-]{1,20}$/.test(transport)),
    };
  }

  /**
   * Returns what a browser needs to use a passkey of the holder's account, or any passkey if the
   * holder has no account.
   */
  async authenticationOptions(
    purpose: PasskeyPurpose,
    holder: sql.ChallengeHolder,
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
   * Returns the account whose passkey has signed a challenge of this purpose. If the passkey is the
   * only proof, it must have verified its user, by a PIN or a fingerprint.
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
    if (!passkey || ![null, passkey.accountId].includes(holder.accountId)) throw notAccepted();
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
    return passkey.accountId;
  }

  /** Uses up the challenge that a passkey has signed. */
  async #take(
    purpose: ChallengePurpose,
    { response }: { readonly response: { readonly clientDataJSON: string } },
  ): Promise<{ token: string; holder: sql.ChallengeHolder }> {
    const token = await challengeOf(response.clientDataJSON);
    const holder = await this.#challenges.take(purpose, token);
    if (!holder) throw notAccepted();
    return { token, holder };
  }

  async #credentialsOf(accountId: number): Promise<{ id: string; transports: string[] }[]> {
    const passkeys = await sql.listPasskeys(this.#store.accounts.db, accountId);
    return passkeys.map(({ credentialId, transports }) => {
      return { id: credentialId, transports: [...transports] };
    });
  }
}

/** Returns whether a passkey is the only proof. */
function isSole(purpose: PasskeyPurpose): boolean {
  return purpose !== 'second-factor';
}

function credentialOf({ credentialId, publicKey, counter, transports }: sql.PasskeyRecord) {
  return {
    id: credentialId,
    publicKey: bytesOf(publicKey),
    counter,
    transports: [...transports],
  };
}

/**
 * Refuses attestations with certificates: the library would fetch revocation lists from the
 * addresses in them. The service asks for no attestation.
 */
async function requireNoCertificates({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const attestation = decodeAttestationObject(bytesOf(response.attestationObject));
    const isPlain = ['none', 'packed'].includes(attestation.get('fmt'));
    if (isPlain && attestation.get('attStmt').get('x5c') === undefined) return;
  } catch {
    // It cannot be decoded, so it is not an attestation.
  }
  throw notAccepted();
}

/** Returns the challenge that the browser says it was given; `''` for none. */
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

/** The library throws plain errors for every wrong answer. */
function refuse(): never {
  throw notAccepted();
}

function notAccepted(): AccountError {
  return new AccountError(
    'REFUSED',
    'This passkey was not accepted: it is not known here, or it took too long. Try again.',
  );
}
