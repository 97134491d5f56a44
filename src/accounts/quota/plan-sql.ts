import type { Kysely } from 'kysely';
import type { AccountDatabase, PlanRow } from '../../store/accounts/schema.ts';

/** SQL of plans. Every change raises the version of the table, by which processes notice it. */

type Db = Kysely<AccountDatabase>;

/**
 * Returns all plans, each with the version of the table. One statement, because a transaction would
 * wait for those that write.
 */
export function readPlans(db: Db): Promise<(PlanRow & { version: number })[]> {
  return db
    .selectFrom(['plans', 'plan_version'])
    .selectAll('plans')
    .select('plan_version.version')
    .execute();
}

/** Adds a plan; returns false, and changes nothing, when there is one of this name. */
export function insertPlan(db: Db, plan: PlanRow): Promise<boolean> {
  return changePlans(db, async (transaction) => {
    const added = await transaction
      .insertInto('plans')
      .values(plan)
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .executeTakeFirst();
    return added !== undefined;
  });
}

/** Changes a plan; returns false when there is none of this name. */
export function updatePlan(
  db: Db,
  name: string,
  change: Partial<Omit<PlanRow, 'name'>>,
): Promise<boolean> {
  return changePlans(db, async (transaction) => {
    const changed = await transaction
      .updateTable('plans')
      .set(change)
      .where('name', '=', name)
      .returning('name')
      .executeTakeFirst();
    return changed !== undefined;
  });
}

/** Deletes a plan that no account has; returns false, and changes nothing, otherwise. */
export function deletePlan(db: Db, name: string): Promise<boolean> {
  return changePlans(db, async (transaction) => {
    const deleted = await transaction
      .deleteFrom('plans')
      .where('name', '=', name)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('accounts').select('id').where('plan', '=', name))),
      )
      .returning('name')
      .executeTakeFirst();
    return deleted !== undefined;
  });
}

function changePlans<Result>(
  db: Db,
  change: (transaction: Db) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('plan_version')
      .set((row) => ({ version: row('version', '+', 1) }))
      .execute();
    return change(transaction);
  });
}
