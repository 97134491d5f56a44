import type { Day, Millis } from '../domain/day.ts';
import type { Engine } from './engine.ts';

/** Requests of an account on one day that asked for the same and were answered alike. */
export interface RequestCount {
  readonly accountId: number;
  readonly day: Day;
  readonly endpoint: string;
  /** 2 for 200 to 299, and so on. */
  readonly statusClass: number;
  readonly count: number;
}

/** When a key was last used, and from which network address. */
export interface KeyUse {
  readonly keyId: number;
  readonly at: Millis;
  readonly address: string;
}

/** The statements by which it is kept what requests asked for. */
export interface RecordStatements {
  /** Adds to what was counted before, by this process or another. */
  addCounts(counts: readonly RequestCount[]): Promise<void>;
  /** Removes the counts of every day before `day`. */
  removeCounts(day: Day): Promise<void>;
  /** Notes the uses that are later than what is known of their keys. */
  addUses(uses: readonly KeyUse[]): Promise<void>;
  /** What was counted of an account from a day on, by day. */
  counts(accountId: number, from: Day): Promise<Omit<RequestCount, 'accountId'>[]>;
}

/**
 * Prepares the statements. Rows travel as the arrays of one JSON object, which both engines read
 * alike. Nothing is kept of an account or key that was deleted before it is written; rows are
 * locked in the order of their keys, so that two processes never wait in a circle.
 */
export function prepareRecord(engine: Engine): RecordStatements {
  // They return something, because SQLite runs what returns nothing in another way.
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
    async addUses(rows) {
      await addUses([jsonRows(rows.map(({ keyId, at, address }) => [keyId, at, address]))]);
    },
    counts: (accountId, from) => counts([accountId, from]),
  };
}

/** `json_each` of PostgreSQL reads the members of an object only. */
function jsonRows(tuples: readonly (readonly (string | number)[])[]): string {
  return JSON.stringify({ ...tuples });
}
