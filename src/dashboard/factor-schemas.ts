import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { Type } from 'typebox';
import type { FactorKind } from '../accounts/sign-in/sign-in-steps.ts';

/** The schemas of the calls about second factors. Moments are ISO 8601 in UTC. */

/** Longer than any code, whose form is checked later. */
const Code = Type.String({ title: 'The code', minLength: 1, maxLength: 100 });

/** Base64url, as browsers send bytes. */
const Bytes = (maxLength: number) => Type.String({ pattern: '^[\\w-]*$', maxLength });

/** What WebAuthn allows: 1023 bytes. */
const CredentialId = Type.String({ pattern: '^[\\w-]+$', maxLength: 1364 });

const Credential = {
  id: CredentialId,
  rawId: CredentialId,
  type: Type.String({ maxLength: 20 }),
};

const Assertion = Type.Object(
  {
    ...Credential,
    response: Type.Object({
      clientDataJSON: Bytes(8192),
      authenticatorData: Bytes(8192),
      signature: Bytes(8192),
    }),
  },
  { title: 'The passkey' },
);

const Attestation = Type.Object(
  {
    ...Credential,
    response: Type.Object({
      clientDataJSON: Bytes(8192),
      attestationObject: Bytes(16_384),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 })),
    }),
  },
  { title: 'The passkey' },
);

export const CodeBody = Type.Object({ code: Code });

export const AssertionBody = Type.Object({
  response: Type.Unsafe<AuthenticationResponseJSON>(Assertion),
});

export const NewPasskeyBody = Type.Object({
  name: Type.String({ title: 'The name', minLength: 1, maxLength: 100 }),
  response: Type.Unsafe<RegistrationResponseJSON>(Attestation),
});

/** The code is for accounts with a second factor. */
export const ProofBody = Type.Object({
  password: Type.String({ title: 'The password', minLength: 1, maxLength: 1024 }),
  code: Type.Optional(Type.String({ title: 'The code', maxLength: 100 })),
});

/** A sign-in that waits for one of these second factors. */
export const PendingView = Type.Object({
  factors: Type.Array(Type.Unsafe<FactorKind>({ type: 'string' })),
});

/** What a browser is to ask a passkey. */
export const RequestOptionsView = Type.Unsafe<PublicKeyCredentialRequestOptionsJSON>({
  type: 'object',
  additionalProperties: true,
});

/** What a browser is to make a passkey from. */
export const CreationOptionsView = Type.Unsafe<PublicKeyCredentialCreationOptionsJSON>({
  type: 'object',
  additionalProperties: true,
});

const OptionalMoment = Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const PasskeyView = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  createdAt: Type.String(),
  /** Null for never. */
  lastUsedAt: OptionalMoment,
});

export const FactorsView = Type.Object({
  /** Since when there is an authenticator app; null for none. */
  totpSince: OptionalMoment,
  passkeys: Type.Array(PasskeyView),
  /** How many recovery codes still work. */
  recoveryCodes: Type.Integer(),
  /** Whether the last one cannot be removed. */
  isRequired: Type.Boolean(),
});

/** An authenticator app that its owner has yet to set up. */
export const NewTotpView = Type.Object({ secret: Type.String(), uri: Type.String() });

/** New recovery codes, which nothing shows again; empty when earlier ones go on working. */
export const RecoveryCodesView = Type.Object({ recoveryCodes: Type.Array(Type.String()) });
