import type { Passkey } from '../../accounts/sign-in/second-factors.ts';
import type { Session } from '../../accounts/sign-in/sessions.ts';
import { formatMoment } from '../../domain/day.ts';
import { IdParameter } from '../../http/parameters.ts';
import {
  CodeBody,
  CreationOptionsView,
  FactorsView,
  NewPasskeyBody,
  NewTotpView,
  RecoveryCodesView,
} from '../factor-schemas.ts';
import { notifyOwner } from '../notices.ts';
import { requirePartyOf } from '../relying-party.ts';
import { type Call, defineRoute } from '../route.ts';
import { Data } from '../schemas.ts';
import type { Services } from '../services.ts';
import { moment } from './views.ts';

/** The calls with which people manage their second factors. */

const SETUP = { access: 'account', isDangerous: true, isForNewOperators: true } as const;

export const list = defineRoute({
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
});

function passkeyView({ id, name, createdAt, lastUsedAt }: Passkey) {
  return { id, name, createdAt: formatMoment(createdAt), lastUsedAt: moment(lastUsedAt) };
}

/** The app is no second factor before a code of it has been sent. */
export const beginTotp = defineRoute({
  method: 'POST',
  path: '/second-factors/totp',
  ...SETUP,
  audit: { none: 'it only begins, and changes nothing yet' },
  schema: { response: { 201: Data(NewTotpView) } },
  status: 201,
  async handle({ secondFactors }, { session }) {
    return { data: await secondFactors.beginTotp(session) };
  },
});

export const confirmTotp = defineRoute({
  method: 'POST',
  path: '/second-factors/totp/confirm',
  ...SETUP,
  audit: { action: 'second-factor-changed', detail: () => 'an authenticator app was added' },
  schema: { body: CodeBody, response: { 200: Data(RecoveryCodesView) } },
  async handle(services, { body: { code }, session, ...call }) {
    const recoveryCodes = await services.secondFactors.confirmTotp(session, code);
    tell(services, call, session, 'second-factor-added');
    return { data: { recoveryCodes } };
  },
});

export const removeTotp = defineRoute({
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
});

export const passkeyOptions = defineRoute({
  method: 'POST',
  path: '/second-factors/passkey-options',
  ...SETUP,
  audit: { none: 'it only begins, and changes nothing yet' },
  schema: { response: { 200: Data(CreationOptionsView) } },
  async handle(services, { request, session }) {
    const party = requirePartyOf(services, request);
    return { data: await services.secondFactors.passkeyOptions(session, party) };
  },
});

export const addPasskey = defineRoute({
  method: 'POST',
  path: '/second-factors/passkeys',
  ...SETUP,
  audit: { action: 'second-factor-changed', detail: () => 'a passkey was added' },
  schema: { body: NewPasskeyBody, response: { 201: Data(RecoveryCodesView) } },
  status: 201,
  async handle(services, { body, session, ...call }) {
    const party = requirePartyOf(services, call.request);
    const recoveryCodes = await services.secondFactors.addPasskey(session, party, body);
    tell(services, call, session, 'second-factor-added');
    return { data: { recoveryCodes } };
  },
});

export const removePasskey = defineRoute({
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
});

export const replaceCodes = defineRoute({
  method: 'POST',
  path: '/second-factors/recovery-codes',
  ...SETUP,
  audit: { action: 'second-factor-changed', detail: () => 'new recovery codes were made' },
  schema: { response: { 201: Data(RecoveryCodesView) } },
  status: 201,
  async handle(services, { session, ...call }) {
    const recoveryCodes = await services.secondFactors.replaceRecoveryCodes(session);
    tell(services, call, session, 'second-factor-added');
    return { data: { recoveryCodes } };
  },
});

/** Logs a change and tells the owner of it by mail. */
function tell(
  services: Services,
  call: Pick<Call, 'request' | 'reply'>,
  { accountId, email }: Session,
  kind: 'second-factor-added' | 'second-factor-removed',
): void {
  const { id, log } = call.request;
  log.info({ reqId: id, account: accountId }, kind.replaceAll('-', ' '));
  notifyOwner(services, call, email, kind);
}
