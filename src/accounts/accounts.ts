import { dayOf, type Millis } from '../domain/day.ts';
import { parseEmail } from '../domain/email.ts';
import { AccountError } from '../domain/errors.ts';
import { findPlan, PLAN_NAMES, type Plan } from '../domain/plans.ts';
import * as sql from '../store/accounts.ts';
import type { Store } from '../store/connect.ts';
import type { AccountRow } from '../store/schema.ts';
import { deleteSessions } from '../store/sessions.ts';

/** Who pays for requests: a plan and its daily quota, shared by the account's keys. */
export interface Account {
  readonly id: number;
  /** In lower case. */
  readonly email: string;
  readonly plan: Plan;
  readonly createdAt: Millis;
  /** Since when neither its keys nor its password work; null when they do. */
  readonly disabledAt: Millis | null;
  /** Whether whoever signs in to it may see and change everybody's. */
  readonly isOperator: boolean;
}

export interface AccountWithUsage extends Account {
  /** Requests charged today (UTC). */
  readonly usedToday: number;
}

/** The accounts, as the operator manages them. Every refusal is an AccountError. */
export class Accounts {
  readonly #store: Store;
  readonly #clock: () => Millis;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Adds an account of the plan named `plan`. No two accounts have one e-mail address. */
  async create(
    email: string,
    plan: string,
    { isOperator = false }: { isOperator?: boolean } = {},
  ): Promise<Account> {
    const row = await sql.insertAccount(this.#store.db, {
      email: requireEmail(email),
      plan: planOf(plan).name,
      created_at: this.#clock(),
      operator: isOperator ? 1 : 0,
    });
    if (row) return accountOf(row);
    throw alreadyThere(email.toLowerCase(), isOperator);
  }

  /** Every account by e-mail address, disabled ones too. */
  async list(): Promise<AccountWithUsage[]> {
    const rows = await sql.listAccounts(this.#store.db, dayOf(this.#clock()));
    return rows.map(withUsage);
  }

  /**
   * Some accounts by e-mail address, of those whose address has `q` in it: `limit` of them after
   * the first `offset`, and how many there are in all.
   */
  async page(page: {
    q?: string;
    limit: number;
    offset: number;
  }): Promise<{ accounts: AccountWithUsage[]; total: number }> {
    const { db } = this.#store;
    // What no address holds, such as the character that PostgreSQL takes in no text, finds none.
    const part = (page.q ?? '').toLowerCase();
    if (/[\s\p{C}]/u.test(part)) return { accounts: [], total: 0 };
    const rows = await sql.pageAccounts(db, dayOf(this.#clock()), { ...page, part });
    return { accounts: rows.map(withUsage), total: await sql.countAccounts(db, part) };
  }

  /** The account of an e-mail address, written in any case. */
  async find(email: string): Promise<Account> {
    const known = parseEmail(email);
    const row = known === undefined ? undefined : await sql.findAccount(this.#store.db, known);
    return accountOf(row ?? unknown(email));
  }

  /** Moves an account to another plan: its next request is measured by the new quota. */
  async setPlan(email: string, plan: string): Promise<Account> {
    return this.#update(email, { plan: planOf(plan).name });
  }

  /** Lets whoever signs in to an account see and change everybody's, or no more. */
  setOperator(email: string, isOperator: boolean): Promise<Account> {
    return this.#update(email, { operator: isOperator ? 1 : 0 });
  }

  /** Makes every key and the password of an account stop working at once, and ends its sessions. */
  async disable(email: string): Promise<Account> {
    const account = await this.#update(email, { disabled_at: this.#clock() });
    await deleteSessions(this.#store.db, account.id);
    return account;
  }

  /** Makes the keys and the password of a disabled account work again. */
  enable(email: string): Promise<Account> {
    return this.#update(email, { disabled_at: null });
  }

  /**
   * Removes an account with its keys, its sessions and all that was counted of it, for good.
   *
   * @throws AccountError when there is none of this e-mail address.
   */
  async delete(email: string): Promise<void> {
    const { id } = await this.find(email);
    await sql.deleteAccount(this.#store.db, id);
  }

  async #update(
    email: string,
    change: Partial<Pick<AccountRow, 'plan' | 'disabled_at' | 'operator'>>,
  ): Promise<Account> {
    const { id } = await this.find(email);
    return accountOf((await sql.updateAccount(this.#store.db, id, change)) ?? unknown(email));
  }
}

/** An account as the store has it, without what nobody is to see of it. */
export function accountOf(row: AccountRow): Account {
  return {
    id: row.id,
    email: row.email,
    plan: planOf(row.plan),
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    isOperator: row.operator === 1,
  };
}

function withUsage(row: sql.AccountWithUsage): AccountWithUsage {
  return { ...accountOf(row), usedToday: row.used };
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
 * @throws AccountError when the text is none.
 */
export function requireEmail(text: string): string {
  const email = parseEmail(text);
  if (email === undefined) {
    throw new AccountError('REFUSED', `"${text}" is not an e-mail address.`);
  }
  return email;
}

/**
 * The plan of a name.
 *
 * @throws AccountError when there is none.
 */
export function planOf(name: string): Plan {
  const plan = findPlan(name);
  if (plan) return plan;
  const names = PLAN_NAMES.join(', ');
  throw new AccountError('REFUSED', `There is no plan "${name}". The plans are ${names}.`);
}
