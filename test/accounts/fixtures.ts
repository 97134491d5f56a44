import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { findAccount } from '../../src/accounts/account-sql.ts';
import { Accounts } from '../../src/accounts/accounts.ts';
import { AccountKeys } from '../../src/accounts/keys/account-keys.ts';
import { Authenticator, type Caller } from '../../src/accounts/keys/authenticator.ts';
import { Plans } from '../../src/accounts/quota/plans.ts';
import type { Charge } from '../../src/accounts/quota/quota-charger.ts';
import type { AnsweredRequest } from '../../src/accounts/quota/usage-recorder.ts';
import { SecondFactors } from '../../src/accounts/sign-in/second-factors.ts';
import {
  RESET_LINK_MS,
  SelfService,
  type SignUpRules,
} from '../../src/accounts/sign-in/self-service.ts';
import {
  type AdmittedAccount,
  type Client,
  type Session,
  Sessions,
  type VerifiedAccount,
  verifiedAccount,
} from '../../src/accounts/sign-in/sessions.ts';
import { SignInSteps } from '../../src/accounts/sign-in/sign-in-steps.ts';
import { addDays, dayOf, type Millis, startOfDay } from '../../src/domain/day.ts';
import { AccountError, type DashboardErrorCode, OperatorError } from '../../src/domain/errors.ts';
import type { Store } from '../../src/store/connect.ts';
import { cheapPasswords } from '../support/cheap-passwords.ts';

/** A clock that stands until it is moved. */
export class FixedClock {
  now: Millis = Date.UTC(2026, 0, 28, 12);
  readonly read = (): Millis => this.now;

  toNextDay(): void {
    this.now = startOfDay(addDays(dayOf(this.now), 1));
  }
}

/** Anybody may sign up. */
const OPEN: SignUpRules = { isOpen: true, invitationCode: '' };

/** Everything about accounts over one store, by one clock. */
export function wire(
  store: Store,
  signUp: SignUpRules = OPEN,
  isMailed = false,
  passwords = cheapPasswords(),
) {
  const clock = new FixedClock();
  const selfService = new SelfService(store, clock.read, { signUp, isMailed, passwords });
  const sessions = new Sessions(store, clock.read);
  return {
    store,
    clock,
    accounts: new Accounts(store, clock.read),
    keys: new AccountKeys(store, clock.read),
    authenticator: new Authenticator(store, clock.read),
    selfService,
    sessions,
    signInSteps: new SignInSteps({ store, clock: clock.read, selfService, sessions }),
    secondFactors: new SecondFactors(store, clock.read, { isRequiredOfOperators: false }),
  };
}

export type Wiring = ReturnType<typeof wire>;

/** Creates an account with one key, and returns the key. */
export async function addAccount(
  { accounts, keys }: Wiring,
  email = 'ann@shop.example',
  plan = 'free',
): Promise<string> {
  await accounts.create(email, plan);
  const { key } = await keys.create(email);
  return key;
}

/** A password that is long enough. */
export const PASSWORD = 'correct horse battery';

/** Where somebody asks from, when it does not matter. */
export const ADDRESS = '192.0.2.7';

/** A request that was answered, by the index of its endpoint. */
export function answered(
  endpoint: number,
  status: number,
  address: string,
  at: Millis,
): AnsweredRequest {
  return { endpoint, status, code: null, id: randomUUID(), address, at, ms: 1.5 };
}

/** What somebody asks with, when it does not matter. */
export const CLIENT: Client = { address: ADDRESS, userAgent: 'a browser' };

/** An account without a second factor, or with one that was proved. */
export function admitted(account: VerifiedAccount): AdmittedAccount {
  return account as AdmittedAccount;
}

/** Begins a session of an account as if its password had just been verified. */
export async function begin({ store, sessions }: Wiring, email = 'ann@shop.example') {
  const row = await findAccount(store.accounts.db, email);
  if (!row) throw new Error(`there is no account ${email}`);
  return sessions.open(admitted(verifiedAccount(row, await new Plans(store).read())), CLIENT);
}

/** Makes a confirmed account with the password {@link PASSWORD}. */
export async function enrol(
  { accounts, selfService }: Wiring,
  email = 'ann@shop.example',
): Promise<VerifiedAccount> {
  await accounts.create(email, 'free');
  const { token } = await selfService.resetToken(email, RESET_LINK_MS);
  return selfService.reset(token, PASSWORD, ADDRESS);
}

/** Somebody with a new account who has just signed in. */
export async function visit(wiring: Wiring, email = 'ann@shop.example'): Promise<Session> {
  const { sessions } = wiring;
  const account = admitted(await enrol(wiring, email));
  const session = await sessions.identify(await sessions.open(account, CLIENT));
  if (!session) throw new Error('the session does not work');
  return session;
}

/** The caller of a key that works. */
export async function identified(authenticator: Authenticator, key: string): Promise<Caller> {
  const caller = await authenticator.identify(key);
  if (!caller) throw new Error('the key does not work');
  return caller;
}

/** Returns the charges, or fails instead of waiting for ever for one that nobody decides. */
export async function decided<T>(charges: readonly Promise<T>[]): Promise<T[]> {
  const ended = new AbortController();
  const late = setTimeout(10_000, undefined, ended).then(() => {
    throw new Error('A charge was not decided within 10 s.');
  });
  try {
    return await Promise.race([Promise.all(charges), late]);
  } finally {
    late.catch(() => {});
    ended.abort();
  }
}

/** Charges `count` requests that wait at the same moment. */
export function chargeTogether(authenticator: Authenticator, caller: Caller, count: number) {
  return decided(Array.from({ length: count }, () => authenticator.charge(caller)));
}

/** A charge with what it was for, in requests. */
export interface CostedCharge extends Charge {
  readonly cost: number;
}

/** Makes charges of these costs that wait at the same moment. */
export function chargeCosts(
  authenticator: Authenticator,
  caller: Caller,
  costs: readonly number[],
): Promise<CostedCharge[]> {
  return decided(
    costs.map(async (cost) => ({ ...(await authenticator.charge(caller, cost)), cost })),
  );
}

/** For assert.rejects: the message for pages, with nothing in it to type on the command line. */
export function refused(code: DashboardErrorCode, reason: RegExp) {
  return (error: unknown) =>
    error instanceof AccountError &&
    error.code === code &&
    reason.test(error.reason) &&
    !error.reason.includes('`');
}

/** For assert.rejects: an OperatorError whose message matches. */
export function refusal(message: RegExp) {
  return (error: unknown) => error instanceof OperatorError && message.test(error.message);
}
