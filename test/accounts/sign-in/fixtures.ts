import { findAccount } from '../../../src/accounts/account-sql.ts';
import { Plans } from '../../../src/accounts/quota/plans.ts';
import { type SentCode, totpCode } from '../../../src/accounts/sign-in/codes.ts';
import type { RelyingParty } from '../../../src/accounts/sign-in/passkeys.ts';
import type { SecondFactors } from '../../../src/accounts/sign-in/second-factors.ts';
import { type Session, verifiedAccount } from '../../../src/accounts/sign-in/sessions.ts';
import type { PendingSignIn } from '../../../src/accounts/sign-in/sign-in-steps.ts';
import type { Store } from '../../../src/store/connect.ts';
import { SoftAuthenticator } from '../../support/authenticator.ts';
import { visit, type Wiring, wire } from '../fixtures.ts';

export const PARTY: RelyingParty = { id: 'cards.example', origin: 'https://cards.example' };

/** A code as a browser sends it that the account does not know, or the one with this token. */
export function sent(code: string, device = ''): SentCode {
  return { code, device };
}

/** Seconds that pass until an authenticator app shows another code, in milliseconds. */
export const STEP_MS = 30_000;

/** Somebody with an authenticator app: the secret, the recovery codes and the session. */
export interface Guarded {
  readonly wiring: Wiring;
  readonly session: Session;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** Signs somebody up and adds an authenticator app. No code of the next step is used. */
export async function guarded(store: Store): Promise<Guarded> {
  const wiring = wire(store);
  const session = await visit(wiring);
  const { secret, recoveryCodes } = await addTotp(wiring, session);
  return { wiring, session: await again(wiring, session), secret, recoveryCodes };
}

export async function addTotp({ secondFactors, clock }: Wiring, session: Session) {
  const { secret } = await secondFactors.beginTotp(session);
  const recoveryCodes = await secondFactors.confirmTotp(session, totpCode(secret, clock.now));
  clock.now += STEP_MS;
  return { secret, recoveryCodes };
}

/** Adds a passkey to the account of a session. */
export async function addPasskey(
  { secondFactors }: Wiring,
  session: Session,
): Promise<SoftAuthenticator> {
  const passkey = new SoftAuthenticator(PARTY.origin);
  const response = passkey.create(await secondFactors.passkeyOptions(session, PARTY));
  await verifyAndAdd(secondFactors, session, { name: 'phone', response });
  return passkey;
}

/** Adds the passkey that a browser has made, as the call of a page does. */
export async function verifyAndAdd(
  secondFactors: SecondFactors,
  session: Session,
  made: Parameters<SecondFactors['verifyPasskey']>[2],
): Promise<string[]> {
  const verified = await secondFactors.verifyPasskey(session, PARTY, made);
  return secondFactors.addPasskey(session, verified);
}

/** The session as it is after a change of second factors. */
export async function again(
  { sessions }: Wiring,
  { token }: Pick<Session, 'token'>,
): Promise<Session> {
  const session = await sessions.identify(token);
  if (!session) throw new Error('the session has ended');
  return session;
}

/** Signs in as if the password had just been verified, up to the second factor. */
export async function pend(
  { store, signInSteps }: Wiring,
  email = 'ann@shop.example',
): Promise<PendingSignIn> {
  const row = await findAccount(store.accounts.db, email);
  if (!row) throw new Error(`there is no account ${email}`);
  const step = await signInSteps.begin(verifiedAccount(row, await new Plans(store).read()));
  if (!('factors' in step)) throw new Error('the account has no second factor');
  return step;
}
