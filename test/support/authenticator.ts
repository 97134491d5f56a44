import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** Faults that a test can introduce. */
interface Faults {
  /** The origin of the page, as reported by the browser. */
  readonly origin?: string;
  /** Whether the authenticator verified the user with a PIN or a fingerprint. */
  readonly isUserVerified?: boolean;
  /** The challenge to sign in place of the one in the options. */
  readonly challenge?: string;
  /** The attestation; by default there is none. */
  readonly attestation?: readonly [format: string, statement: Map<string, unknown>];
}

/** A simulated browser with an authenticator that has one passkey. */
export class SoftAuthenticator {
  readonly id = randomBytes(16);
  /** The number of its signatures. */
  counter = 0;
  readonly #origin: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;

  constructor(origin: string) {
    this.#origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
  }

  /** Creates the passkey. */
  create(
    { challenge, rp }: PublicKeyCredentialCreationOptionsJSON,
    faults: Faults = {},
  ): RegistrationResponseJSON {
    const [format, statement] = faults.attestation ?? ['none', new Map()];
    const attestation = new Map<string, unknown>([
      ['fmt', format],
      ['attStmt', statement],
      ['authData', this.#authenticatorData(rp.id ?? '', faults, this.#credentialData())],
    ]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, faults).toString(
          'base64url',
        ),
        attestationObject: base64url(isoCBOR.encode(attestation as never)),
        transports: ['internal'],
      },
    };
  }

  /** Signs with the passkey. */
  get(
    { challenge, rpId }: PublicKeyCredentialRequestOptionsJSON,
    faults: Faults = {},
  ): AuthenticationResponseJSON {
    this.counter += 1;
    const clientData = this.#clientData('webauthn.get', challenge, faults);
    const data = this.#authenticatorData(rpId ?? '', faults);
    const signed = Buffer.concat([data, sha256(clientData)]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, this.#privateKey).toString('base64url'),
      },
    };
  }

  #credential() {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string, faults: Faults): Buffer {
    const { origin = this.#origin } = faults;
    const data = { type, challenge: faults.challenge ?? challenge, origin, crossOrigin: false };
    return Buffer.from(JSON.stringify(data));
  }

  #authenticatorData(
    rpId: string,
    { isUserVerified = true }: Faults,
    credential?: Buffer,
  ): Buffer<ArrayBuffer> {
    const flags = 0x01 | (isUserVerified ? 0x04 : 0) | (credential ? 0x40 : 0);
    const head = Buffer.alloc(5);
    head.writeUInt8(flags, 0);
    head.writeUInt32BE(this.counter, 1);
    return Buffer.concat([sha256(rpId), head, credential ?? Buffer.alloc(0)]);
  }

  /** Returns the authenticator's model (none), the credential id and the public key as COSE. */
  #credentialData(): Buffer {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    return Buffer.concat([Buffer.alloc(16), length, this.id, isoCBOR.encode(key as never)]);
  }
}

function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
