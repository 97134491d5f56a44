import type { Kysely } from 'kysely';
import type { Day } from '../../domain/day.ts';
import type { AccountDatabase, RecentRequestRow } from '../../store/accounts/schema.ts';

/** SQL that reads which requests an account has made. */

type Db = Kysely<AccountDatabase>;

/** One of the last requests of an account, with the name of its API key. */
export type NamedRequest = Omit<RecentRequestRow, 'account_id'> & { readonly key_name: string };

/** Returns the last requests of an account, the newest first. */
export function readRecentRequests(db: Db, accountId: number): Promise<NamedRequest[]> {
  return db
    .selectFrom('recent_requests as request')
    .innerJoin('api_keys as key', 'key.id', 'request.key_id')
    .where('request.account_id', '=', accountId)
    .select(['request.at', 'request.request_id', 'request.key_id', 'request.endpoint'])
    .select(['request.status', 'request.code', 'request.ms', 'key.name as key_name'])
    .orderBy('request.at', 'desc')
    .orderBy('request.request_id', 'desc')
    .execute();
}

/** The requests that an API key made to an endpoint, with one error or none. */
export interface KeyEndpointCount {
  readonly keyId: number;
  readonly keyName: string;
  readonly endpoint: string;
  /** The code of the error; `''` for none. */
  readonly code: string;
  readonly count: number;
}

/** Counts the requests of an account from a day on, the most first. */
export async function countByKey(
  db: Db,
  accountId: number,
  from: Day,
): Promise<KeyEndpointCount[]> {
  const rows = await db
    .selectFrom('api_keys as key')
    .innerJoin('key_counts as counts', 'counts.key_id', 'key.id')
    .where('key.account_id', '=', accountId)
    .where('counts.day', '>=', from)
    .groupBy(['key.id', 'key.name', 'counts.endpoint', 'counts.code'])
    .select(['key.id as keyId', 'key.name as keyName', 'counts.endpoint', 'counts.code'])
    .select(({ fn }) => fn.sum<number | string>('counts.count').as('count'))
    .execute();
  // PostgreSQL sums up to a type that is read as text.
  const counts = rows.map((row) => ({ ...row, count: Number(row.count) }));
  return counts.toSorted((a, b) => b.count - a.count || a.endpoint.localeCompare(b.endpoint));
}

/** How often each error was answered on a day. */
export async function countErrorsOf(db: Db, day: Day): Promise<{ code: string; count: number }[]> {
  const rows = await db
    .selectFrom('key_counts')
    .where('day', '=', day)
    .where('code', '!=', '')
    .groupBy('code')
    .select('code')
    .select(({ fn }) => fn.sum<number | string>('count').as('count'))
    .execute();
  const counts = rows.map(({ code, count }) => ({ code, count: Number(count) }));
  return counts.toSorted((a, b) => b.count - a.count || a.code.localeCompare(b.code));
}
