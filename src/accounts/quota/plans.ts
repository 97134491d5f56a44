import { AccountError } from '../../domain/errors.ts';
import { type AccountLimits, FREE, type Plan, PlanTable } from '../../domain/plans.ts';
import type { Store } from '../../store/connect.ts';
import * as sql from './plan-sql.ts';

/**
 * The plans as the operator has set them. Keeps the table in memory and reads it again when a
 * statement finds another version, so a change applies to the next request in every process.
 */
export class Plans {
  readonly #store: Store;
  #known: { readonly version: number; readonly table: PlanTable } | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Reads the current plans. */
  async read(): Promise<PlanTable> {
    const { plans, version } = await sql.readPlans(this.#store.accounts.db);
    const table = new PlanTable(plans);
    if (version !== undefined) this.#known = { version, table };
    return table;
  }

  /** Returns the plans of this version of the table, or of a newer one. */
  async at(version: number): Promise<PlanTable> {
    return this.#known?.version === version ? this.#known.table : this.read();
  }

  /** Returns a plan. @throws AccountError if no plan has this name. */
  async require(name: string): Promise<Plan> {
    const table = await this.read();
    const plan = table.find(name);
    if (plan) return plan;
    const names = table.names.join(', ');
    throw new AccountError('REFUSED', `There is no plan "${name}". The plans are ${names}.`);
  }

  /** Adds a plan. @throws AccountError if a plan has its name. */
  async create(plan: Plan): Promise<void> {
    if (await sql.insertPlan(this.#store.accounts.db, plan)) return;
    throw new AccountError('REFUSED', `There is already a plan "${plan.name}".`, {
      advice: `\`cardprice plan set ${plan.name}\` changes it.`,
    });
  }

  /** Changes parts of a plan, starting with the next request of its accounts. */
  async change(name: string, change: Partial<Omit<Plan, 'name'>>): Promise<Plan> {
    await sql.updatePlan(this.#store.accounts.db, { ...(await this.require(name)), ...change });
    return this.require(name);
  }

  /** Deletes a plan. @throws AccountError if accounts have it, or if new accounts get it. */
  async delete(name: string): Promise<void> {
    const { label } = await this.require(name);
    if (name === FREE) {
      throw new AccountError('REFUSED', 'New accounts get the plan "free", so it has to stay.');
    }
    if (await sql.deletePlan(this.#store.accounts.db, name)) return;
    throw new AccountError('REFUSED', `Accounts have the plan ${label}, so it has to stay.`, {
      advice: '`cardprice account set-plan` moves them to another plan.',
    });
  }
}

/** Returns the plan of an account, with its own limits. */
export function planWith(
  table: PlanTable,
  { plan: name, limits }: { readonly plan: string; readonly limits: AccountLimits | null },
): Plan {
  const plan = table.find(name);
  if (!plan) throw new Error(`an account has the plan ${name}, which does not exist`);
  return limits === null ? plan : { ...plan, ...limits };
}
