import { setToken } from '../cookie.ts';
import { sentDevice } from '../device-cookie.ts';
import { AssertionBody, ProofBody, RequestOptionsView } from '../factor-schemas.ts';
import { requirePartyOf } from '../relying-party.ts';
import { defineRoute } from '../route.ts';
import { Data } from '../schemas.ts';

/** The calls by which an owner proves to be still there, before something dangerous. */

export const withPassword = defineRoute({
  method: 'POST',
  path: '/reauthenticate',
  access: 'account',
  isForNewOperators: true,
  audit: { action: () => null, refusal: 'sign-in-failed' },
  schema: { body: ProofBody },
  status: 204,
  async handle({ signInSteps }, { body: { password, code = '' }, request, reply, session }) {
    const caller = { address: request.ip, device: sentDevice(request) };
    setToken(reply, await signInSteps.reauthenticate(session, { password, code, ...caller }));
  },
});

export const passkeyOptions = defineRoute({
  method: 'POST',
  path: '/reauthenticate/passkey-options',
  access: 'account',
  isForNewOperators: true,
  audit: { none: 'it only asks for a passkey' },
  schema: { response: { 200: Data(RequestOptionsView) } },
  async handle(services, { request, session }) {
    const party = requirePartyOf(services, request);
    return { data: await services.signInSteps.ownerOptions(session, party) };
  },
});

export const withPasskey = defineRoute({
  method: 'POST',
  path: '/reauthenticate/passkey',
  access: 'account',
  isForNewOperators: true,
  audit: { action: () => null, refusal: 'sign-in-failed' },
  schema: { body: AssertionBody },
  status: 204,
  async handle(services, { body: { response }, request, reply, session }) {
    const answer = { party: requirePartyOf(services, request), response };
    setToken(reply, await services.signInSteps.reauthenticateWithPasskey(session, answer));
  },
});
