import { type Millis, MS_PER_DAY } from '../domain/day.ts';
import { AccountError } from '../domain/errors.ts';
import type { Plan } from '../domain/plans.ts';
import type { Store } from '../store/connect.ts';
import * as sql from '../store/sessions.ts';
import { planOf } from './accounts.ts';
import { createToken, hashToken, isToken } from './tokens.ts';

declare const signedIn: unique symbol;
declare const operates: unique symbol;

/** Whoever a session belongs to. Only {@link Sessions.identify} makes one. */
export interface Session {
  readonly accountId: number;
  /** In lower case. */
  readonly email: string;
  readonly plan: Plan;
  readonly isOperator: boolean;
  /** When the account was made. */
  readonly createdAt: Millis;
  /** What proves the session: never to be logged. */
  readonly token: string;
  readonly [signedIn]: true;
}

/** A session who may see and change everybody's. Only {@link requireOperator} makes one. */
export interface OperatorSession extends Session {
  readonly [operates]: true;
}

/** How long a session lasts, in milliseconds. */
export const SESSION_MS: Millis = 30 * MS_PER_DAY;

/** An account that signs in once more than so many times at once is signed out where it was first. */
const MOST_SESSIONS = 50;

/**
 * Who is signed in: a row a session, asked of the store with every call, so that one that is ended
 * here is ended in every process.
 */
export class Sessions {
  readonly #store: Store;
  readonly #clock: () => Millis;
  readonly #findHolder: sql.FindHolder;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#clock = clock;
    this.#findHolder = sql.prepareHolder(store.engine);
  }

  /** Begins a session, and returns the token that proves it. */
  async open(accountId: number): Promise<string> {
    const { db } = this.#store;
    const now = this.#clock();
    const token = createToken();
    await sql.insertSession(db, {
      token_hash: hashToken(token),
      account_id: accountId,
      created_at: now,
      expires_at: now + SESSION_MS,
    });
    await sql.deleteEndedSession(db, now);
    await sql.deleteSurplusSession(db, accountId, MOST_SESSIONS);
    return token;
  }

  /**
   * Who has the token, as the store knows it right now; undefined when it is none, or the session
   * has ended, or its account was disabled or deleted.
   */
  async identify(token: string): Promise<Session | undefined> {
    if (!isToken(token)) return undefined;
    const holder = await this.#findHolder(hashToken(token), this.#clock());
    if (!holder) return undefined;
    const { plan, operator, ...account } = holder;
    return { ...account, plan: planOf(plan), isOperator: operator === 1, token } as Session;
  }

  /** Ends a session. Ending one that has ended changes nothing. */
  end(token: string): Promise<void> {
    return sql.deleteSession(this.#store.db, hashToken(token));
  }

  /** Ends every session of an account. */
  endAll(accountId: number): Promise<void> {
    return sql.deleteSessions(this.#store.db, accountId);
  }

  /** How many browsers are signed in to an account. */
  count(accountId: number): Promise<number> {
    return sql.countSessions(this.#store.db, accountId, this.#clock());
  }
}

/**
 * The session as an operator.
 *
 * @throws AccountError FORBIDDEN when the session is none.
 */
export function requireOperator(session: Session): OperatorSession {
  if (!session.isOperator) throw new AccountError('FORBIDDEN', 'This is for operators only.');
  return session as OperatorSession;
}
