import { type Kysely, sql } from 'kysely';
import type { Day, Millis, Month } from '../../domain/day.ts';
import type { AccountLimits } from '../../domain/plans.ts';
import type { AccountDatabase } from '../../store/accounts/schema.ts';
import type { Engine } from '../../store/engine/engine.ts';
import { jsonSet } from '../../store/engine/id-lists.ts';
import { LIMITS } from './plan-sql.ts';

/** SQL that records and reports the requests of accounts. */

type Db = Kysely<AccountDatabase>;

/** Requests of an account, for one day, endpoint and class of status. */
export interface RequestCount {
  readonly accountId: number;
  readonly day: Day;
  readonly endpoint: string;
  /** 2 for 200 to 299, and so on. */
  readonly statusClass: number;
  readonly count: number;
}

/** Requests of an API key, for one day, endpoint and error. */
export interface KeyCount {
  readonly keyId: number;
  readonly day: Day;
  readonly endpoint: string;
  /** The code of the error; `''` for none. */
  readonly code: string;
  readonly count: number;
}

/** A request of an account, without its parameters and its address. */
export interface RecentRequest {
  readonly accountId: number;
  readonly at: Millis;
  readonly requestId: string;
  readonly keyId: number;
  readonly endpoint: string;
  readonly status: number;
  /** The code of the error; null for none. */
  readonly code: string | null;
  /** The duration of the request, in milliseconds. */
  readonly ms: number;
}

/** Recent requests kept for each account. */
export const MAX_RECENT = 100;

/** When an API key was last used, and from which network address. */
export interface KeyUse {
  readonly keyId: number;
  readonly at: Millis;
  readonly address: string;
}

/** The statements that record requests. */
export interface RecordStatements {
  /** Adds to the stored counts. */
  addCounts(counts: readonly RequestCount[]): Promise<void>;
  addKeyCounts(counts: readonly KeyCount[]): Promise<void>;
  /** Stores requests, and keeps the last {@link MAX_RECENT} of each account. */
  addRecent(requests: readonly RecentRequest[]): Promise<void>;
  /** Deletes the counts of all days before `day`. */
  removeCounts(day: Day): Promise<void>;
  /** Deletes the charges of the oldest day before `day`; returns whether there were any. */
  removeOldestCharges(day: Day): Promise<boolean>;
  /** Stores the uses that are later than the stored uses of their API keys. */
  addUses(uses: readonly KeyUse[]): Promise<void>;
  /** Returns the counts of an account from a day on, in the order of days. */
  counts(accountId: number, from: Day): Promise<Omit<RequestCount, 'accountId'>[]>;
}

/**
 * Prepares the statements. Rows are passed as the arrays of one JSON object, which both engines can
 * read. Rows of deleted accounts and API keys are omitted. `order by` makes every process lock the
 * rows in the same order, which prevents deadlocks. Every statement returns rows, because
 * better-sqlite3 runs other statements with another method.
 */
export function prepareRecord(engine: Engine): RecordStatements {
  const removeOldest = engine.prepareCounter(`
    delete from usage where day = (select min(day) from usage) and day < $1 returning day`);
  return {
    ...prepareCounts(engine),
    ...prepareRecent(engine),
    ...prepareUses(engine),
    async removeOldestCharges(day) {
      return (await removeOldest([day])).length > 0;
    },
  };
}

type Counts = Pick<RecordStatements, 'addCounts' | 'addKeyCounts' | 'removeCounts' | 'counts'>;

function prepareCounts(engine: Engine): Counts {
  const addCounts = engine.prepareCounter(`
    insert into request_counts (account_id, day, endpoint, status_class, count)
    select cast(value ->> 0 as integer), cast(value ->> 1 as integer), value ->> 2,
      cast(value ->> 3 as integer), cast(value ->> 4 as integer)
    from json_each($1)
    where exists (select 1 from accounts a where a.id = cast(value ->> 0 as integer))
    order by 1, 2, 3, 4
    on conflict (account_id, day, endpoint, status_class)
      do update set count = request_counts.count + excluded.count
    returning 1 as written`);
  const addKeyCounts = engine.prepareCounter(`
    insert into key_counts (key_id, day, endpoint, code, count)
    select cast(value ->> 0 as integer), cast(value ->> 1 as integer), value ->> 2, value ->> 3,
      cast(value ->> 4 as integer)
    from json_each($1)
    where exists (select 1 from api_keys k where k.id = cast(value ->> 0 as integer))
    order by 1, 2, 3, 4
    on conflict (key_id, day, endpoint, code)
      do update set count = key_counts.count + excluded.count
    returning 1 as written`);
  const removeCounts = engine.prepareCounter(
    `delete from request_counts where day < $1 returning day`,
  );
  const removeKeyCounts = engine.prepareCounter(
    `delete from key_counts where day < $1 returning day`,
  );
  const counts = engine.prepare<Omit<RequestCount, 'accountId'>>(`
    select day, endpoint, status_class as "statusClass", count from request_counts
    where account_id = $1 and day >= $2 order by day, endpoint, status_class`);
  return {
    async addCounts(rows) {
      const tuples = rows.map((row) => {
        return [row.accountId, row.day, row.endpoint, row.statusClass, row.count];
      });
      await addCounts([jsonRows(tuples)]);
    },
    async addKeyCounts(rows) {
      const tuples = rows.map((row) => [row.keyId, row.day, row.endpoint, row.code, row.count]);
      await addKeyCounts([jsonRows(tuples)]);
    },
    async removeCounts(day) {
      await removeCounts([day]);
      await removeKeyCounts([day]);
    },
    counts: (accountId, from) => counts([accountId, from]),
  };
}

function prepareRecent(engine: Engine): Pick<RecordStatements, 'addRecent'> {
  const addRecent = engine.prepareCounter(`
    insert into recent_requests (account_id, at, request_id, key_id, endpoint, status, code, ms)
    select cast(value ->> 0 as integer), cast(value ->> 1 as bigint), value ->> 2,
      cast(value ->> 3 as integer), value ->> 4, cast(value ->> 5 as integer), value ->> 6,
      cast(value ->> 7 as double precision)
    from json_each($1)
    where exists (select 1 from api_keys k where k.id = cast(value ->> 3 as integer))
    order by 1, 2, 3
    on conflict (account_id, at, request_id) do nothing
    returning 1 as written`);
  // Computes the bound of an account once, not for each of its rows.
  const trimRecent = engine.prepareCounter(`
    with bounds as materialized (
      select cast(key as integer) as account_id, (
        select r.at from recent_requests r where r.account_id = cast(key as integer)
        order by r.at desc limit 1 offset ${MAX_RECENT - 1}) as at
      from json_each($1))
    delete from recent_requests where (account_id, at, request_id) in (
      select r.account_id, r.at, r.request_id from bounds b
      join recent_requests r on r.account_id = b.account_id and r.at < b.at)
    returning 1 as deleted`);
  return {
    async addRecent(rows) {
      const tuples = rows.map((row) => {
        const { accountId, at, requestId, keyId, endpoint, status, code, ms } = row;
        return [accountId, at, requestId, keyId, endpoint, status, code, ms];
      });
      await addRecent([jsonRows(tuples)]);
      await trimRecent([jsonSet(rows.map(({ accountId }) => accountId))]);
    },
  };
}

function prepareUses(engine: Engine): Pick<RecordStatements, 'addUses'> {
  const addUses = engine.prepareCounter(`
    insert into key_uses (key_id, at, address)
    select cast(value ->> 0 as integer), cast(value ->> 1 as bigint), value ->> 2
    from json_each($1)
    where exists (select 1 from api_keys k where k.id = cast(value ->> 0 as integer))
    order by 1
    on conflict (key_id) do update set at = excluded.at, address = excluded.address
    where excluded.at > key_uses.at
    returning 1 as written`);
  return {
    async addUses(rows) {
      await addUses([jsonRows(rows.map(({ keyId, at, address }) => [keyId, at, address]))]);
    },
  };
}

/** Formats rows as one object, because `json_each` of PostgreSQL does not read arrays. */
export function jsonRows(tuples: readonly (readonly (string | number | null)[])[]): string {
  return JSON.stringify({ ...tuples });
}

/** One of the last requests of an account, with the name of its API key. */
export interface NamedRequest extends Omit<RecentRequest, 'accountId'> {
  readonly keyName: string;
}

/** Returns the last requests of an account, newest first. */
export function readRecentRequests(db: Db, accountId: number): Promise<NamedRequest[]> {
  return db
    .selectFrom('recent_requests as request')
    .innerJoin('api_keys as key', 'key.id', 'request.key_id')
    .where('request.account_id', '=', accountId)
    .select(['request.at', 'request.request_id as requestId', 'request.key_id as keyId'])
    .select(['request.endpoint', 'request.status', 'request.code', 'request.ms'])
    .select('key.name as keyName')
    .orderBy('request.at', 'desc')
    .orderBy('request.request_id', 'desc')
    .execute();
}

/** Requests of an API key, for one endpoint and error. */
export interface KeyEndpointCount extends Omit<KeyCount, 'day'> {
  readonly keyName: string;
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
  // PostgreSQL sums to a type that is read as text.
  const counts = rows.map((row) => ({ ...row, count: Number(row.count) }));
  return counts.toSorted((a, b) => b.count - a.count || a.endpoint.localeCompare(b.endpoint));
}

/** Returns the number of times each error was answered on a day, the most frequent first. */
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

/** An account with its charges of a month. */
export interface ChargedAccount {
  readonly id: number;
  readonly email: string;
  readonly plan: string;
  readonly limits: AccountLimits | null;
  readonly isDisabled: boolean;
  readonly requests: number;
  /** Days with requests. */
  readonly days: number;
  /** The most requests of a day; 0 without any. */
  readonly most: number;
}

/** A page of accounts: `limit` of the accounts created before `before`, with ids above `above`. */
interface Page {
  readonly above: number;
  readonly limit: number;
  readonly before: Millis;
}

/** Returns a page of the accounts, in the order of their row ids. */
export async function pageMonthUsage(
  db: Db,
  { first, last }: Month,
  { above, limit, before }: Page,
): Promise<ChargedAccount[]> {
  const rows = await db
    .selectFrom('accounts')
    .leftJoin('usage', (join) =>
      join
        .onRef('usage.account_id', '=', 'accounts.id')
        .on('usage.day', '>=', first)
        .on('usage.day', '<=', last)
        .on('usage.used', '>', 0),
    )
    .select(['accounts.id', 'email', 'plan', 'limits', 'disabled_at'])
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
  return rows.map(({ disabled_at, limits, ...row }) => ({
    ...row,
    limits: LIMITS.read(limits),
    isDisabled: disabled_at !== null,
    requests: Number(row.requests),
    days: Number(row.days),
  }));
}

/** Returns, by account, the first day on which it was charged `most` requests. */
export async function findHighestDays(
  db: Db,
  { first, last }: Month,
  accounts: readonly ChargedAccount[],
): Promise<ReadonlyMap<number, Day>> {
  const highest = new Map(
    accounts.filter(({ requests }) => requests > 0).map(({ id, most }) => [id, most]),
  );
  if (highest.size === 0) return new Map();
  const found = await db
    .selectFrom('usage')
    .select(['account_id', 'day', 'used'])
    .where('account_id', 'in', [...highest.keys()])
    .where('day', '>=', first)
    .where('day', '<=', last)
    .orderBy('day', 'desc')
    .execute();
  // The first of equal days comes last, so it stays.
  const days = found.filter((row) => row.used === highest.get(row.account_id));
  return new Map(days.map((row) => [row.account_id, row.day as Day]));
}
