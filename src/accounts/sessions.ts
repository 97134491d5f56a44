import { type Millis, MS_PER_DAY } from '../domain/day.ts';
import { AccountError } from '../domain/errors.ts';
import type { Plan, PlanTable } from '../domain/plans.ts';
import type { Store } from '../store/connect.ts';
import * as sql from '../store/sessions.ts';
import { Plans, planWith } from './plans.ts';
import { createToken, hashToken, isToken } from './tokens.ts';

declare const signedIn: unique symbol;
declare const operates: unique symbol;

/** A session and the account that it is of. Only {@link Sessions.identify} makes one. */
export interface Session {
  readonly accountId: number;
  /** In lower case. */
  readonly email: string;
  readonly plan: Plan;
  /** Every plan that there is. */
  readonly plans: PlanTable;
  readonly isOperator: boolean;
  /** When the account was made. */
  readonly createdAt: Millis;
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

/** How long a session lasts, in milliseconds. */
export const SESSION_MS: Millis = 30 * MS_PER_DAY;

/** The sessions of one account; of more, the oldest ends. */
const MAX_SESSIONS = 50;

/**
 * The sessions of the dashboard, a row each. Every call reads the database, so that a session that
 * ends in one process has ended in all of them.
 */
export class Sessions {
  readonly #store: Store;
  readonly #clock: () => Millis;
  readonly #findHolder: sql.FindHolder;
  readonly #plans: Plans;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#clock = clock;
    this.#findHolder = sql.prepareHolder(store.accounts.engine);
    this.#plans = new Plans(store);
  }

  /** Begins a session and returns its token. */
  async open(accountId: number): Promise<string> {
    const { db } = this.#store.accounts;
    const now = this.#clock();
    const token = createToken();
    await sql.insertSession(db, {
      token_hash: hashToken(token),
      account_id: accountId,
      created_at: now,
      expires_at: now + SESSION_MS,
    });
    await sql.deleteExpiredSession(db, now);
    await sql.deleteSurplusSession(db, accountId, MAX_SESSIONS);
    return token;
  }

  /**
   * The session of a token; undefined when the text is no token, the session has ended, or its
   * account is disabled or deleted.
   */
  async identify(token: string): Promise<Session | undefined> {
    if (!isToken(token)) return undefined;
    const holder = await this.#findHolder(hashToken(token), this.#clock());
    if (!holder) return undefined;
    const { accountId, email, createdAt, operator, plansVersion } = holder;
    const plans = await this.#plans.at(plansVersion);
    const plan = planWith(plans, holder);
    return {
      accountId,
      email,
      createdAt,
      plan,
      plans,
      isOperator: operator === 1,
      token,
    } as Session;
  }

  /** Ends a session, if it has not ended yet. */
  end(token: string): Promise<void> {
    return sql.deleteSession(this.#store.accounts.db, hashToken(token));
  }

  /** Ends every session of an account. */
  endAll(accountId: number): Promise<void> {
    return sql.deleteSessions(this.#store.accounts.db, accountId);
  }

  /** How many sessions an account has now. */
  count(accountId: number): Promise<number> {
    return sql.countSessions(this.#store.accounts.db, accountId, this.#clock());
  }
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
