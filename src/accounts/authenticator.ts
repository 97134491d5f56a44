import { dayOf, type Millis } from '../domain/day.ts';
import { findPlan, type Plan } from '../domain/plans.ts';
import { Batcher } from '../lib/batcher.ts';
import { type KeyHolder, prepareUsage, type UsageStatements } from '../store/accounts.ts';
import type { Store } from '../store/connect.ts';

export type { Charge } from './quota-charger.ts';

import { hasApiKeyLength, hashApiKey, isApiKey } from './api-key.ts';
import { type Charge, QuotaCharger } from './quota-charger.ts';

declare const identified: unique symbol;

/** Whoever a valid key belongs to. Only {@link Authenticator.identify} makes one. */
export interface Caller {
  readonly accountId: number;
  readonly keyId: number;
  readonly plan: Plan;
  /** Requests charged to the account today (UTC), when it was identified. */
  readonly usedToday: number;
  readonly [identified]: true;
}

/**
 * Who may ask, and how much more today. Everything is asked of the store anew, so that what the
 * operator changes holds for the next request in every process; what is asked in one turn of the
 * event loop shares one statement. A failure of the store rejects every request that waited on it.
 */
export class Authenticator {
  readonly #holders: Batcher<string, KeyHolder>;
  readonly #usage: Batcher<number, number>;
  readonly #cashier: QuotaCharger;

  constructor(store: Store, clock: () => Millis) {
    const statements = prepareUsage(store.engine);
    this.#holders = new Batcher((texts) => loadHolders(statements, texts, clock()));
    this.#usage = new Batcher((accountIds) => loadUsage(statements, accountIds, clock()));
    this.#cashier = new QuotaCharger(statements, clock);
  }

  /**
   * The caller behind a key as the store knows it right now; undefined when the key is malformed,
   * unknown, expired, revoked or of a disabled account.
   */
  async identify(text: string): Promise<Caller | undefined> {
    if (!hasApiKeyLength(text)) return undefined;
    const holder = await this.#holders.get(text);
    return holder && callerOf(holder);
  }

  /**
   * Charges one request of today (UTC) to the caller's account if the plan's quota allows it,
   * exactly, whatever other processes charge meanwhile. Never undone.
   */
  charge(caller: Caller): Promise<Charge> {
    return this.#cashier.charge(caller.accountId, caller.plan.dailyRequests);
  }

  /** What the quota has left now, without charging. */
  async remaining(caller: Caller): Promise<number> {
    const used = (await this.#usage.get(caller.accountId)) ?? 0;
    return Math.max(0, caller.plan.dailyRequests - used);
  }
}

function callerOf({ accountId, keyId, plan: name, used }: KeyHolder): Caller {
  const plan = findPlan(name);
  if (!plan) throw new Error(`account ${accountId} has the unknown plan ${name}`);
  return { accountId, keyId, plan, usedToday: used } as Caller;
}

/** Of a text that is no key nothing is asked. */
async function loadHolders(
  statements: UsageStatements,
  texts: readonly string[],
  now: Millis,
): Promise<ReadonlyMap<string, KeyHolder>> {
  const keysByHash = new Map(texts.filter(isApiKey).map((key) => [hashApiKey(key), key]));
  if (keysByHash.size === 0) return new Map();
  const rows = await statements.holders(keysByHash.keys(), dayOf(now), now);
  return new Map(rows.map((row) => [keysByHash.get(row.hash) ?? '', row]));
}

async function loadUsage(
  statements: UsageStatements,
  accountIds: readonly number[],
  now: Millis,
): Promise<ReadonlyMap<number, number>> {
  const rows = await statements.usage(accountIds, dayOf(now));
  return new Map(rows.map((row) => [row.accountId, row.used]));
}
