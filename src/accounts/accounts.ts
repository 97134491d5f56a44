import { dayOf, type Millis } from '../domain/day.ts';
import { parseEmail } from '../domain/email.ts';
import { AccountError } from '../domain/errors.ts';
import type { AccountLimits, Plan, PlanTable } from '../domain/plans.ts';
import type { AccountRow } from '../store/accounts/schema.ts';
import type { Store } from '../store/connect.ts';
import { type Deletion, deleteAccount } from './account-deletion-sql.ts';
import * as sql from './account-sql.ts';
import { insertDeletionEvent } from './billing/billing-sql.ts';
import { recordChange } from './billing/changes.ts';
import { type ActingOperator, requireNoOperator, requireOtherOperator } from './operator-guard.ts';
import { Plans, planWith } from './quota/plans.ts';
import { attemptsAtAccount } from './sign-in/attempt-limiter.ts';
import { deleteSessions } from './sign-in/session-sql.ts';

type Db = Store['accounts']['db'];

/** An account: a plan with a daily quota that all of its API keys share. */
export interface Account {
  readonly id: number;
  /** In lower case. */
  readonly email: string;
  /** Its plan, with its own limits. */
  readonly plan: Plan;
  /** What it has otherwise than its plan; null for nothing. */
  readonly limits: AccountLimits | null;
  readonly createdAt: Millis;
  /** Since when neither its API keys nor its password work; null when they do. */
  readonly disabledAt: Millis | null;
  /** When its owner proved to read the address, or an operator confirmed it; null for not yet. */
  readonly verifiedAt: Millis | null;
  /** Whether its sessions may see and change every account. */
  readonly isOperator: boolean;
}

export interface AccountWithUsage extends Account {
  /** Requests charged today (UTC). */
  readonly usedToday: number;
}

/** The accounts, as operators manage them. Refusals are AccountErrors. */
export class Accounts {
  readonly #store: Store;
  readonly #clock: () => Millis;
  readonly #plans: Plans;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#clock = clock;
    this.#plans = new Plans(store);
  }

  /** Makes a confirmed account of a plan. E-mail addresses are unique. */
  async create(
    email: string,
    plan: string,
    { isOperator = false }: { isOperator?: boolean } = {},
  ): Promise<Account> {
    const row = await sql.insertAccount(this.#store.accounts.db, {
      email: requireEmail(email),
      plan: (await this.#plans.require(plan)).name,
      created_at: this.#clock(),
      verified_at: this.#clock(),
      operator: isOperator ? 1 : 0,
    });
    if (row) return accountOf(row, await this.#plans.read());
    throw alreadyThere(email.toLowerCase(), isOperator);
  }

  /** Every account in the order of e-mail addresses, including disabled ones. */
  async list(): Promise<AccountWithUsage[]> {
    const rows = await sql.listAccounts(this.#store.accounts.db, dayOf(this.#clock()));
    const plans = await this.#plans.read();
    return rows.map((row) => withUsage(row, plans));
  }

  /**
   * A page of the accounts whose e-mail address contains `q`: `limit` of them after the first
   * `offset`, and how many there are in all. With `isWaiting`, only those that nobody has confirmed
   * yet. They are sorted by address, or the newest come first, or only those are listed that were
   * used today (UTC), the most used first.
   */
  async page(page: {
    q?: string;
    isWaiting?: boolean;
    sort?: sql.AccountOrder;
    limit: number;
    offset: number;
  }): Promise<{ accounts: AccountWithUsage[]; total: number }> {
    const { db } = this.#store.accounts;
    // No address has spaces or control characters, and PostgreSQL refuses NUL in text.
    const part = (page.q ?? '').toLowerCase();
    if (/[\s\p{C}]/u.test(part)) return { accounts: [], total: 0 };
    const day = dayOf(this.#clock());
    const { isWaiting = false, sort = 'email' } = page;
    const choice = { part, isWaiting, sort };
    const rows = await sql.pageAccounts(db, day, { ...page, ...choice });
    const plans = await this.#plans.read();
    return {
      accounts: rows.map((row) => withUsage(row, plans)),
      total: await sql.countAccounts(db, day, choice),
    };
  }

  /** How many accounts were made by signing up and wait to be confirmed. */
  countWaiting(): Promise<number> {
    return sql.countUnverified(this.#store.accounts.db);
  }

  /** Lets the owner of an account sign in who signed up. Confirming it again changes nothing. */
  async confirm(email: string): Promise<Account> {
    const account = await this.find(email);
    if (account.verifiedAt !== null) return account;
    return this.#update(email, { verified_at: this.#clock() });
  }

  /** The account of an e-mail address, in any letter case. */
  async find(email: string): Promise<Account> {
    const known = parseEmail(email);
    const row =
      known === undefined ? undefined : await sql.findAccount(this.#store.accounts.db, known);
    return accountOf(row ?? unknown(email), await this.#plans.read());
  }

  /** The account of a row id. @throws AccountError when there is none. */
  async get(id: number): Promise<Account> {
    const row = await sql.findAccountById(this.#store.accounts.db, id);
    return accountOf(row ?? unknown(`#${id}`), await this.#plans.read());
  }

  /** Changes the plan of an account; its next request is charged to the new quota. */
  async setPlan(email: string, plan: string): Promise<Account> {
    return this.#update(email, { plan: (await this.#plans.require(plan)).name });
  }

  /** Gives an account other limits than its plan, from its next request on; none when empty. */
  setLimits(email: string, limits: AccountLimits): Promise<Account> {
    const isEmpty = Object.keys(limits).length === 0;
    return this.#update(email, { limits: isEmpty ? null : JSON.stringify(limits) });
  }

  /**
   * Makes an account an operator, or takes that away.
   *
   * @throws AccountError when that would lock out who does it, or the last operator.
   */
  setOperator(email: string, isOperator: boolean, by?: ActingOperator): Promise<Account> {
    const operator = isOperator ? 1 : 0;
    return this.#change(email, async (transaction, id) => {
      if (by && !isOperator) await requireOtherOperator(transaction, id, by);
      return sql.updateAccount(transaction, id, { operator });
    });
  }

  /**
   * Disables the API keys and the password of an account at once, and ends its sessions.
   *
   * @throws AccountError when that would lock out who does it, or the last operator.
   */
  async disable(email: string, by?: ActingOperator): Promise<Account> {
    const account = await this.#change(email, async (transaction, id) => {
      if (by) await requireOtherOperator(transaction, id, by);
      return sql.disableAccount(transaction, id, this.#clock());
    });
    await deleteSessions(this.#store.accounts.db, account.id);
    return account;
  }

  /** Makes the API keys and the password of a disabled account work again. */
  enable(email: string): Promise<Account> {
    return this.#update(email, { disabled_at: null });
  }

  /**
   * Deletes an account with all that belongs to it, for good. The audit log keeps what was done, and
   * names it by its row id.
   *
   * @throws AccountError when no account has this e-mail address, or that would lock out who does
   *   it, or the last operator.
   */
  async delete(email: string, by?: ActingOperator | 'owner'): Promise<Deletion> {
    const account = await this.find(email);
    const attempts = attemptsAtAccount(account.email);
    return deleteAccount(this.#store.accounts, { ...account, attempts }, async (transaction) => {
      if (by === 'owner') await requireNoOperator(transaction, account.id);
      else if (by) await requireOtherOperator(transaction, account.id, by);
      const row = await sql.findAccountById(transaction, account.id);
      if (row) await insertDeletionEvent(transaction, row, this.#clock());
    });
  }

  #update(email: string, change: sql.AccountChange): Promise<Account> {
    return this.#change(email, (transaction, id) => sql.updateAccount(transaction, id, change));
  }

  /** Changes a row, and records in the same transaction what billing is to know of it. */
  async #change(
    email: string,
    change: (transaction: Db, id: number) => Promise<AccountRow | undefined>,
  ): Promise<Account> {
    const { id } = await this.find(email);
    const at = this.#clock();
    const row = await this.#store.accounts.db.transaction().execute(async (transaction) => {
      const before = await sql.findAccountById(transaction, id);
      const after = await change(transaction, id);
      if (before && after) await recordChange(transaction, before, after, at);
      return after;
    });
    return accountOf(row ?? unknown(email), await this.#plans.read());
  }
}

/** An account of its row, without the hash of its password. */
export function accountOf(row: AccountRow, plans: PlanTable): Account {
  return {
    id: row.id,
    email: row.email,
    plan: planWith(plans, row),
    limits: row.limits === null ? null : (JSON.parse(row.limits) as AccountLimits),
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    verifiedAt: row.verified_at,
    isOperator: row.operator === 1,
  };
}

function withUsage(row: sql.AccountWithUsage, plans: PlanTable): AccountWithUsage {
  return { ...accountOf(row, plans), usedToday: row.used };
}

function alreadyThere(email: string, isOperator: boolean): AccountError {
  const advice = isOperator
    ? `\`cardprice account set-operator ${email} on\` makes it an operator.`
    : '';
  return new AccountError('REFUSED', `There is already an account ${email}.`, { advice });
}

function unknown(email: string): never {
  throw new AccountError('REFUSED', `There is no account ${email.toLowerCase()}.`, {
    advice: '`cardprice account list` shows them all.',
  });
}

/**
 * An e-mail address in lower case.
 *
 * @throws AccountError when the text is not one.
 */
export function requireEmail(text: string): string {
  const email = parseEmail(text);
  if (email === undefined) {
    throw new AccountError('REFUSED', `"${text}" is not an e-mail address.`);
  }
  return email;
}
