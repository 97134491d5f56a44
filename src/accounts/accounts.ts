import { dayOf, type Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { findPlan, PLAN_NAMES, type Plan } from '../domain/plans.ts';
import * as sql from '../store/accounts.ts';
import type { Store } from '../store/connect.ts';
import type { AccountRow } from '../store/schema.ts';

/** Who pays for requests: a plan and its daily quota, shared by the account's keys. */
export interface Account {
  readonly id: number;
  /** In lower case. */
  readonly email: string;
  readonly plan: Plan;
  readonly createdAt: Millis;
  /** Since when its keys do not work; null when they do. */
  readonly disabledAt: Millis | null;
}

export interface AccountWithUsage extends Account {
  /** Requests charged today (UTC). */
  readonly usedToday: number;
}

const EMAIL = /^[^\s\p{C}@]+@[^\s\p{C}@]+$/u;
const MAX_EMAIL_LENGTH = 254;

/** The accounts, as the operator manages them. Every refusal is an OperatorError. */
export class Accounts {
  readonly #store: Store;
  readonly #clock: () => Millis;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Adds an account of the plan named `plan`. No two accounts have one e-mail address. */
  async create(email: string, plan: string): Promise<Account> {
    const row = await sql.insertAccount(this.#store.db, {
      email: parseEmail(email),
      plan: parsePlan(plan).name,
      created_at: this.#clock(),
    });
    if (!row) throw new OperatorError(`There is already an account ${email.toLowerCase()}.`);
    return accountOf(row);
  }

  /** Every account by e-mail address, disabled ones too. */
  async list(): Promise<AccountWithUsage[]> {
    const rows = await sql.listAccounts(this.#store.db, dayOf(this.#clock()));
    return rows.map((row) => ({ ...accountOf(row), usedToday: row.used }));
  }

  /** The account of an e-mail address, written in any case. */
  async find(email: string): Promise<Account> {
    return accountOf(
      (await sql.findAccount(this.#store.db, email.toLowerCase())) ?? unknown(email),
    );
  }

  /** Moves an account to another plan: its next request is measured by the new quota. */
  async setPlan(email: string, plan: string): Promise<Account> {
    return this.#update(email, { plan: parsePlan(plan).name });
  }

  /** Makes every key of an account stop working at once. */
  disable(email: string): Promise<Account> {
    return this.#update(email, { disabled_at: this.#clock() });
  }

  /** Makes the keys of a disabled account work again. */
  enable(email: string): Promise<Account> {
    return this.#update(email, { disabled_at: null });
  }

  async #update(
    email: string,
    change: Partial<Pick<AccountRow, 'plan' | 'disabled_at'>>,
  ): Promise<Account> {
    const row = await sql.updateAccount(this.#store.db, email.toLowerCase(), change);
    return accountOf(row ?? unknown(email));
  }
}

function accountOf(row: AccountRow): Account {
  return {
    id: row.id,
    email: row.email,
    plan: parsePlan(row.plan),
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
  };
}

function unknown(email: string): never {
  throw new OperatorError(
    `There is no account ${email.toLowerCase()}. \`cardprice account list\` shows them all.`,
  );
}

function parseEmail(text: string): string {
  if (text.length > MAX_EMAIL_LENGTH || !EMAIL.test(text)) {
    throw new OperatorError(`"${text}" is not an e-mail address.`);
  }
  return text.toLowerCase();
}

function parsePlan(name: string): Plan {
  const plan = findPlan(name);
  if (!plan) {
    throw new OperatorError(`There is no plan "${name}". The plans are ${PLAN_NAMES.join(', ')}.`);
  }
  return plan;
}
