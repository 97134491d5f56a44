import type { Day, Millis } from '../domain/day.ts';
import type { Engine } from './engine.ts';

/** The number of an account's requests of one day to one endpoint with one class of status. */
export interface RequestCount {
  readonly accountId: number;
  readonly day: Day;
  readonly endpoint: string;
  /** 2 for 200 to 299, and so on. */
  readonly statusClass: number;
  readonly count: number;
}

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
  const addCounts = engine.prepare(`
    insert into request_counts (account_id, day, endpoint, status_class, count)
    select cast(value ->> 0 as integer), cast(value ->> 1 as integer), value ->> 2,
      cast(value ->> 3 as integer), cast(value ->> 4 as integer)
    from json_each($1)
    where exists (select 1 from accounts a where a.id = cast(value ->> 0 as integer))
    order by 1, 2, 3, 4
    on conflict (account_id, day, endpoint, status_class)
      do update set count = request_counts.count + excluded.count
    returning 1 as written`);
  const removeCounts = engine.prepare(`delete from request_counts where day < $1 returning day`);
  const removeOldest = engine.prepare(`
    delete from usage where day = (select min(day) from usage) and day < $1 returning day`);
  const addUses = engine.prepare(`
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
    async removeCounts(day) {
      await removeCounts([day]);
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
function jsonRows(tuples: readonly (readonly (string | number)[])[]): string {
  return JSON.stringify({ ...tuples });
}
