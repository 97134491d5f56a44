import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Day } from '../domain/day.ts';
import type { AccountDatabase, AccountRow } from '../store/accounts/schema.ts';

/** SQL that lists accounts. */

type Db = Kysely<AccountDatabase>;

/** An account with the requests charged to it on one day. */
export type AccountWithUsage = AccountRow & { used: number };

/** How accounts are sorted: by address, the newest first, or those used that day, most first. */
export type AccountOrder = 'email' | 'newest' | 'used';

/** Which accounts are listed. */
interface AccountChoice {
  /** In their e-mail address, in lower case. */
  readonly part: string;
  /** Only those that nobody has confirmed yet. */
  readonly isWaiting: boolean;
  readonly sort: AccountOrder;
}

/** Returns all accounts in the order of their e-mail addresses, with their usage of `day`. */
export function listAccounts(db: Db, day: Day): Promise<AccountWithUsage[]> {
  return accountsWithUsage(db, day).orderBy('accounts.email').execute();
}

/** Returns a page of the chosen accounts. */
export async function pageAccounts(
  db: Db,
  day: Day,
  { limit, offset, sort, ...choice }: AccountChoice & { limit: number; offset: number },
): Promise<AccountWithUsage[]> {
  // The ids alone are sorted: whole rows of a hundred thousand accounts would take a second.
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
  return rows.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
}

/** Returns how many accounts are chosen. */
export async function countAccounts(db: Db, day: Day, choice: AccountChoice): Promise<number> {
  const { count } = await chosenAccounts(db, day, choice)
    .select((account) => account.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

function chosenAccounts(db: Db, day: Day, { sort, ...choice }: AccountChoice) {
  const used = sort === 'used';
  return db
    .selectFrom('accounts')
    .$if(used, (accounts) =>
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
  // Ids are given in the order in which accounts are made.
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

function isChosen({ part, isWaiting }: Omit<AccountChoice, 'sort'>): RawBuilder<boolean> {
  const pattern = `%${part.replace(/[\\%_]/g, '\\$&')}%`;
  const contains = sql<boolean>`accounts.email like ${pattern} escape '\\'`;
  return isWaiting ? sql`${contains} and accounts.verified_at is null` : contains;
}
