import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import { FEATURES, type Plan, type PlanTable } from '../../domain/plans.ts';
import type { SessionRow } from '../../store/accounts/schema.ts';
import type { Store } from '../../store/connect.ts';
import { Plans, planWith } from '../quota/plans.ts';
import type { AdmittedAccount } from './admitted-account.ts';
import * as sql from './session-sql.ts';
import { createToken, hashToken, isDigest, isToken } from './tokens.ts';

declare const signedIn: unique symbol;
declare const operates: unique symbol;

/** A session and the account that it is of. Only {@link Sessions.identify} makes one. */
export interface Session {
  readonly accountId: number;
  /** In lower case. */
  readonly email: string;
  /** Its plan with its own limits; the pages show an operator everything, whatever the plan. */
  readonly plan: Plan;
  /** Every plan that there is. */
  readonly plans: PlanTable;
  readonly isOperator: boolean;
  /** When the account was made. */
  readonly createdAt: Millis;
  /** The version of the account's credentials that was verified; the account still has it. */
  readonly credentialVersion: number;
  /** When it was last used, to the minute. */
  readonly lastUsedAt: Millis;
  /** When its owner last proved who they are. */
  readonly authenticatedAt: Millis;
  /** The secret of the session. Never log it. */
  readonly token: string;
  readonly [signedIn]: true;
}

/** An operator, by a session or an API key that proves it. */
export interface Operator {
  readonly accountId: number;
  readonly [operates]: true;
}

/** The session of an operator. Only {@link requireOperator} makes one. */
export interface OperatorSession extends Session, Operator {}

/** What a session was begun from. */
export interface Client {
  /** The network address. */
  readonly address: string;
  /** What the browser calls itself; `''` for nothing. */
  readonly userAgent: string;
}

/** A session as its owner sees it in a list. */
export interface SessionEntry extends Client {
  /** Names it within its account. It is no secret: nobody can sign in with it. */
  readonly id: string;
  readonly createdAt: Millis;
  /** When it was last used, to the minute. */
  readonly lastUsedAt: Millis;
}

/** What plans restrict, for whom they do not. */
const EVERYTHING = { features: FEATURES, historyDays: null };

/** How long a session lasts, in milliseconds. */
export const SESSION_MS: Millis = 30 * MS_PER_DAY;

/** How long a session lasts that nobody uses, in milliseconds. */
export const IDLE_MS = { operators: MS_PER_DAY / 2, others: 14 * MS_PER_DAY };

/** How often the use of a session is recorded, in milliseconds. */
const USE_RECORDED_EVERY: Millis = 60_000;

/** The sessions of one account; of more, the oldest ends. */
const MAX_SESSIONS = 50;

/** What is kept of what a browser calls itself, in UTF-16 units. */
const MAX_USER_AGENT = 300;

/**
 * The sessions of the dashboard, a row each. Every call reads the database, so that a session that
 * ends in one process has ended in all of them.
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
   * Begins a session and returns its token. The session works as long as the account has the
   * credentials that were verified; when they have changed already, it never does.
   */
  async open(account: AdmittedAccount, { address, userAgent }: Client): Promise<string> {
    const { db } = this.#store.accounts;
    const now = this.#clock();
    const token = createToken();
    await sql.insertSession(db, {
      token_hash: hashToken(token),
      account_id: account.id,
      credential_version: account.credentialVersion,
      created_at: now,
      expires_at: now + SESSION_MS,
      last_used_at: now,
      authenticated_at: now,
      address,
      user_agent: printable(userAgent),
    });
    await sql.deleteExpiredSession(db, now);
    await sql.deleteSurplusSession(db, account.id, MAX_SESSIONS);
    return token;
  }

  /**
   * The session of a token; undefined when the text is no token, the session has ended or was not
   * used for {@link IDLE_MS}, its account is disabled or deleted, or the account's credentials have
   * changed since they were verified.
   */
  async identify(token: string): Promise<Session | undefined> {
    if (!isToken(token)) return undefined;
    const now = this.#clock();
    const holder = await this.#findHolder(hashToken(token), now, usedSince(now));
    if (!holder) return undefined;
    const { plansVersion, limits: _, operator, ...account } = holder;
    const plans = await this.#plans.at(plansVersion);
    const isOperator = operator === 1;
    const plan = planWith(plans, holder);
    const pagePlan = isOperator ? { ...plan, ...EVERYTHING } : plan;
    return { ...account, plan: pagePlan, plans, isOperator, token } as Session;
  }

  /** Records that a session is used, at most once a minute. No answer has to wait for it. */
  async markUsed({ token, lastUsedAt }: Session): Promise<void> {
    const now = this.#clock();
    const before = now - USE_RECORDED_EVERY;
    if (lastUsedAt > before) return;
    await this.#markUsed(hashToken(token), { now, before });
  }

  /**
   * Records that the owner of a session has proved again who they are. Returns its new token, since
   * the one before ends with that; undefined when the session has ended meanwhile.
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

  /** The sessions of an account that work, the one that was used last first. */
  async list(accountId: number): Promise<SessionEntry[]> {
    const now = this.#clock();
    const { db } = this.#store.accounts;
    return (await sql.listSessions(db, accountId, now, usedSince(now))).map(entryOf);
  }

  /** Ends a session, if it has not ended yet. */
  end(token: string): Promise<void> {
    return sql.deleteSession(this.#store.accounts.db, hashToken(token));
  }

  /** Ends the session of an account that has this id; returns whether there was one. */
  async revoke(accountId: number, id: string): Promise<boolean> {
    return isDigest(id) && sql.deleteSessionOf(this.#store.accounts.db, accountId, id);
  }

  /** Ends every session of an account but this one. */
  endOthers({ accountId, token }: Session): Promise<void> {
    return sql.deleteOtherSessions(this.#store.accounts.db, accountId, hashToken(token));
  }

  /** Ends every session of an account. */
  endAll(accountId: number): Promise<void> {
    return sql.deleteSessions(this.#store.accounts.db, accountId);
  }
}

/** The id of a session in the list of its account. */
export function sessionId({ token }: Session): string {
  return hashToken(token);
}

/**
 * The session as that of an operator.
 *
 * @throws AccountError FORBIDDEN when its account is no operator.
 */
export function requireOperator(session: Session): OperatorSession {
  if (!session.isOperator) throw new AccountError('FORBIDDEN', 'This is for operators only.');
  return session as OperatorSession;
}

function usedSince(now: Millis): sql.UsedSince {
  return { operators: now - IDLE_MS.operators, others: now - IDLE_MS.others };
}

function entryOf(row: SessionRow): SessionEntry {
  return {
    id: row.token_hash,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    address: row.address,
    userAgent: row.user_agent,
  };
}

/** Headers may hold anything, and a database no NUL. */
function printable(userAgent: string): string {
  return userAgent.slice(0, MAX_USER_AGENT).replace(/\p{C}/gu, ' ');
}
