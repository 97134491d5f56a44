import { LRUCache } from 'lru-cache';
import { type Day, dayOf, type Millis } from '../../domain/day.ts';
import type { Plan, PlanTable } from '../../domain/plans.ts';
import { Batcher } from '../../lib/batcher.ts';
import type { Store } from '../../store/connect.ts';
import { type KeyHolder, prepareUsage, type UsageStatements } from '../account-sql.ts';
import { prepareCharges, prepareKeyRefund, type RefundKey } from '../quota/charge-sql.ts';
import { Plans, planWith } from '../quota/plans.ts';
import {
  type Charge,
  type ChargeObserver,
  QuotaCharger,
  type Remaining,
} from '../quota/quota-charger.ts';
import { hasApiKeyLength, hashApiKey, isApiKey } from './api-key.ts';
import { type KeyAccess, keyAccess } from './key-restrictions.ts';

declare const identified: unique symbol;

/** The account and API key of a request. Only {@link Authenticator.identify} makes one. */
export interface Caller {
  readonly accountId: number;
  readonly keyId: number;
  readonly plan: Plan;
  /** Every plan that there is, to say which would include what this one does not. */
  readonly plans: PlanTable;
  /** The day (UTC) of its identification. */
  readonly day: Day;
  /** Requests charged to the account that day, as of its identification. */
  readonly usedToday: number;
  /** What the key may do less than its account; null for nothing. */
  readonly access: KeyAccess | null;
  /** Requests charged to the key that day, as of its identification; 0 for one without a limit. */
  readonly keyUsedToday: number;
  readonly [identified]: true;
}

/** A charge, and whether it was the limit of the key that refused it. */
export interface CallerCharge extends Charge {
  readonly isKeyLimit?: boolean;
}

/** The restrictions of keys that are remembered, so that they are not read for every request. */
const MAX_RESTRICTIONS = 5000;

/**
 * Identifies callers by their API keys and charges their quota. Every call reads the database, so
 * that a change by the operator holds for the next request in every process. Calls made in the same
 * event-loop tick share one SQL statement; when it fails, all of them reject.
 */
export class Authenticator {
  readonly #statements: UsageStatements;
  readonly #clock: () => Millis;
  readonly #callers: Batcher<string, Caller>;
  readonly #usage: Batcher<number, Used>;
  readonly #charger: QuotaCharger;
  readonly #keyCharger: QuotaCharger;
  readonly #refundKey: RefundKey;

  /** `observe` is told of every charge to an account. */
  constructor(store: Store, clock: () => Millis, observe?: ChargeObserver) {
    const statements = prepareUsage(store.accounts.engine);
    this.#statements = statements;
    const plans = new Plans(store);
    const accesses = new LRUCache<string, KeyAccess>({
      max: MAX_RESTRICTIONS,
      memoMethod: keyAccess,
    });
    const sources = { statements, plans, accesses };
    this.#callers = new Batcher((texts) => loadCallers(sources, texts, clock()));
    this.#usage = new Batcher((accountIds) => loadUsage(statements, accountIds, clock()));
    this.#charger = new QuotaCharger(statements, clock, observe);
    this.#keyCharger = new QuotaCharger(prepareCharges(store.accounts.engine, 'key'), clock);
    this.#refundKey = prepareKeyRefund(store.accounts.engine);
    this.#clock = clock;
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
   * stays within the plan's quota and the limit of the key. Both are exact across processes. A
   * charge to an account is never undone.
   */
  charge(caller: Caller, cost = 1): Promise<CallerCharge> {
    const limit = caller.access?.dailyRequests ?? null;
    if (limit !== null) return this.#chargeWithin(limit, caller, cost);
    return this.#charger.charge(caller.accountId, caller.plan.dailyRequests, cost);
  }

  /** Reads what every request reads; rejects when the database cannot be used. */
  async check(): Promise<void> {
    const now = this.#clock();
    await this.#statements.holders([''], dayOf(now), now);
    await this.#statements.usage([0], dayOf(now));
  }

  /**
   * Charges a key with a limit of its own. The key comes first, because its count is not reported as
   * a quota is and can be taken back when the quota of the account refuses.
   */
  async #chargeWithin(limit: number, caller: Caller, cost: number): Promise<CallerCharge> {
    const { keyId, accountId, plan } = caller;
    const day = dayOf(this.#clock());
    const { granted } = await this.#keyCharger.charge(keyId, limit, cost);
    if (!granted) {
      return { granted, ...(await this.remaining(caller)), isKeyLimit: true };
    }
    const charge = await this.#charger.charge(accountId, plan.dailyRequests, cost);
    // Around midnight it is unknown which of the days was charged, and the limit must hold.
    if (!charge.granted && dayOf(this.#clock()) === day) await this.#refundKey(keyId, cost, day);
    return charge;
  }

  /** The remaining quota of today (UTC), without a charge. */
  async remaining({ accountId, plan }: Caller): Promise<Remaining> {
    const { used, day } = (await this.#usage.get(accountId)) ?? {
      used: 0,
      day: dayOf(this.#clock()),
    };
    return { remaining: Math.max(0, plan.dailyRequests - used), day };
  }
}

/** What was charged to an account on a day (UTC). */
interface Used {
  readonly used: number;
  readonly day: Day;
}

/** What callers are made of. */
interface CallerSources {
  readonly statements: UsageStatements;
  readonly plans: Plans;
  /** The restrictions of keys by their stored form. */
  readonly accesses: LRUCache<string, KeyAccess>;
}

function callerOf(
  plans: PlanTable,
  holder: KeyHolder,
  accesses: LRUCache<string, KeyAccess>,
  day: Day,
): Caller {
  const { accountId, keyId, used: usedToday, keyUsed: keyUsedToday, restrictions } = holder;
  const access = restrictions === null ? null : accesses.memo(restrictions);
  const plan = planWith(plans, holder);
  return { accountId, keyId, plan, plans, day, usedToday, access, keyUsedToday } as Caller;
}

/** Skips the database for strings that cannot be API keys (length, prefix, checksum). */
async function loadCallers(
  { statements, plans, accesses }: CallerSources,
  texts: readonly string[],
  now: Millis,
): Promise<ReadonlyMap<string, Caller>> {
  const keysByHash = new Map(texts.filter(isApiKey).map((key) => [hashApiKey(key), key]));
  if (keysByHash.size === 0) return new Map();
  const day = dayOf(now);
  const rows = await statements.holders(keysByHash.keys(), day, now);
  if (!rows[0]) return new Map();
  const table = await plans.at(rows[0].plansVersion);
  return new Map(
    rows.map((row) => [keysByHash.get(row.hash) ?? '', callerOf(table, row, accesses, day)]),
  );
}

async function loadUsage(
  statements: UsageStatements,
  accountIds: readonly number[],
  now: Millis,
): Promise<ReadonlyMap<number, Used>> {
  const day = dayOf(now);
  const rows = await statements.usage(accountIds, day);
  return new Map(rows.map(({ id, used }) => [id, { used, day }]));
}
