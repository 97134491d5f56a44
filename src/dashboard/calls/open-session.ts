import type { AdmittedAccount } from '../../accounts/sign-in/admitted-account.ts';
import type { VerifiedAccount } from '../../accounts/sign-in/verified-account.ts';
import { clientOf } from '../client.ts';
import { sentToken, setToken } from '../cookie.ts';
import { sentDevice, setDevice } from '../device-cookie.ts';
import { clearPendingToken, setPendingToken } from '../pending-cookie.ts';
import type { Call } from '../route.ts';
import type { Services } from '../services.ts';
import { meView } from './views.ts';

/** The two ways in which proving a password ends. */

type Request = Pick<Call, 'request' | 'reply'>;

/**
 * Begins a session of an account whose password was right; of one with a second factor, answers 202
 * with the kinds that it has, and the sign-in waits for one of them.
 */
export async function admit(
  services: Services,
  { request, reply }: Request,
  account: VerifiedAccount,
) {
  request.provedAccount = account.email;
  const step = await services.signInSteps.begin(account);
  if (!('factors' in step)) return openSession(services, { request, reply }, step);
  setPendingToken(reply, step.token);
  reply.code(202);
  return { data: { factors: [...step.factors] } };
}

/** Begins a session, and ends the one that the browser had; returns the body of the answer. */
export async function openSession(
  services: Services,
  { request, reply }: Request,
  account: AdmittedAccount,
) {
  request.provedAccount = account.email;
  await services.sessions.end(sentToken(request));
  setDevice(reply, await services.selfService.devices.remember(account.id, sentDevice(request)));
  clearPendingToken(reply);
  setToken(reply, await services.sessions.open(account, clientOf(request)));
  request.log.info({ reqId: request.id, account: account.id }, 'signed in');
  return { data: await meView(services, account) };
}
