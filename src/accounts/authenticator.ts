import { dayOf, type Millis } from '../domain/day.ts';
import type { Plan, PlanTable } from '../domain/plans.ts';
import { Batcher } from '../lib/batcher.ts';
import { type KeyHolder, prepareUsage, type UsageStatements } from '../store/accounts.ts';
import type { Store } from '../store/connect.ts';
import { hasApiKeyLength, hashApiKey, isApiKey } from './api-key.ts';
import { Plans, planWith } from './plans.ts';
import { type Charge, QuotaCharger } from './quota-charger.ts';

declare const identified: unique symbol;

/** The account and API key of a request. Only {@link Authenticator.identify} makes one. */
export interface Caller {
  readonly accountId: number;
  readonly keyId: number;
  readonly plan: Plan;
  /** Every plan that there is, to say which would include what this one does not. */
  readonly plans: PlanTable;
  /** Requests charged to the account today (UTC), as of its identification. */
  readonly usedToday: number;
  readonly [identified]: true;
}

/**
 * Identifies callers by their API keys and charges their quota. Every call reads the database, so
 * that a change by the operator holds for the next request in every process. Calls made in the same
 * event-loop tick share one SQL statement; when it fails, all of them reject.
 */
export class Authenticator {
  readonly #statements: UsageStatements;
  readonly #clock: () => Millis;
  readonly #callers: Batcher<string, Caller>;
  readonly #usage: Batcher<number, number>;
  readonly #charger: QuotaCharger;

  constructor(store: Store, clock: () => Millis) {
    const statements = prepareUsage(store.accounts.engine);
    this.#statements = statements;
    this.#clock = clock;
    const plans = new Plans(store);
    this.#callers = new Batcher((texts) => loadCallers(statements, plans, texts, clock()));
    this.#usage = new Batcher((accountIds) => loadUsage(statements, accountIds, clock()));
    this.#charger = new QuotaCharger(statements, clock);
  }

  /**
   * The caller of an API key; undefined when the key is malformed, unknown, expired or revoked, or
   * its account is disabled.
   */
  async identify(text: string): Promise<Caller | undefined> {
    if (!hasApiKeyLength(text)) return undefined;
    return this.#callers.get(text);
  }

  /**
   * Charges `cost` requests of today (UTC) to the caller's account, all of them or none, if that
   * stays within the plan's quota. The quota is exact across processes. A charge is never undone.
   */
  charge(caller: Caller, cost = 1): Promise<Charge> {
    return this.#charger.charge(caller.accountId, caller.plan.dailyRequests, cost);
  }

  /** Reads what every request reads; rejects when the database cannot be used. */
  async check(): Promise<void> {
    const now = this.#clock();
    await this.#statements.holders([''], dayOf(now), now);
    await this.#statements.usage([0], dayOf(now));
  }

  /** The remaining quota of today (UTC), without a charge. */
  async remaining(caller: Caller): Promise<number> {
    const used = (await this.#usage.get(caller.accountId)) ?? 0;
    return Math.max(0, caller.plan.dailyRequests - used);
  }
}

function callerOf(plans: PlanTable, holder: KeyHolder): Caller {
  const { accountId, keyId, used } = holder;
  return { accountId, keyId, plan: planWith(plans, holder), plans, usedToday: used } as Caller;
}

/** Skips the database for strings that cannot be API keys (length, prefix, checksum). */
async function loadCallers(
  statements: UsageStatements,
  plans: Plans,
  texts: readonly string[],
  now: Millis,
): Promise<ReadonlyMap<string, Caller>> {
  const keysByHash = new Map(texts.filter(isApiKey).map((key) => [hashApiKey(key), key]));
  if (keysByHash.size === 0) return new Map();
  const rows = await statements.holders(keysByHash.keys(), dayOf(now), now);
  if (!rows[0]) return new Map();
  const table = await plans.at(rows[0].plansVersion);
  return new Map(rows.map((row) => [keysByHash.get(row.hash) ?? '', callerOf(table, row)]));
}

async function loadUsage(
  statements: UsageStatements,
  accountIds: readonly number[],
  now: Millis,
): Promise<ReadonlyMap<number, number>> {
  const rows = await statements.usage(accountIds, dayOf(now));
  return new Map(rows.map((row) => [row.accountId, row.used]));
}
