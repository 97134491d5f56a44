import type { Kysely } from 'kysely';
import type { Day } from '../../domain/day.ts';
import type { AccountDatabase } from '../../store/accounts/schema.ts';
import type { Engine } from '../../store/engine/engine.ts';
import { jsonSet } from '../../store/engine/id-lists.ts';

/** The charges of one day to an account, a network or an API key with its own limit. */
export interface Usage {
  /** The row id of the account or the key, or the number of the network. */
  readonly id: number;
  readonly used: number;
}

/** A charge to an account, a network or an API key. */
export interface AccountCharge {
  readonly id: number;
  /** In requests; at most `quota`. */
  readonly cost: number;
  readonly quota: number;
}

/** The statements that charge. Each takes many accounts, or many API keys, at once. */
export interface ChargeStatements {
  /** Minimum interval between frequent charges, in milliseconds; 0 unless given. */
  readonly interval?: number;
  /** Returns the usage on `day`, without ids that have none. */
  usage(ids: Iterable<number>, day: Day): Promise<Usage[]>;
  /**
   * Charges each row on `day`, and returns the new usage. Charges nothing to ids whose usage would
   * exceed their quota, and leaves them out. An id may have only one row.
   */
  charge(rows: readonly AccountCharge[], day: Day): Promise<Usage[]>;
}

/**
 * The tables of charges: requests to the API by account and by key, and priced cards in pages by
 * account and by the network of a visitor.
 */
const TABLES = {
  account: { table: 'usage', column: 'account_id' },
  pages: { table: 'page_usage', column: 'account_id' },
  visitors: { table: 'visitor_usage', column: 'network' },
  key: { table: 'key_usage', column: 'key_id' },
} as const;

/**
 * Prepares the statements. A set of values is passed as the names of one JSON object, which the
 * `json_each` of both engines reads.
 */
export function prepareCharges(engine: Engine, of: keyof typeof TABLES): ChargeStatements {
  const { table, column } = TABLES[of];
  const usage = engine.prepare<Usage>(`
    select ${column} as id, used from ${table}
    where ${column} in (select cast(key as integer) from json_each($1)) and day = $2`);
  // `order by` makes every process lock the rows in the same order, which prevents deadlocks. The
  // quotas are passed as one number if they are equal, and looked up by id otherwise. The subquery
  // parses them once: PostgreSQL would parse them again for every row.
  const charge = engine.prepare<Usage>(`
    insert into ${table} (${column}, day, used)
    select cast(key as integer), cast($2 as integer), cast(cast(value as text) as integer)
    from json_each($1) where true order by 1
    on conflict (${column}, day) do update set used = ${table}.used + excluded.used
    where ${table}.used + excluded.used <= coalesce(cast($3 as integer),
      cast((select jsonb(cast($4 as text))) ->> cast(excluded.${column} as text) as integer))
    returning ${column} as id, used`);
  return {
    interval: engine.interval,
    usage: (ids, day) => usage([jsonSet(ids), day]),
    charge: (rows, day) => {
      const costs = jsonNumbers(rows, ({ cost }) => cost);
      const quota = commonQuota(rows);
      const quotas = quota === null ? jsonNumbers(rows, (row) => row.quota) : null;
      return charge([costs, day, quota, quotas]);
    },
  };
}

/** Returns the quota of all rows; null if they differ. */
function commonQuota(rows: readonly AccountCharge[]): number | null {
  const quota = rows[0]?.quota ?? 0;
  return rows.every((row) => row.quota === quota) ? quota : null;
}

/** Formats a number of each row as one object, by id. */
function jsonNumbers(
  rows: readonly AccountCharge[],
  numberOf: (row: AccountCharge) => number,
): string {
  const numbers: Record<number, number> = {};
  for (const row of rows) numbers[row.id] = numberOf(row);
  return JSON.stringify(numbers);
}

/** Deletes the charges of visitors' networks before `day`. */
export async function deleteVisitorUsage(db: Kysely<AccountDatabase>, day: Day): Promise<void> {
  await db.deleteFrom('visitor_usage').where('day', '<', day).execute();
}

/** Takes back requests that were charged to an API key on a day, but not to its account. */
export type RefundKey = (keyId: number, cost: number, day: Day) => Promise<void>;

export function prepareKeyRefund(engine: Engine): RefundKey {
  const refund = engine.prepare(`
    update key_usage set used = used - $1 where key_id = $2 and day = $3 returning used`);
  return async (keyId, cost, day) => {
    await refund([cost, keyId, day]);
  };
}
