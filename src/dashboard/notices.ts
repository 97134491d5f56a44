import { parseEmail } from '../domain/email.ts';
import type { NoticeKind } from './mail-texts.ts';
import type { Call } from './route.ts';
import type { Services } from './services.ts';

/** Tells the owner of an account by mail, after the answer, what was done with it and from where. */
export function notifyOwner(
  { mailer, afterAnswer, clock, publicUrl }: Services,
  call: Pick<Call, 'request' | 'reply'>,
  email: string,
  kind: NoticeKind,
): void {
  const to = parseEmail(email);
  if (!mailer || to === undefined) return;
  const notice = { kind, at: clock(), address: call.request.ip };
  afterAnswer.run(call, 'the mail of a notice', () => mailer.sendNotice(to, notice, publicUrl));
}
