import { type ResetPreview, resetLink } from '../../accounts/sign-in/self-service.ts';
import type { SignUp } from '../../accounts/sign-in/sign-ups.ts';
import { parseEmail } from '../../domain/email.ts';
import { ApiError } from '../../domain/errors.ts';
import { PendingView } from '../factor-schemas.ts';
import { notifyOwner } from '../notices.ts';
import { PAGES } from '../pages.ts';
import { defineRoute } from '../route.ts';
import {
  Data,
  EmailBody,
  EmptyView,
  Me,
  ResetBody,
  ResetPreviewView,
  SignUpBody,
  TokenBody,
} from '../schemas.ts';
import type { Services } from '../services.ts';
import { accountOf } from './audited-account.ts';
import { admit } from './open-session.ts';

/**
 * The calls for signing up and for setting a password by a link. None of them tells whether an
 * account exists: what takes longer for one that does begins when the answer is sent.
 */

/** Answers the same whether or not the address is taken. */
export const signUp = defineRoute({
  method: 'POST',
  path: '/sign-up',
  access: 'anyone',
  // Not that an account was made: nobody may learn here whether there was one.
  audit: { action: 'sign-up-asked', subject: ({ body }) => accountOf(body.email) },
  schema: { body: SignUpBody, response: { 202: Data(EmptyView) } },
  status: 202,
  async handle(services, { body, ...call }) {
    const { signUps } = services.selfService;
    if (!services.mailer && body.password === undefined) throw withoutPassword();
    const checked = await signUps.check({ invitation: '', ...body, address: call.request.ip });
    services.afterAnswer.run(call, 'a sign-up', () => finishSignUp(services, checked));
    return { data: {} };
  },
});

function withoutPassword(): ApiError {
  const message = 'The password is missing.';
  return new ApiError('INVALID_BODY', message, { details: [{ parameter: 'password', message }] });
}

async function finishSignUp(
  { selfService, mailer, publicUrl }: Services,
  checked: SignUp,
): Promise<void> {
  const { email } = checked;
  const outcome = await selfService.signUps.add(checked);
  if (outcome.kind === 'taken') await mailer?.sendTaken(email, publicUrl + PAGES.forgot);
  if (outcome.kind !== 'link') return;
  const { token, expiresAt } = outcome.reset;
  await mailer?.sendSignUp(email, resetLink(publicUrl, token), expiresAt);
}

/** Answers the same whether or not the account exists. */
export const forgot = defineRoute({
  method: 'POST',
  path: '/forgot',
  access: 'anyone',
  audit: { action: 'reset-link-asked', subject: ({ body }) => accountOf(body.email) },
  schema: { body: EmailBody, response: { 202: Data(EmptyView) } },
  status: 202,
  async handle(services, { body: { email }, ...call }) {
    const { mailer, selfService, afterAnswer } = services;
    if (!mailer) return { data: {} };
    await selfService.countRequest(email, call.request.ip);
    afterAnswer.run(call, 'the mail of a reset link', () => sendLink(services, email));
    return { data: {} };
  },
});

async function sendLink(
  { selfService, mailer, publicUrl }: Services,
  email: string,
): Promise<void> {
  const made = await selfService.requestReset(email);
  // To the spelling of the account: another one may be the mailbox of somebody else.
  const to = parseEmail(email);
  if (!made || !to) return;
  await mailer?.sendReset(to, resetLink(publicUrl, made.token), made.expiresAt);
}

/** Says what a link is for, to whoever has it. */
export const previewReset = defineRoute({
  method: 'POST',
  path: '/reset/preview',
  access: 'anyone',
  audit: { none: 'it only reads what a link is for' },
  schema: { body: TokenBody, response: { 200: Data(ResetPreviewView) } },
  async handle({ selfService }, { body: { token }, request }) {
    return { data: await selfService.previewReset(token, request.ip) };
  },
});

export const reset = defineRoute({
  method: 'POST',
  path: '/reset',
  access: 'anyone',
  audit: { action: 'password-reset', subject: ({ proved }) => proved },
  schema: { body: ResetBody, response: { 200: Data(Me), 202: Data(PendingView) } },
  async handle(services, { body: { token, password, keepKeys = false }, ...call }) {
    const { selfService } = services;
    const { ip } = call.request;
    const before = await selfService.previewReset(token, ip);
    const account = await selfService.reset(token, password, ip, { keepsKeys: keepKeys });
    if (before.isConfirmed) notifyReset(services, call, before, keepKeys);
    return admit(services, call, account);
  },
});

function notifyReset(
  services: Services,
  call: Parameters<typeof notifyOwner>[1],
  { email, keys }: ResetPreview,
  keepsKeys: boolean,
): void {
  const kind = keys > 0 && !keepsKeys ? 'keys-revoked' : 'password-reset';
  notifyOwner(services, call, email, kind);
}
