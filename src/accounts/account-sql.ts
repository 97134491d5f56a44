import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Day, Millis } from '../domain/day.ts';
import type { AccountLimits } from '../domain/plans.ts';
import { emailSpellings } from '../lib/email.ts';
import type { AccountDatabase, AccountRow } from '../store/accounts/schema.ts';
import { LIMITS } from './quota/plan-sql.ts';

/** SQL of accounts. */

type Db = Kysely<AccountDatabase>;

/** An account as stored in the database. */
export interface AccountRecord {
  readonly id: number;
  /** In lower case. */
  readonly email: string;
  /** The name of its plan. */
  readonly plan: string;
  /** Its differences from its plan; null for none. */
  readonly limits: AccountLimits | null;
  readonly createdAt: Millis;
  readonly disabledAt: Millis | null;
  readonly verifiedAt: Millis | null;
  readonly isOperator: boolean;
  /** argon2id in the PHC format; null if the account has no password. */
  readonly passwordHash: string | null;
  /** Grows when a change ends sessions: see `AccountRow`. */
  readonly credentialVersion: number;
}

export function accountRecord(row: AccountRow): AccountRecord {
  return {
    id: row.id,
    email: row.email,
    plan: row.plan,
    limits: LIMITS.read(row.limits),
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    verifiedAt: row.verified_at,
    isOperator: row.operator === 1,
    passwordHash: row.password_hash,
    credentialVersion: row.credential_version,
  };
}

/** An account to add. */
type NewAccount = Pick<AccountRecord, 'email' | 'plan' | 'createdAt'> &
  Partial<Pick<AccountRecord, 'passwordHash' | 'isOperator' | 'verifiedAt'>>;

/**
 * Adds an account; returns undefined if another account has its e-mail address, in any spelling of
 * the domain. The address comes from `parseEmail`.
 */
export async function insertAccount(
  db: Db,
  { email, plan, createdAt, ...account }: NewAccount,
): Promise<AccountRecord | undefined> {
  // All new accounts have the spelling of `parseEmail`, so no duplicate can appear in between.
  if (emailSpellings(email).length > 1 && (await findAccount(db, email))) return undefined;
  const row = await db
    .insertInto('accounts')
    .values({
      email,
      plan,
      created_at: createdAt,
      disabled_at: null,
      password_hash: account.passwordHash ?? null,
      operator: account.isOperator ? 1 : 0,
      verified_at: account.verifiedAt ?? null,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && accountRecord(row);
}

/** Returns the account of an e-mail address, in any letter case and spelling of the domain. */
export async function findAccount(db: Db, email: string): Promise<AccountRecord | undefined> {
  const spellings = emailSpellings(email);
  if (spellings.length === 0) return undefined;
  const rows = await db
    .selectFrom('accounts')
    .selectAll()
    .where('email', 'in', spellings)
    .execute();
  // Accounts from before domains had one spelling may share an address; each has its own spelling.
  const [row] = rows.toSorted((a, b) => spellings.indexOf(a.email) - spellings.indexOf(b.email));
  return row && accountRecord(row);
}

export async function findAccountById(db: Db, id: number): Promise<AccountRecord | undefined> {
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
  return row && accountRecord(row);
}

/** A change of an account. Fields left out keep their value. */
export type AccountChange = Partial<
  Pick<AccountRecord, 'plan' | 'disabledAt' | 'isOperator' | 'limits' | 'verifiedAt'>
>;

/** Changes an account; returns undefined if no account has this id. */
export async function updateAccount(
  db: Db,
  id: number,
  { plan, disabledAt, isOperator, limits, verifiedAt }: AccountChange,
): Promise<AccountRecord | undefined> {
  const row = await db
    .updateTable('accounts')
    .set({
      ...(plan !== undefined && { plan }),
      ...(disabledAt !== undefined && { disabled_at: disabledAt }),
      ...(isOperator !== undefined && { operator: isOperator ? 1 : 0 }),
      ...(limits !== undefined && { limits: LIMITS.write(limits) }),
      ...(verifiedAt !== undefined && { verified_at: verifiedAt }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && accountRecord(row);
}

/** Disables an account and ends its sessions; returns undefined if no account has this id. */
export async function disableAccount(
  db: Db,
  id: number,
  now: Millis,
): Promise<AccountRecord | undefined> {
  const row = await db
    .updateTable('accounts')
    .set((account) => ({ disabled_at: now, ...nextVersion(account) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && accountRecord(row);
}

/** The part of an update of an account that ends every session begun before it. */
export function nextVersion(account: ExpressionBuilder<AccountDatabase, 'accounts'>) {
  return { credential_version: account('credential_version', '+', 1) };
}

/** An operator. */
export interface OperatorAccess {
  readonly id: number;
  /** Whether the account has a password, is confirmed and is not disabled. */
  readonly canSignIn: boolean;
}

/** Returns the addresses of operators with working accounts, in alphabetical order. */
export async function operatorEmails(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .where('operator', '=', 1)
    .where('disabled_at', 'is', null)
    .where('verified_at', 'is not', null)
    .select('email')
    .orderBy('email')
    .execute();
  return rows.map(({ email }) => email);
}

/** Returns all operators and locks their rows until the end of the transaction. */
export async function lockOperators(transaction: Db): Promise<OperatorAccess[]> {
  // An update that changes nothing locks rows on both engines.
  const rows = await transaction
    .updateTable('accounts')
    .set({ operator: 1 })
    .where('operator', '=', 1)
    .returning(['id', 'disabled_at', 'verified_at', 'password_hash'])
    .execute();
  return rows.map(({ id, disabled_at, verified_at, password_hash }) => ({
    id,
    canSignIn: disabled_at === null && verified_at !== null && password_hash !== null,
  }));
}

/**
 * Returns the ids of at most 20 unconfirmed accounts to delete: those older than `before`, and the
 * oldest ones beyond `most`.
 */
export async function findForgottenSignUps(
  db: Db,
  { before, most }: { before: Millis; most: number },
): Promise<number[]> {
  const old = db.selectFrom('accounts').select('id').where('verified_at', 'is', null);
  const rows = [
    ...(await old.where('created_at', '<', before).limit(10).execute()),
    ...(await old.orderBy('created_at', 'desc').orderBy('id').offset(most).limit(10).execute()),
  ];
  return [...new Set(rows.map(({ id }) => id))];
}

/** Deletes an account and its reset links, unless it has been confirmed. */
export async function deleteUnverified(db: Db, id: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const isUnverified = transaction
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', id)
      .where('verified_at', 'is', null);
    await transaction
      .deleteFrom('password_resets')
      .where('account_id', 'in', isUnverified)
      .execute();
    await transaction
      .deleteFrom('accounts')
      .where('id', '=', id)
      .where('verified_at', 'is', null)
      .execute();
  });
}

/** Makes other transactions that lock the same account wait until this one ends. */
export async function lockAccount(transaction: Db, id: number): Promise<void> {
  await transaction
    .updateTable('accounts')
    .set((account) => ({ plan: account.ref('plan') }))
    .where('id', '=', id)
    .execute();
}

/** Returns the number of unconfirmed accounts. */
export async function countUnverified(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('accounts')
    .select((account) => account.fn.countAll<number>().as('count'))
    .where('verified_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Counts all accounts, and the operators that have a password to sign in with. */
export async function countAllAccounts(
  db: Db,
): Promise<{ readonly all: number; readonly operators: number }> {
  const { all, operators } = await db
    .selectFrom('accounts')
    .select(({ fn, eb }) => [
      fn.countAll().as('all'),
      fn
        .countAll()
        .filterWhere(eb.and([eb('operator', '=', 1), eb('password_hash', 'is not', null)]))
        .as('operators'),
    ])
    .executeTakeFirstOrThrow();
  return { all: Number(all), operators: Number(operators) };
}

/** Returns the addresses of operators who can sign in with a password alone, in their order. */
export async function operatorsWithoutSecondFactor(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('email')
    .where('operator', '=', 1)
    .where('password_hash', 'is not', null)
    .where('disabled_at', 'is', null)
    .where(({ not, exists, selectFrom }) => {
      const totp = selectFrom('totp').select('account_id').where('confirmed_at', 'is not', null);
      return not(exists(totp.whereRef('totp.account_id', '=', 'accounts.id')));
    })
    .where(({ not, exists, selectFrom }) => {
      const passkeys = selectFrom('passkeys').select('account_id');
      return not(exists(passkeys.whereRef('passkeys.account_id', '=', 'accounts.id')));
    })
    .orderBy('email')
    .execute();
  return rows.map(({ email }) => email);
}

/** An account with the requests charged to it on one day. */
export interface UsedAccount extends AccountRecord {
  readonly used: number;
}

/** Sorts by address, newest first, or by the day's usage, most first. */
export type AccountOrder = 'email' | 'newest' | 'used';

/** Which accounts to list. With the order `used`, only those used that day. */
interface AccountChoice {
  /** Parts of e-mail addresses, in lower case. Lists the accounts that have one of them. */
  readonly parts: readonly string[];
  /** Lists only unconfirmed accounts. */
  readonly isWaiting: boolean;
  readonly sort: AccountOrder;
}

/** Returns all accounts in the order of their e-mail addresses, with their usage on `day`. */
export async function listAccounts(db: Db, day: Day): Promise<UsedAccount[]> {
  return (await accountsWithUsage(db, day).orderBy('accounts.email').execute()).map(usedAccount);
}

/** Returns a page of the chosen accounts. */
export async function pageAccounts(
  db: Db,
  day: Day,
  { limit, offset, sort, ...choice }: AccountChoice & { limit: number; offset: number },
): Promise<UsedAccount[]> {
  // Sorts only the ids: sorting whole rows of 100,000 accounts would take a second.
  const ids = await sorted(chosenAccounts(db, day, { sort, ...choice }), sort)
    .select('accounts.id')
    .limit(limit)
    .offset(offset)
    .execute();
  const order = new Map(ids.map(({ id }, index) => [id, index]));
  if (order.size === 0) return [];
  const rows = await accountsWithUsage(db, day)
    .where('accounts.id', 'in', [...order.keys()])
    .execute();
  return rows.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0)).map(usedAccount);
}

/** Returns the number of chosen accounts. */
export async function countAccounts(db: Db, day: Day, choice: AccountChoice): Promise<number> {
  const { count } = await chosenAccounts(db, day, choice)
    .select((account) => account.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

function usedAccount(row: AccountRow & { used: number }): UsedAccount {
  return { ...accountRecord(row), used: row.used };
}

function chosenAccounts(db: Db, day: Day, { sort, ...choice }: AccountChoice) {
  return db
    .selectFrom('accounts')
    .$if(sort === 'used', (accounts) =>
      accounts
        .innerJoin('usage', 'usage.account_id', 'accounts.id')
        .where('usage.day', '=', day)
        .where('usage.used', '>', 0),
    )
    .where(isChosen(choice));
}

type Chosen = ReturnType<typeof chosenAccounts>;

function sorted(accounts: Chosen, sort: AccountOrder): Chosen {
  if (sort === 'email') return accounts.orderBy('accounts.email');
  // Newer accounts have higher ids.
  if (sort === 'newest') return accounts.orderBy('accounts.id', 'desc');
  return accounts.orderBy(sql.ref('usage.used'), 'desc').orderBy('accounts.email');
}

function accountsWithUsage(db: Db, day: Day) {
  return db
    .selectFrom('accounts')
    .leftJoin('usage', (join) =>
      join.onRef('usage.account_id', '=', 'accounts.id').on('usage.day', '=', day),
    )
    .selectAll('accounts')
    .select((column) => column.fn.coalesce('usage.used', sql<number>`0`).as('used'));
}

function isChosen({ parts, isWaiting }: Omit<AccountChoice, 'sort'>): RawBuilder<boolean> {
  const contain = parts.map((part) => {
    const pattern = `%${part.replace(/[\\%_]/g, '\\$&')}%`;
    return sql`accounts.email like ${pattern} escape '\\'`;
  });
  const isNamed = sql<boolean>`(${sql.join(contain, sql` or `)})`;
  return isWaiting ? sql`${isNamed} and accounts.verified_at is null` : isNamed;
}
