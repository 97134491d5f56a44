import { type Kysely, sql } from 'kysely';
import type { Month } from '../../domain/day.ts';
import type { AccountDatabase, AccountRow } from '../../store/accounts/schema.ts';

/** SQL of the usage of a month. */

type Db = Kysely<AccountDatabase>;

/** An account with what it was charged in a month. */
export interface MonthUsageRow extends Pick<AccountRow, 'id' | 'email' | 'plan' | 'limits'> {
  readonly created_at: number;
  readonly disabled_at: number | null;
  readonly requests: number;
  /** Days with requests. */
  readonly days: number;
  /** The most requests of a day; 0 without any. */
  readonly most: number;
}

/** Which accounts are meant: `limit` of those that were made before `before`, after the id `above`. */
interface Page {
  readonly above: number;
  readonly limit: number;
  readonly before: number;
}

/** Returns a page of the accounts, in the order of their row ids. */
export async function pageMonthUsage(
  db: Db,
  { first, last }: Month,
  { above, limit, before }: Page,
): Promise<MonthUsageRow[]> {
  const rows = await db
    .selectFrom('accounts')
    .leftJoin('usage', (join) =>
      join
        .onRef('usage.account_id', '=', 'accounts.id')
        .on('usage.day', '>=', first)
        .on('usage.day', '<=', last)
        .on('usage.used', '>', 0),
    )
    .select(['accounts.id', 'email', 'plan', 'limits', 'created_at', 'disabled_at'])
    .select(({ fn }) => [
      sql<number | string>`coalesce(sum(usage.used), 0)`.as('requests'),
      fn.count<number | string>('usage.day').as('days'),
      sql<number>`coalesce(max(usage.used), 0)`.as('most'),
    ])
    .where('accounts.id', '>', above)
    .where('created_at', '<', before)
    .groupBy('accounts.id')
    .orderBy('accounts.id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, requests: Number(row.requests), days: Number(row.days) }));
}

/** Returns the first day on which each of some accounts was charged `most` requests, by account. */
export async function findHighestDays(
  db: Db,
  { first, last }: Month,
  rows: readonly MonthUsageRow[],
): Promise<ReadonlyMap<number, number>> {
  const most = rows.filter(({ requests }) => requests > 0);
  if (most.length === 0) return new Map();
  const found = await db
    .selectFrom('usage')
    .select(['account_id', 'day', 'used'])
    .where(
      'account_id',
      'in',
      most.map(({ id }) => id),
    )
    .where('day', '>=', first)
    .where('day', '<=', last)
    .orderBy('day', 'desc')
    .execute();
  const highest = new Map(most.map((row) => [row.id, row.most]));
  // The first of equal days comes last, and stays.
  const days = found.filter((row) => row.used === highest.get(row.account_id));
  return new Map(days.map((row) => [row.account_id, row.day]));
}
