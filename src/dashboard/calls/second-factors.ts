import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type RelyingParty, relyingPartyOf } from '../../accounts/sign-in/passkeys.ts';
import type { Passkey } from '../../accounts/sign-in/second-factors.ts';
import type { Session } from '../../accounts/sign-in/sessions.ts';
import { formatMoment } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import { originOf } from '../../http/guard.ts';
import { IdParameter } from '../../http/parameters.ts';
import { Data, moment } from '../../operator/schemas.ts';
import { notifyOwner } from '../mail.ts';
import { type AnyRoute, defineRoute, type Exchange, type Services } from '../route.ts';
import { FactorsView, NewTotpView, RecoveryCodesView } from '../views.ts';

/** Longer than any code, whose form is checked later. */
const Code = Type.String({ title: 'The code', minLength: 1, maxLength: 100 });

/** Base64url, the form in which browsers send bytes. */
const Bytes = (maxLength: number) => Type.String({ pattern: '^[\\w-]*$', maxLength });

/** WebAuthn's limit: 1023 bytes. */
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

const NewPasskeyBody = Type.Object({
  name: Type.String({ title: 'The name', minLength: 1, maxLength: 100 }),
  response: Type.Unsafe<RegistrationResponseJSON>(Attestation),
});

/** The options with which a browser uses a passkey. */
export const RequestOptionsView = Type.Unsafe<PublicKeyCredentialRequestOptionsJSON>({
  type: 'object',
  additionalProperties: true,
});

/** The options with which a browser makes a passkey. */
const CreationOptionsView = Type.Unsafe<PublicKeyCredentialCreationOptionsJSON>({
  type: 'object',
  additionalProperties: true,
});

const SETUP = { access: 'account', isDangerous: true, isForNewOperators: true } as const;

/** The second factors of the user's own account. */
export const SECOND_FACTOR_ROUTES: readonly AnyRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/second-factors',
    access: 'account',
    audit: null,
    isForNewOperators: true,
    schema: { response: { 200: Data(FactorsView) } },
    async handle({ secondFactors }, { session }) {
      const { totpSince, passkeys, recoveryCodes } = await secondFactors.list(session.accountId);
      return {
        data: {
          totpSince: moment(totpSince),
          passkeys: passkeys.map(passkeyView),
          recoveryCodes,
          isRequired: secondFactors.isRequired(session),
        },
      };
    },
  }),

  /** The app becomes a second factor once the user has sent one of its codes. */
  defineRoute({
    method: 'POST',
    path: '/second-factors/totp',
    creates: true,
    ...SETUP,
    audit: { none: 'it only begins, and changes nothing yet' },
    schema: { response: { 201: Data(NewTotpView) } },
    status: 201,
    async handle({ secondFactors }, { session }) {
      return { data: await secondFactors.beginTotp(session) };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/second-factors/totp/confirm',
    creates: true,
    ...SETUP,
    audit: { action: 'second-factor-changed', detail: () => 'an authenticator app was added' },
    schema: { body: CodeBody, response: { 200: Data(RecoveryCodesView) } },
    async handle(services, { body: { code }, session, ...call }) {
      const recoveryCodes = await services.secondFactors.confirmTotp(session, code);
      tell(services, call, session, 'second-factor-added');
      return { data: { recoveryCodes } };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/second-factors/totp/remove',
    ...SETUP,
    audit: { action: 'second-factor-changed', detail: () => 'the authenticator app was removed' },
    schema: {},
    status: 204,
    async handle(services, { session, ...call }) {
      await services.secondFactors.removeTotp(session);
      tell(services, call, session, 'second-factor-removed');
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/second-factors/passkey-options',
    ...SETUP,
    audit: { none: 'it only begins, and changes nothing yet' },
    schema: { response: { 200: Data(CreationOptionsView) } },
    async handle(services, { request, session }) {
      const party = requirePartyOf(services, request);
      return { data: await services.secondFactors.passkeyOptions(session, party) };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/second-factors/passkeys',
    creates: true,
    ...SETUP,
    audit: { action: 'second-factor-changed', detail: () => 'a passkey was added' },
    schema: { body: NewPasskeyBody, response: { 201: Data(RecoveryCodesView) } },
    status: 201,
    async prepare(services, { body, session, request }) {
      const party = requirePartyOf(services, request);
      return services.secondFactors.verifyPasskey(session, party, body);
    },
    async handle(services, { session, ...call }, verified) {
      const recoveryCodes = await services.secondFactors.addPasskey(session, verified);
      tell(services, call, session, 'second-factor-added');
      return { data: { recoveryCodes } };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/second-factors/passkeys/:id/remove',
    ...SETUP,
    audit: { action: 'second-factor-changed', detail: () => 'a passkey was removed' },
    schema: { params: IdParameter },
    status: 204,
    async handle(services, { params: { id }, session, ...call }) {
      await services.secondFactors.removePasskey(session, id);
      tell(services, call, session, 'second-factor-removed');
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/second-factors/recovery-codes',
    creates: true,
    ...SETUP,
    audit: { action: 'second-factor-changed', detail: () => 'new recovery codes were made' },
    schema: { response: { 201: Data(RecoveryCodesView) } },
    status: 201,
    async handle(services, { session, ...call }) {
      const recoveryCodes = await services.secondFactors.replaceRecoveryCodes(session);
      tell(services, call, session, 'second-factor-added');
      return { data: { recoveryCodes } };
    },
  }),
];

function passkeyView({ id, name, createdAt, lastUsedAt }: Passkey) {
  return { id, name, createdAt: formatMoment(createdAt), lastUsedAt: moment(lastUsedAt) };
}

/** Logs a change and notifies the owner by mail. */
function tell(
  services: Services,
  call: Exchange,
  { accountId, email }: Session,
  kind: 'second-factor-added' | 'second-factor-removed',
): void {
  const { id, log } = call.request;
  log.info({ reqId: id, account: accountId }, kind.replaceAll('-', ' '));
  notifyOwner(services, call, email, kind);
}

/** The relying party for the passkeys of a request; undefined where passkeys are not supported. */
export function partyOf(
  { publicUrl }: Pick<Services, 'publicUrl'>,
  request: FastifyRequest,
): RelyingParty | undefined {
  return relyingPartyOf(publicUrl, originOf(request));
}

/**
 * The relying party for the passkeys of a request.
 * @throws AccountError REFUSED where there are none.
 */
export function requirePartyOf(
  services: Pick<Services, 'publicUrl'>,
  request: FastifyRequest,
): RelyingParty {
  const party = partyOf(services, request);
  if (party) return party;
  throw new AccountError('REFUSED', 'Passkeys need https. This service is not set up for them.');
}
