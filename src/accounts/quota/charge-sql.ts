import type { Kysely } from 'kysely';
import type { Day } from '../../domain/day.ts';
import type { AccountDatabase } from '../../store/accounts/schema.ts';
import type { Engine } from '../../store/engine/engine.ts';

/** What an account, a network or an API key with a limit of its own was charged on one day. */
export interface Usage {
  /** The row id of the account or of the key, or the number of the network. */
  readonly id: number;
  readonly used: number;
}

/** The statements that charge. Each takes many accounts, or many API keys, at once. */
export interface ChargeStatements {
  /** Returns the usage on `day`; ids without any are left out. */
  usage(ids: Iterable<number>, day: Day): Promise<Usage[]>;
  /**
   * Charges each id its number of requests on `day`, and returns the new usage. An id whose usage
   * would exceed `quota` is charged nothing and left out. No number of requests may itself exceed
   * `quota`.
   */
  charge(counts: ReadonlyMap<number, number>, day: Day, quota: number): Promise<Usage[]>;
}

/**
 * What is charged: requests to the API by account and by key, and priced cards that pages show, by
 * account and by the network of visitors.
 */
const TABLES = {
  account: { table: 'usage', column: 'account_id' },
  pages: { table: 'page_usage', column: 'account_id' },
  visitors: { table: 'visitor_usage', column: 'network' },
  key: { table: 'key_usage', column: 'key_id' },
} as const;

/**
 * Prepares the statements. A set of values is passed as the names of one JSON object, because both
 * engines have a `json_each` that reads it.
 */
export function prepareCharges(engine: Engine, of: keyof typeof TABLES): ChargeStatements {
  const { table, column } = TABLES[of];
  const usage = engine.prepare<Usage>(`
    select ${column} as id, used from ${table}
    where ${column} in (select cast(key as integer) from json_each($1)) and day = $2`);
  // `order by` locks the rows in the same order in every process, which prevents deadlocks.
  const charge = engine.prepare<Usage>(`
    insert into ${table} (${column}, day, used)
    select cast(key as integer), cast($2 as integer), cast(cast(value as text) as integer)
    from json_each($1) where true order by 1
    on conflict (${column}, day) do update set used = ${table}.used + excluded.used
    where ${table}.used + excluded.used <= cast($3 as integer)
    returning ${column} as id, used`);
  return {
    usage: (ids, day) => usage([jsonSet(ids), day]),
    charge: (counts, day, quota) =>
      charge([JSON.stringify(Object.fromEntries(counts)), day, quota]),
  };
}

/** Deletes what the networks of visitors were charged before `day`. */
export async function deleteVisitorUsage(db: Kysely<AccountDatabase>, day: Day): Promise<void> {
  await db.deleteFrom('visitor_usage').where('day', '<', day).execute();
}

/** Takes requests back that an API key was charged on a day, but whose account was not. */
export type RefundKey = (keyId: number, cost: number, day: Day) => Promise<void>;

export function prepareKeyRefund(engine: Engine): RefundKey {
  const refund = engine.prepare(`
    update key_usage set used = used - $1 where key_id = $2 and day = $3 returning used`);
  return async (keyId, cost, day) => {
    await refund([cost, keyId, day]);
  };
}

/** Formats values as the names of one object. */
export function jsonSet(values: Iterable<string | number>): string {
  const members: Record<string, 1> = {};
  for (const value of values) members[value] = 1;
  return JSON.stringify(members);
}
