import { dayOf, type Millis } from '../domain/day.ts';
import { AccountError } from '../domain/errors.ts';
import type { AccountLimits, Plan, PlanTable } from '../domain/plans.ts';
import { emailSpellings, parseEmail } from '../lib/email.ts';
import type { AccountTransaction, Store } from '../store/connect.ts';
import { type Deletion, deleteAccount } from './account-deletion-sql.ts';
import * as sql from './account-sql.ts';
import { insertAccountEvent, insertDeletionEvent } from './billing/billing-sql.ts';
import { recordChange } from './billing/events.ts';
import { Plans, planWith } from './quota/plans.ts';
import { attemptsAtAccount } from './sign-in/attempt-limiter.ts';
import { deleteSessions } from './sign-in/session-sql.ts';

/** An account: a plan with a daily quota that all of its API keys share. */
export interface Account {
  readonly id: number;
  /** In lower case. */
  readonly email: string;
  /** Its plan, with its own limits. */
  readonly plan: Plan;
  /** Its differences from its plan; null for none. */
  readonly limits: AccountLimits | null;
  readonly createdAt: Millis;
  /** When its API keys and its password were disabled; null while they work. */
  readonly disabledAt: Millis | null;
  /** When its owner proved access to the mailbox, or an operator confirmed it; null until then. */
  readonly verifiedAt: Millis | null;
  /** Whether its sessions may see and change every account. */
  readonly isOperator: boolean;
}

export interface AccountWithUsage extends Account {
  /** Requests charged today (UTC). */
  readonly usedToday: number;
}

/** The operator who changes an account. */
export interface ActingOperator {
  readonly accountId: number;
  /** The API key that acts for the operator; undefined in a session. */
  readonly keyId?: number;
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

  /** Adds a confirmed account. E-mail addresses are unique. */
  async create(
    email: string,
    plan: string,
    { isOperator = false }: { isOperator?: boolean } = {},
  ): Promise<Account> {
    const at = this.#clock();
    const account = {
      email: requireEmail(email),
      plan: (await this.#plans.require(plan)).name,
      createdAt: at,
      verifiedAt: at,
      isOperator,
    };
    const added = await this.#store.accounts.db.transaction().execute(async (transaction) => {
      const record = await sql.insertAccount(transaction, account);
      if (record) await insertAccountEvent(transaction, 'account.created', record, { at });
      return record;
    });
    if (added) return accountOf(added, await this.#plans.read());
    throw alreadyThere(account.email, isOperator);
  }

  /** Returns all accounts, disabled ones included, in the order of their e-mail addresses. */
  async list(): Promise<AccountWithUsage[]> {
    const records = await sql.listAccounts(this.#store.accounts.db, dayOf(this.#clock()));
    const plans = await this.#plans.read();
    return records.map((record) => withUsage(record, plans));
  }

  /**
   * Returns a page of the accounts whose e-mail address contains `q`, and the number of all such
   * accounts. `isWaiting` chooses unconfirmed accounts. The order `used` chooses accounts that were
   * used today (UTC).
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
    const parts = [...new Set([part, ...emailSpellings(part)])];
    const day = dayOf(this.#clock());
    const { isWaiting = false, sort = 'email', limit, offset } = page;
    const choice = { parts, isWaiting, sort };
    const records = await sql.pageAccounts(db, day, { limit, offset, ...choice });
    const plans = await this.#plans.read();
    return {
      accounts: records.map((record) => withUsage(record, plans)),
      total: await sql.countAccounts(db, day, choice),
    };
  }

  /** Returns the number of accounts that signed up and wait to be confirmed. */
  countWaiting(): Promise<number> {
    return sql.countUnverified(this.#store.accounts.db);
  }

  /**
   * Lets the owner of an account that signed up sign in. Repeating it changes nothing.
   *
   * @throws AccountError if an API key would let an operator in.
   */
  async confirm(email: string, by?: ActingOperator): Promise<Account> {
    const account = await this.find(email);
    if (account.verifiedAt !== null) return account;
    return this.#letIn(email, { verifiedAt: this.#clock() }, by);
  }

  /** Returns the account of an e-mail address, in any letter case and spelling of the domain. */
  async find(email: string): Promise<Account> {
    const record = await sql.findAccount(this.#store.accounts.db, email);
    return accountOf(record || unknown(email), await this.#plans.read());
  }

  /** Returns the account of a row id. @throws AccountError if there is none. */
  async get(id: number): Promise<Account> {
    const record = await sql.findAccountById(this.#store.accounts.db, id);
    return accountOf(record ?? unknown(`#${id}`), await this.#plans.read());
  }

  /** Changes the plan of an account, from its next request. */
  async setPlan(email: string, plan: string): Promise<Account> {
    return this.#update(email, { plan: (await this.#plans.require(plan)).name });
  }

  /** Replaces an account's own limits, from its next request. Empty limits remove them. */
  setLimits(email: string, limits: AccountLimits): Promise<Account> {
    const isEmpty = Object.keys(limits).length === 0;
    return this.#update(email, { limits: isEmpty ? null : limits });
  }

  /**
   * Makes an account an operator, or an ordinary account again.
   *
   * @throws AccountError if that would lock out the acting operator or the last operator.
   */
  setOperator(email: string, isOperator: boolean, by?: ActingOperator): Promise<Account> {
    return this.#change(email, async (transaction, id) => {
      if (by && !isOperator) await requireOtherOperator(transaction, id, by);
      return sql.updateAccount(transaction, id, { isOperator });
    });
  }

  /**
   * Disables the API keys and the password of an account at once, and ends its sessions.
   *
   * @throws AccountError if that would lock out the acting operator or the last operator.
   */
  async disable(email: string, by?: ActingOperator): Promise<Account> {
    const account = await this.#change(email, async (transaction, id) => {
      if (by) await requireOtherOperator(transaction, id, by);
      return sql.disableAccount(transaction, id, this.#clock());
    });
    await deleteSessions(this.#store.accounts.db, account.id);
    return account;
  }

  /**
   * Makes the API keys and the password of a disabled account work again.
   *
   * @throws AccountError if an API key would let an operator in.
   */
  enable(email: string, by?: ActingOperator): Promise<Account> {
    return this.#letIn(email, { disabledAt: null }, by);
  }

  /**
   * Deletes an account and everything that belongs to it. The audit log keeps its entries and names
   * the account by its row id.
   *
   * @throws AccountError if no account has this address, or if that would lock out the acting
   *   operator or the last operator.
   */
  async delete(email: string, by?: ActingOperator | 'owner'): Promise<Deletion> {
    const account = await this.find(email);
    const attempts = attemptsAtAccount(account.email);
    return deleteAccount(this.#store.accounts, { ...account, attempts }, async (transaction) => {
      if (by === 'owner') await requireNoOperator(transaction, account.id);
      else if (by) await requireOtherOperator(transaction, account.id, by);
      const record = await sql.findAccountById(transaction, account.id);
      if (record) await insertDeletionEvent(transaction, record, this.#clock());
    });
  }

  #update(email: string, change: sql.AccountChange): Promise<Account> {
    return this.#change(email, (transaction, id) => sql.updateAccount(transaction, id, change));
  }

  #letIn(email: string, change: sql.AccountChange, by?: ActingOperator): Promise<Account> {
    return this.#change(email, async (transaction, id) => {
      if (by?.keyId !== undefined && (await isOperator(transaction, id))) throw operatorsAccess();
      return sql.updateAccount(transaction, id, change);
    });
  }

  /** Changes an account and records the billing event for it in the same transaction. */
  async #change(
    email: string,
    change: (transaction: AccountTransaction, id: number) => Promise<sql.AccountRecord | undefined>,
  ): Promise<Account> {
    const { id } = await this.find(email);
    const at = this.#clock();
    const record = await this.#store.accounts.db.transaction().execute(async (transaction) => {
      const before = await sql.findAccountById(transaction, id);
      const after = await change(transaction, id);
      if (before && after) await recordChange(transaction, before, after, at);
      return after;
    });
    return accountOf(record ?? unknown(email), await this.#plans.read());
  }
}

/** Returns the account of a record, without its credentials. */
export function accountOf(record: sql.AccountRecord, plans: PlanTable): Account {
  const { passwordHash: _, credentialVersion: __, ...account } = record;
  return { ...account, plan: planWith(plans, record) };
}

function withUsage({ used, ...record }: sql.UsedAccount, plans: PlanTable): AccountWithUsage {
  return { ...accountOf(record, plans), usedToday: used };
}

/**
 * Keeps operators from locking out themselves or the last operator who can sign in, and API keys
 * from locking out any. Locks all operators until the end of the transaction, so two operators
 * cannot remove each other.
 */
async function requireOtherOperator(
  transaction: AccountTransaction,
  accountId: number,
  by: ActingOperator,
): Promise<void> {
  const operators = await sql.lockOperators(transaction);
  if (!operators.some(({ id }) => id === by.accountId)) {
    throw new AccountError('FORBIDDEN', 'This is for operators only.');
  }
  if (accountId === by.accountId) {
    throw new AccountError('REFUSED', 'This is your own account: another operator has to do it.');
  }
  if (!operators.some(({ id }) => id === accountId)) return;
  if (by.keyId !== undefined) throw operatorsAccess();
  const others = operators.filter(({ id, canSignIn }) => id !== accountId && canSignIn);
  if (others.length === 0) {
    throw new AccountError('REFUSED', 'This is the last operator who can sign in.');
  }
}

/**
 * Returns whether an account is an operator, and keeps that so until the end of the transaction.
 */
async function isOperator(transaction: AccountTransaction, accountId: number): Promise<boolean> {
  return (await sql.lockOperators(transaction)).some(({ id }) => id === accountId);
}

function operatorsAccess(): AccountError {
  return new AccountError(
    'SESSION_REQUIRED',
    'API keys cannot confirm, enable, disable or delete the account of an operator. Use the page ' +
      'Accounts, or `cardprice account`.',
  );
}

/** Keeps operators from deleting their own account. */
async function requireNoOperator(
  transaction: AccountTransaction,
  accountId: number,
): Promise<void> {
  if (!(await isOperator(transaction, accountId))) return;
  throw new AccountError(
    'REFUSED',
    'Operators cannot delete their own account. Ask another operator to do it.',
  );
}

function alreadyThere(email: string, isOperator: boolean): AccountError {
  const advice = isOperator
    ? `\`cardprice account set-operator ${email} on\` makes it an operator.`
    : '';
  return new AccountError('REFUSED', `There is already an account ${email}.`, { advice });
}

function unknown(email: string): never {
  throw new AccountError('REFUSED', `There is no account ${email.toLowerCase()}.`, {
    advice: '`cardprice account list` shows all accounts.',
  });
}

/**
 * Returns an e-mail address as accounts are stored. @throws AccountError if the text is not one.
 */
export function requireEmail(text: string): string {
  const email = parseEmail(text);
  if (email !== undefined) return email;
  throw new AccountError('REFUSED', `"${text}" is not an e-mail address.`);
}
