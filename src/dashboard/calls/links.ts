import { Type } from 'typebox';
import { type ResetPreview, resetLink } from '../../accounts/sign-in/self-service.ts';
import type { SignUp } from '../../accounts/sign-in/sign-ups.ts';
import { ApiError } from '../../domain/errors.ts';
import { parseEmail } from '../../lib/email.ts';
import { Data, Email, EmailBody, EmptyView } from '../../operator/schemas.ts';
import { notifyOwner } from '../mail.ts';
import { PAGES } from '../pages.ts';
import { type AnyRoute, defineRoute, type Services } from '../route.ts';
import { Me, PendingView, ResetPreviewView } from '../views.ts';
import { admit } from './session.ts';
import { accountOf, Password } from './sign-in.ts';

const SignUpBody = Type.Object({
  email: Email,
  /**
   * Omitted if addresses are proved by mail: the password is then chosen through the mailed link.
   */
  password: Type.Optional(Password),
  invitation: Type.Optional(Type.String({ title: 'The invitation code', maxLength: 100 })),
  /** The path of the page to show after the link was opened. It cannot lead to another site. */
  back: Type.Optional(
    Type.String({ title: 'The page to come back to', pattern: '^/(?![/\\\\])', maxLength: 500 }),
  ),
});

const Token = Type.String({ title: 'The link', minLength: 1, maxLength: 100 });

const TokenBody = Type.Object({ token: Token });

const ResetBody = Type.Object({
  token: Token,
  password: Password,
  /** Whether API keys keep working; only for an account that was already confirmed. */
  keepKeys: Type.Optional(Type.Boolean({ title: 'Whether to keep the keys' })),
});

/**
 * Signing up, and setting a password through a link. No answer reveals whether an account exists:
 * work that takes longer for existing accounts starts after the answer.
 */
export const LINK_ROUTES: readonly AnyRoute[] = [
  /** Answers the same whether or not the address is taken. */
  defineRoute({
    method: 'POST',
    path: '/sign-up',
    access: 'anyone',
    // The answer must not reveal whether an account existed.
    audit: { action: 'sign-up-asked', subject: ({ body }) => accountOf(body.email) },
    schema: { body: SignUpBody, response: { 202: Data(EmptyView) } },
    status: 202,
    async handle(services, { body: { back, ...body }, ...call }) {
      const { signUps } = services.selfService;
      if (!services.mailer && body.password === undefined) throw withoutPassword();
      const checked = await signUps.check({ invitation: '', ...body, address: call.request.ip });
      services.afterAnswer.run(call, 'a sign-up', () => finishSignUp(services, checked, back));
      return { data: {} };
    },
  }),

  /** Answers the same whether or not the account exists, regardless of the number of calls. */
  defineRoute({
    method: 'POST',
    path: '/forgot',
    access: 'anyone',
    audit: { action: 'reset-link-asked', subject: ({ body }) => accountOf(body.email) },
    schema: { body: EmailBody, response: { 202: Data(EmptyView) } },
    status: 202,
    async handle(services, { body: { email }, ...call }) {
      const { mailer, afterAnswer } = services;
      const { ip } = call.request;
      if (!mailer) return { data: {} };
      afterAnswer.run(call, 'the mail of a reset link', () => sendLink(services, email, ip));
      return { data: {} };
    },
  }),

  /** Returns the effect of a link to anyone who has it. */
  defineRoute({
    method: 'POST',
    path: '/reset/preview',
    access: 'anyone',
    audit: { none: 'it only reads what a link is for' },
    schema: { body: TokenBody, response: { 200: Data(ResetPreviewView) } },
    async handle({ selfService }, { body: { token }, request }) {
      return { data: await selfService.previewReset(token, request.ip) };
    },
  }),

  defineRoute({
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
  }),
];

function withoutPassword(): ApiError {
  const message = 'The password is missing.';
  return new ApiError('INVALID_BODY', message, { details: [{ parameter: 'password', message }] });
}

async function finishSignUp(
  { selfService, mailer, publicUrl }: Services,
  checked: SignUp,
  back: string | undefined,
): Promise<void> {
  const { email } = checked;
  const outcome = await selfService.signUps.add(checked);
  if (outcome.kind === 'taken') await mailer?.sendTaken(email, publicUrl + PAGES.forgot);
  if (outcome.kind !== 'link') return;
  const { token, expiresAt } = outcome.reset;
  await mailer?.sendSignUp(email, resetLink(publicUrl, token, back), expiresAt);
}

async function sendLink(
  { selfService, mailer, publicUrl }: Services,
  email: string,
  address: string,
): Promise<void> {
  const made = await selfService.requestReset(email, address);
  // Mails to the spelling in the account: another spelling may be somebody else's mailbox.
  const to = parseEmail(email);
  if (!made || !to) return;
  await mailer?.sendReset(to, resetLink(publicUrl, made.token), made.expiresAt);
}

function notifyReset(
  services: Services,
  call: Parameters<typeof notifyOwner>[1],
  { email, keys }: ResetPreview,
  keepsKeys: boolean,
): void {
  const kind = keys > 0 && !keepsKeys ? 'keys-revoked' : 'password-reset';
  notifyOwner(services, call, email, kind);
}
