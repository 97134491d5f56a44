import { AccountError } from '../../domain/errors.ts';
import type { Cents } from '../../domain/money.ts';
import {
  type AccountLimits,
  type Feature,
  FREE,
  type Plan,
  PlanTable,
} from '../../domain/plans.ts';
import type { PlanRow } from '../../store/accounts/schema.ts';
import type { Store } from '../../store/connect.ts';
import * as sql from './plan-sql.ts';

/**
 * The plans as the operator has set them. The table is kept in memory and read again when the
 * version that a statement found is another, so that a change holds for the next request in every
 * process.
 */
export class Plans {
  readonly #store: Store;
  #known: { readonly version: number; readonly table: PlanTable } | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The plans as they are now. */
  async read(): Promise<PlanTable> {
    const rows = await sql.readPlans(this.#store.accounts.db);
    const table = new PlanTable(rows.map(planOf));
    const [first] = rows;
    if (first) this.#known = { version: first.version, table };
    return table;
  }

  /** The plans of at least this version of the table. */
  async at(version: number): Promise<PlanTable> {
    return this.#known?.version === version ? this.#known.table : this.read();
  }

  /**
   * The plan of a name.
   *
   * @throws AccountError when there is none of this name.
   */
  async require(name: string): Promise<Plan> {
    const table = await this.read();
    const plan = table.find(name);
    if (plan) return plan;
    const names = table.names.join(', ');
    throw new AccountError('REFUSED', `There is no plan "${name}". The plans are ${names}.`);
  }

  /** Makes a plan. @throws AccountError when there is one of this name. */
  async create(plan: Plan): Promise<void> {
    if (await sql.insertPlan(this.#store.accounts.db, rowOf(plan))) return;
    throw new AccountError('REFUSED', `There is already a plan "${plan.name}".`, {
      advice: `\`cardprice plan set ${plan.name}\` changes it.`,
    });
  }

  /** Changes parts of a plan; its accounts have them from their next request on. */
  async change(name: string, change: Partial<Omit<Plan, 'name'>>): Promise<Plan> {
    const { name: _, ...row } = rowOf({ ...(await this.require(name)), ...change });
    await sql.updatePlan(this.#store.accounts.db, name, row);
    return this.require(name);
  }

  /** Deletes a plan. @throws AccountError when accounts have it, or it is that of new accounts. */
  async delete(name: string): Promise<void> {
    const { label } = await this.require(name);
    if (name === FREE) {
      throw new AccountError('REFUSED', 'New accounts get the plan "free", so it has to stay.');
    }
    if (await sql.deletePlan(this.#store.accounts.db, name)) return;
    throw new AccountError('REFUSED', `Accounts have the plan ${label}, so it has to stay.`, {
      advice: '`cardprice account set-plan` moves them to another.',
    });
  }
}

/** The plan of an account: what its row names, with what it has otherwise. */
export function planWith(
  table: PlanTable,
  { plan: name, limits }: { readonly plan: string; readonly limits: string | null },
): Plan {
  const plan = table.find(name);
  if (!plan) throw new Error(`an account has the plan ${name}, which does not exist`);
  return limits === null ? plan : { ...plan, ...(JSON.parse(limits) as AccountLimits) };
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
    features: JSON.parse(row.features) as Feature[],
  };
}

/** A plan as a row of the table. */
export function rowOf({ name, label, dailyRequests, price, ...plan }: Plan): PlanRow {
  return {
    name,
    label,
    daily_requests: dailyRequests,
    price,
    burst_requests: plan.burst?.requests ?? null,
    burst_seconds: plan.burst?.seconds ?? null,
    history_days: plan.historyDays,
    features: JSON.stringify(plan.features),
  };
}
