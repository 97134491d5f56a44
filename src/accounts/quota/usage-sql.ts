import type { Day, Millis } from '../../domain/day.ts';
import type { Engine } from '../../store/engine/engine.ts';
import { jsonSet } from './charge-sql.ts';

/** The number of an account's requests of one day to one endpoint with one class of status. */
export interface RequestCount {
  readonly accountId: number;
  readonly day: Day;
  readonly endpoint: string;
  /** 2 for 200 to 299, and so on. */
  readonly statusClass: number;
  readonly count: number;
}

/** The number of an API key's requests of one day to one endpoint with one error or none. */
export interface KeyCount {
  readonly keyId: number;
  readonly day: Day;
  readonly endpoint: string;
  /** The code of the error; `''` for requests that were answered without one. */
  readonly code: string;
  readonly count: number;
}

/** A request of an account: what was asked, never with what words or from where. */
export interface RecentRequest {
  readonly accountId: number;
  readonly at: Millis;
  readonly requestId: string;
  readonly keyId: number;
  readonly endpoint: string;
  readonly status: number;
  /** The code of the error; null for none. */
  readonly code: string | null;
  /** How long the answer took, in milliseconds. */
  readonly ms: number;
}

/** How many of the last requests of an account are kept. */
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
  /** Stores requests, of which the last {@link MAX_RECENT} of each account are kept. */
  addRecent(requests: readonly RecentRequest[]): Promise<void>;
  /** Deletes the counts of all days before `day`. */
  removeCounts(day: Day): Promise<void>;
  /** Deletes the charges of the oldest day if that is before `day`; returns whether there were any. */
  removeOldestCharges(day: Day): Promise<boolean>;
  /** Stores those uses that are later than the stored ones of their API keys. */
  addUses(uses: readonly KeyUse[]): Promise<void>;
  /** Returns the counts of an account from a day on, in the order of the days. */
  counts(accountId: number, from: Day): Promise<Omit<RequestCount, 'accountId'>[]>;
}

/**
 * Prepares the statements. Rows are passed as the arrays of one JSON object, which both engines can
 * read. Rows of accounts and API keys that were deleted meanwhile are left out. `order by` locks
 * the rows in the same order in every process, which prevents deadlocks.
 */
export function prepareRecord(engine: Engine): RecordStatements {
  // Every statement returns rows, as better-sqlite3 runs one without rows by another method.
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
  // The bound of an account is computed once, not again for each of its rows.
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
  const removeCounts = engine.prepareCounter(
    `delete from request_counts where day < $1 returning day`,
  );
  const removeKeyCounts = engine.prepareCounter(
    `delete from key_counts where day < $1 returning day`,
  );
  const removeOldest = engine.prepareCounter(`
    delete from usage where day = (select min(day) from usage) and day < $1 returning day`);
  const addUses = engine.prepareCounter(`
    insert into key_uses (key_id, at, address)
    select cast(value ->> 0 as integer), cast(value ->> 1 as bigint), value ->> 2
    from json_each($1)
    where exists (select 1 from api_keys k where k.id = cast(value ->> 0 as integer))
    order by 1
    on conflict (key_id) do update set at = excluded.at, address = excluded.address
    where excluded.at > key_uses.at
    returning 1 as written`);
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
    async addRecent(rows) {
      const tuples = rows.map((row) => {
        const { accountId, at, requestId, keyId, endpoint, status, code, ms } = row;
        return [accountId, at, requestId, keyId, endpoint, status, code, ms];
      });
      await addRecent([jsonRows(tuples)]);
      await trimRecent([jsonSet(rows.map(({ accountId }) => accountId))]);
    },
    async removeCounts(day) {
      await removeCounts([day]);
      await removeKeyCounts([day]);
    },
    async removeOldestCharges(day) {
      return (await removeOldest([day])).length > 0;
    },
    async addUses(rows) {
      await addUses([jsonRows(rows.map(({ keyId, at, address }) => [keyId, at, address]))]);
    },
    counts: (accountId, from) => counts([accountId, from]),
  };
}

/** Formats rows as one object, because `json_each` of PostgreSQL does not read arrays. */
function jsonRows(tuples: readonly (readonly (string | number | null)[])[]): string {
  return JSON.stringify({ ...tuples });
}
