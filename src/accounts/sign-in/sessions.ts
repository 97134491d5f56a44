import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import { FEATURES, type Plan, type PlanTable } from '../../domain/plans.ts';
import type { Store } from '../../store/connect.ts';
import type { AccountRecord } from '../account-sql.ts';
import { type Account, accountOf } from '../accounts.ts';
import { Plans, planWith } from '../quota/plans.ts';
import * as sql from './session-sql.ts';
import { createToken, hashToken, isDigest, isToken } from './tokens.ts';

export type { SessionEntry } from './session-sql.ts';

declare const signedIn: unique symbol;
declare const operates: unique symbol;

/** A session and its account. Only {@link Sessions.identify} makes one. */
export interface Session {
  readonly accountId: number;
  /** In lower case. */
  readonly email: string;
  /** Its plan with its own limits. Operators see everything in the pages, with any plan. */
  readonly plan: Plan;
  /** All plans. */
  readonly plans: PlanTable;
  readonly isOperator: boolean;
  /** When the account was created. */
  readonly createdAt: Millis;
  /** The version of the credentials that were verified for the session. */
  readonly credentialVersion: number;
  /** When it was last used, to the minute. */
  readonly lastUsedAt: Millis;
  /** When its owner last proved who they are. */
  readonly authenticatedAt: Millis;
  /** The secret of the session. Never log it. */
  readonly token: string;
  readonly [signedIn]: true;
}

/** An operator, proved by a session or an API key. */
export interface Operator {
  readonly accountId: number;
  /** The API key that acts for the operator; undefined in a session. */
  readonly keyId?: number;
  readonly [operates]: true;
}

/** The session of an operator. Only {@link requireOperator} makes one. */
export interface OperatorSession extends Session, Operator {}

/** The browser that began a session. */
export interface Client {
  /** The network address. */
  readonly address: string;
  /** The browser's name for itself; `''` for none. */
  readonly userAgent: string;
}

/** The parts of a plan that do not restrict operators. */
const EVERYTHING = { features: FEATURES, historyDays: null };

/** How long a session lasts, in milliseconds. */
export const SESSION_MS: Millis = 30 * MS_PER_DAY;

/** How long an idle session lasts, in milliseconds. */
export const IDLE_MS = { operators: MS_PER_DAY / 2, others: 14 * MS_PER_DAY };

/** Minimum interval between recorded uses of a session, in milliseconds. */
const USE_RECORDED_EVERY: Millis = 60_000;

/** The most sessions of an account; beyond them, the oldest ends. */
const MAX_SESSIONS = 50;

/** How much of the browser's name is stored, in UTF-16 units. */
const MAX_USER_AGENT = 300;

/**
 * The sessions of the dashboard, one row each. Every call reads the database, so a session that
 * ends in one process ends in all.
 */
export class Sessions {
  readonly #store: Store;
  readonly #clock: () => Millis;
  readonly #findHolder: sql.FindHolder;
  readonly #markUsed: sql.MarkUsed;
  readonly #plans: Plans;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#clock = clock;
    this.#findHolder = sql.prepareHolder(store.accounts.engine);
    this.#markUsed = sql.prepareMarkUsed(store.accounts.engine);
    this.#plans = new Plans(store);
  }

  /**
   * Starts a session and returns its token. The session works while the account has the credentials
   * that were verified; if they have already changed, it never works.
   */
  async open(account: AdmittedAccount, { address, userAgent }: Client): Promise<string> {
    const { db } = this.#store.accounts;
    const now = this.#clock();
    const token = createToken();
    const session = {
      tokenHash: hashToken(token),
      accountId: account.id,
      credentialVersion: account.credentialVersion,
      now,
      expiresAt: now + SESSION_MS,
      address,
      userAgent: printable(userAgent),
    };
    await sql.insertSession(db, session, MAX_SESSIONS);
    return token;
  }

  /**
   * Returns the session of a token. Returns undefined if the text is not a token, if the session
   * has ended or was idle for {@link IDLE_MS}, if its account is disabled or deleted, or if the
   * account's credentials have changed since they were verified.
   */
  async identify(token: string): Promise<Session | undefined> {
    if (!isToken(token)) return undefined;
    const now = this.#clock();
    const holder = await this.#findHolder(hashToken(token), now, usedSince(now));
    if (!holder) return undefined;
    const { plansVersion, limits: _, ...account } = holder;
    const plans = await this.#plans.at(plansVersion);
    const plan = planWith(plans, holder);
    const pagePlan = account.isOperator ? { ...plan, ...EVERYTHING } : plan;
    return { ...account, plan: pagePlan, plans, token } as Session;
  }

  /** Records that a session is used, at most once a minute. Answers need not wait for this. */
  async markUsed({ token, lastUsedAt }: Session): Promise<void> {
    const now = this.#clock();
    const before = now - USE_RECORDED_EVERY;
    if (lastUsedAt > before) return;
    await this.#markUsed(hashToken(token), { now, before });
  }

  /**
   * Records that the owner of a session has proved again who they are. Returns its new token, which
   * replaces the old one; undefined if the session has already ended.
   */
  async renew({ token, credentialVersion }: Session): Promise<string | undefined> {
    const renewed = createToken();
    const hasRenewed = await sql.renewSession(this.#store.accounts.db, hashToken(token), {
      tokenHash: hashToken(renewed),
      version: credentialVersion,
      now: this.#clock(),
    });
    return hasRenewed ? renewed : undefined;
  }

  /** Returns the working sessions of an account, the last used first. */
  list(accountId: number): Promise<sql.SessionEntry[]> {
    const now = this.#clock();
    return sql.listSessions(this.#store.accounts.db, accountId, now, usedSince(now));
  }

  /** Ends a session. Repeating it changes nothing. */
  end(token: string): Promise<void> {
    return sql.deleteSession(this.#store.accounts.db, hashToken(token));
  }

  /** Ends the session of an account with this id; returns whether there was one. */
  async revoke(accountId: number, id: string): Promise<boolean> {
    return isDigest(id) && sql.deleteSessionOf(this.#store.accounts.db, accountId, id);
  }

  /** Ends all other sessions of the account. */
  endOthers({ accountId, token }: Session): Promise<void> {
    return sql.deleteSessions(this.#store.accounts.db, accountId, hashToken(token));
  }

  /** Ends every session of an account. */
  endAll(accountId: number): Promise<void> {
    return sql.deleteSessions(this.#store.accounts.db, accountId);
  }
}

/** Returns the id of a session in the list of its account. */
export function sessionId({ token }: Session): string {
  return hashToken(token);
}

/**
 * Returns the session of an operator.
 *
 * @throws AccountError FORBIDDEN if its account is not an operator.
 */
export function requireOperator(session: Session): OperatorSession {
  if (!session.isOperator) throw new AccountError('FORBIDDEN', 'This is for operators only.');
  return session as OperatorSession;
}

function usedSince(now: Millis): sql.UsedSince {
  return { operators: now - IDLE_MS.operators, others: now - IDLE_MS.others };
}

/** Removes characters, such as NUL, that a header allows and a database cannot store. */
function printable(userAgent: string): string {
  return userAgent.slice(0, MAX_USER_AGENT).replace(/\p{C}/gu, ' ');
}

declare const verified: unique symbol;
declare const admitted: unique symbol;

/**
 * An account whose owner has just proved who they are, for example with a password. Only {@link
 * verifiedAccount} makes one.
 */
export interface VerifiedAccount extends Account {
  /**
   * The version of the credentials that were verified. A session with it ends with these
   * credentials, even if it begins after they were replaced.
   */
  readonly credentialVersion: number;
  readonly [verified]: true;
}

/**
 * An account whose owner has completed every step of signing in, including any second factor. Only
 * `SignInSteps` makes one, and every session starts with one.
 */
export interface AdmittedAccount extends VerifiedAccount {
  readonly [admitted]: true;
}

/** Refuses a disabled account, although its owner has proved who they are. */
export function requireEnabled({ disabledAt }: AccountRecord): void {
  if (disabledAt === null) return;
  throw new AccountError(
    'UNAUTHORIZED',
    'This account is disabled. Contact the operator of this service.',
  );
}

/** Returns the account of a record whose credentials were verified. */
export function verifiedAccount(record: AccountRecord, plans: PlanTable): VerifiedAccount {
  const { credentialVersion } = record;
  return { ...accountOf(record, plans), credentialVersion } as VerifiedAccount;
}
