import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Day } from '../domain/day.ts';
import type { AccountDatabase, AccountRow } from './account-schema.ts';

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
export function pageAccounts(
  db: Db,
  day: Day,
  { limit, offset, sort, ...choice }: AccountChoice & { limit: number; offset: number },
): Promise<AccountWithUsage[]> {
  const page = accountsWithUsage(db, day).where(isChosen(choice)).limit(limit).offset(offset);
  if (sort === 'newest') {
    return page.orderBy('accounts.created_at', 'desc').orderBy('accounts.id', 'desc').execute();
  }
  if (sort === 'email') return page.orderBy('accounts.email').execute();
  return page
    .where('usage.used', '>', 0)
    .orderBy('usage.used', 'desc')
    .orderBy('accounts.email')
    .execute();
}

/** Returns how many accounts are chosen. */
export async function countAccounts(
  db: Db,
  day: Day,
  { sort, ...choice }: AccountChoice,
): Promise<number> {
  const all = db.selectFrom('accounts').where(isChosen(choice));
  const chosen =
    sort === 'used'
      ? all
          .innerJoin('usage', 'usage.account_id', 'accounts.id')
          .where('usage.day', '=', day)
          .where('usage.used', '>', 0)
      : all;
  const { count } = await chosen
    .select((account) => account.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
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
