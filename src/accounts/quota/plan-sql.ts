import type { Kysely } from 'kysely';
import { Type } from 'typebox';
import type { Cents } from '../../domain/money.ts';
import { type AccountLimits, FEATURES, type Plan } from '../../domain/plans.ts';
import { jsonColumn } from '../../lib/json-column.ts';
import type { AccountDatabase, PlanRow } from '../../store/accounts/schema.ts';

/** SQL of plans. Every change raises the version of the table, so other processes notice it. */

type Db = Kysely<AccountDatabase>;

const Features = Type.Array(Type.Enum([...FEATURES]));

const FEATURE_LIST = jsonColumn<Plan['features']>('plans.features', Features);

/** `accounts.limits`: an account's differences from its plan. */
export const LIMITS = jsonColumn<AccountLimits>(
  'accounts.limits',
  Type.Partial(
    Type.Object({
      dailyRequests: Type.Integer(),
      burst: Type.Union([
        Type.Null(),
        Type.Object({ requests: Type.Integer(), seconds: Type.Integer() }),
      ]),
      historyDays: Type.Union([Type.Null(), Type.Integer()]),
      features: Features,
      alerts: Type.Integer(),
    }),
  ),
);

/** Returns all plans and the version of the table. */
export async function readPlans(db: Db): Promise<{ plans: Plan[]; version: number | undefined }> {
  // One statement: a transaction would wait for writers.
  const rows = await db
    .selectFrom(['plans', 'plan_version'])
    .selectAll('plans')
    .select('plan_version.version')
    .execute();
  return { plans: rows.map(planOf), version: rows[0]?.version };
}

/** Adds a plan; returns false, and changes nothing, if a plan has its name. */
export function insertPlan(db: Db, plan: Plan): Promise<boolean> {
  return changePlans(db, async (transaction) => {
    const added = await transaction
      .insertInto('plans')
      .values(rowOf(plan))
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .executeTakeFirst();
    return added !== undefined;
  });
}

/** Replaces the plan of the same name, if there is one. */
export async function updatePlan(db: Db, plan: Plan): Promise<void> {
  const { name, ...row } = rowOf(plan);
  await changePlans(db, (transaction) => {
    return transaction.updateTable('plans').set(row).where('name', '=', name).execute();
  });
}

/** Deletes a plan. Returns false, and changes nothing, if an account has it. */
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

function planOf(row: PlanRow): Plan {
  const { name, label, daily_requests, price, burst_requests, burst_seconds } = row;
  const hasBurst = burst_requests !== null && burst_seconds !== null;
  return {
    name,
    label,
    dailyRequests: daily_requests,
    price: price as Cents,
    burst: hasBurst ? { requests: burst_requests, seconds: burst_seconds } : null,
    historyDays: row.history_days,
    features: FEATURE_LIST.read(row.features),
    alerts: row.alerts,
    howToGet: row.how_to_get,
  };
}

function rowOf(plan: Plan): PlanRow {
  const { name, label, dailyRequests, price, burst, historyDays, features, alerts, howToGet } =
    plan;
  return {
    name,
    label,
    daily_requests: dailyRequests,
    price,
    burst_requests: burst?.requests ?? null,
    burst_seconds: burst?.seconds ?? null,
    history_days: historyDays,
    features: FEATURE_LIST.write(features),
    alerts,
    how_to_get: howToGet,
  };
}
