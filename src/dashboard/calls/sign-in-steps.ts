import { sentDevice } from '../device-cookie.ts';
import { AssertionBody, CodeBody, RequestOptionsView } from '../factor-schemas.ts';
import { notifyOwner } from '../notices.ts';
import { sentPendingToken } from '../pending-cookie.ts';
import { requirePartyOf } from '../relying-party.ts';
import { defineRoute } from '../route.ts';
import { Data, Me } from '../schemas.ts';
import { openSession } from './open-session.ts';

/** The calls that finish a sign-in with a second factor, or sign in with a passkey alone. */

export const finishWithCode = defineRoute({
  method: 'POST',
  path: '/sign-in/second-factor',
  access: 'anyone',
  audit: {
    action: 'signed-in',
    refusal: 'sign-in-failed',
    subject: ({ proved }) => proved ?? 'unknown account',
    detail: () => 'with a password and a code',
  },
  schema: { body: CodeBody, response: { 200: Data(Me) } },
  async handle(services, { body: { code }, ...call }) {
    const token = sentPendingToken(call.request);
    const sent = { code, device: sentDevice(call.request) };
    const { account, kind } = await services.signInSteps.finishWithCode(token, sent);
    if (kind === 'recovery-code') notifyOwner(services, call, account.email, 'recovery-code-used');
    return openSession(services, call, account);
  },
});

/** What a passkey of the account is to sign as the second factor. */
export const factorOptions = defineRoute({
  method: 'POST',
  path: '/sign-in/second-factor/passkey-options',
  access: 'anyone',
  audit: { none: 'it only asks for a passkey' },
  schema: { response: { 200: Data(RequestOptionsView) } },
  async handle(services, { request }) {
    const party = requirePartyOf(services, request);
    return { data: await services.signInSteps.passkeyOptions(sentPendingToken(request), party) };
  },
});

export const finishWithPasskey = defineRoute({
  method: 'POST',
  path: '/sign-in/second-factor/passkey',
  access: 'anyone',
  audit: {
    action: 'signed-in',
    refusal: 'sign-in-failed',
    subject: ({ proved }) => proved ?? 'unknown account',
    detail: () => 'with a password and a passkey',
  },
  schema: { body: AssertionBody, response: { 200: Data(Me) } },
  async handle(services, { body: { response }, ...call }) {
    const answer = { party: requirePartyOf(services, call.request), response };
    const token = sentPendingToken(call.request);
    return openSession(services, call, await services.signInSteps.finishWithPasskey(token, answer));
  },
});

/** What any passkey of this service is to sign to sign in without a password. */
export const passkeyOptions = defineRoute({
  method: 'POST',
  path: '/sign-in/passkey-options',
  access: 'anyone',
  audit: { none: 'it only asks for a passkey' },
  schema: { response: { 200: Data(RequestOptionsView) } },
  async handle(services, { request }) {
    const party = requirePartyOf(services, request);
    return { data: await services.signInSteps.soleOptions(party, request.ip) };
  },
});

export const withPasskey = defineRoute({
  method: 'POST',
  path: '/sign-in/passkey',
  access: 'anyone',
  audit: {
    action: 'signed-in',
    refusal: 'sign-in-failed',
    subject: ({ proved }) => proved ?? 'unknown account',
    detail: () => 'with a passkey',
  },
  schema: { body: AssertionBody, response: { 200: Data(Me) } },
  async handle(services, { body: { response }, ...call }) {
    const { signInSteps } = services;
    const answer = { party: requirePartyOf(services, call.request), response };
    const account = await signInSteps.signInWithPasskey(answer, call.request.ip);
    return openSession(services, call, account);
  },
});
