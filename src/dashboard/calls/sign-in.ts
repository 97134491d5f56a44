import { Type } from 'typebox';
import { Data, Email } from '../../operator/schemas.ts';
import { sentDevice, sentPendingToken } from '../cookies.ts';
import { notifyOwner } from '../mail.ts';
import { type AnyRoute, defineRoute } from '../route.ts';
import { Me, PendingView } from '../views.ts';
import { AssertionBody, CodeBody, RequestOptionsView, requirePartyOf } from './second-factors.ts';
import { admit, openSession } from './session.ts';

/** Far longer than any password. The length is checked after normalisation. */
export const Password = Type.String({ title: 'The password', minLength: 1, maxLength: 1024 });

const SignInBody = Type.Object({ email: Email, password: Password });

/** Signing in: with a password and, if needed, a second factor, or with only a passkey. */
export const SIGN_IN_ROUTES: readonly AnyRoute[] = [
  defineRoute({
    method: 'POST',
    path: '/sign-in',
    access: 'anyone',
    audit: {
      // Until the second factor is verified, nobody is signed in.
      action: ({ answer }) => (answer && 'email' in answer.data ? 'signed-in' : null),
      refusal: 'sign-in-failed',
      subject: ({ body }) => accountOf(body.email),
      detail: () => 'with a password',
    },
    schema: { body: SignInBody, response: { 200: Data(Me), 202: Data(PendingView) } },
    async handle(services, { body, ...call }) {
      const caller = { address: call.request.ip, device: sentDevice(call.request) };
      return admit(services, call, await services.selfService.signIn({ ...body, ...caller }));
    },
  }),

  defineRoute({
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
      if (kind === 'recovery-code')
        notifyOwner(services, call, account.email, 'recovery-code-used');
      return openSession(services, call, account);
    },
  }),

  /** The challenge that a passkey of the account signs as the second factor. */
  defineRoute({
    method: 'POST',
    path: '/sign-in/second-factor/passkey-options',
    access: 'anyone',
    audit: { none: 'it only asks for a passkey' },
    schema: { response: { 200: Data(RequestOptionsView) } },
    async handle(services, { request }) {
      const party = requirePartyOf(services, request);
      return { data: await services.signInSteps.passkeyOptions(sentPendingToken(request), party) };
    },
  }),

  defineRoute({
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
      return openSession(
        services,
        call,
        await services.signInSteps.finishWithPasskey(token, answer),
      );
    },
  }),

  /** The challenge that any passkey of this service signs, for a sign-in without a password. */
  defineRoute({
    method: 'POST',
    path: '/sign-in/passkey-options',
    access: 'anyone',
    audit: { none: 'it only asks for a passkey' },
    schema: { response: { 200: Data(RequestOptionsView) } },
    async handle(services, { request }) {
      const party = requirePartyOf(services, request);
      return { data: await services.signInSteps.soleOptions(party, request.ip) };
    },
  }),

  defineRoute({
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
  }),
];

/**
 * The account that an attempt names by its address. The log stores no address without an account.
 */
export function accountOf(email: string): string {
  return email.includes('@') ? email : 'unknown account';
}
