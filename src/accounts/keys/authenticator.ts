import { LRUCache } from 'lru-cache';
import { type Day, dayOf, type Millis } from '../../domain/day.ts';
import { ApiError } from '../../domain/errors.ts';
import type { OperatorScope } from '../../domain/key-scopes.ts';
import type { Plan, PlanTable } from '../../domain/plans.ts';
import { Batcher } from '../../lib/event-loop.ts';
import type { Store } from '../../store/connect.ts';
import { findAccountById } from '../account-sql.ts';
import { prepareCharges, prepareKeyRefund, type RefundKey } from '../quota/charge-sql.ts';
import { Plans, planWith } from '../quota/plans.ts';
import {
  type Charge,
  type ChargeObserver,
  QuotaCharger,
  type Remaining,
} from '../quota/quota-charger.ts';
import type { Operator } from '../sign-in/sessions.ts';
import { hasApiKeyLength, hashApiKey, isApiKey } from './api-key.ts';
import { type KeyAccess, keyAccess } from './key-restrictions.ts';
import { type HolderStatements, type KeyHolder, prepareHolders } from './key-sql.ts';

declare const identified: unique symbol;

/** The account and API key of a request. Only {@link Authenticator.identify} makes one. */
export interface Caller {
  readonly accountId: number;
  readonly keyId: number;
  readonly plan: Plan;
  /** All plans, to name one that includes a missing feature. */
  readonly plans: PlanTable;
  /** The day (UTC) of its identification. */
  readonly day: Day;
  /** Requests charged to the account that day, as of its identification. */
  readonly usedToday: number;
  /** The restrictions of the key; null for none. */
  readonly access: KeyAccess | null;
  /** Requests charged to the key that day, as of its identification; 0 for one without a limit. */
  readonly keyUsedToday: number;
  readonly [identified]: true;
}

/** A charge, and whether the limit of the key refused it. */
export interface CallerCharge extends Charge {
  readonly isKeyLimit?: boolean;
}

const NOBODY = Promise.resolve(undefined);

/** Maximum number of restrictions kept in parsed form. */
const MAX_RESTRICTIONS = 5000;

/**
 * Identifies callers by their API keys and charges their quota. Every call reads the database, so a
 * change by the operator applies to the next request in every process. Calls made in the same
 * event-loop tick, or shortly after each other while they are frequent, share one SQL statement
 * that begins after them; if it fails, all of them reject.
 */
export class Authenticator {
  readonly #statements: HolderStatements;
  readonly #clock: () => Millis;
  readonly #callers: Batcher<string, Caller>;
  readonly #usage: Batcher<number, Used>;
  readonly #charger: QuotaCharger;
  readonly #keyCharger: QuotaCharger;
  readonly #refundKey: RefundKey;

  /** `observe` is called with every charge to an account. */
  constructor(store: Store, clock: () => Millis, observe?: ChargeObserver) {
    const statements = prepareHolders(store.accounts.engine);
    this.#statements = statements;
    const plans = new Plans(store);
    const accesses = new LRUCache<string, KeyAccess>({
      max: MAX_RESTRICTIONS,
      memoMethod: keyAccess,
    });
    const sources = { statements, plans, accesses };
    const { interval } = statements;
    this.#callers = new Batcher((texts) => loadCallers(sources, texts, clock()), interval);
    this.#usage = new Batcher((ids) => loadUsage(statements, ids, clock()), interval);
    this.#charger = new QuotaCharger(statements, clock, observe);
    this.#keyCharger = new QuotaCharger(prepareCharges(store.accounts.engine, 'key'), clock);
    this.#refundKey = prepareKeyRefund(store.accounts.engine);
    this.#clock = clock;
  }

  /**
   * Returns the caller of an API key; undefined if the key is malformed, unknown, expired or
   * revoked, or if its account is disabled.
   */
  identify(text: string): Promise<Caller | undefined> {
    return hasApiKeyLength(text) ? this.#callers.get(text) : NOBODY;
  }

  /**
   * Charges `cost` requests of today (UTC), all or none, if they fit the plan's quota and the limit
   * of the key. Both limits are exact across processes. A charge to an account is never undone.
   */
  charge(caller: Caller, cost = 1): Promise<CallerCharge> {
    const limit = caller.access?.dailyRequests ?? null;
    if (limit !== null) return this.#chargeWithin(limit, caller, cost);
    return this.#charger.charge(caller.accountId, caller.plan.dailyRequests, cost);
  }

  /** Runs the statements that read for a request; rejects if the database cannot be read. */
  async check(): Promise<void> {
    const now = this.#clock();
    await this.#statements.holders([''], dayOf(now), now);
    await this.#statements.usage([0], dayOf(now));
  }

  /** Rejects as long as charges fail, for example on a full disk. Writes only after a failure. */
  async checkCharges(): Promise<void> {
    await this.#charger.check();
    await this.#keyCharger.check();
  }

  /**
   * Charges a key that has a limit. Charges the key first, because its count can be undone if the
   * account's quota refuses: no answer has reported it yet.
   */
  async #chargeWithin(limit: number, caller: Caller, cost: number): Promise<CallerCharge> {
    const { keyId, accountId, plan } = caller;
    const day = dayOf(this.#clock());
    const { granted } = await this.#keyCharger.charge(keyId, limit, cost);
    if (!granted) {
      return { granted, ...(await this.remaining(caller)), isKeyLimit: true };
    }
    const charge = await this.#charger.charge(accountId, plan.dailyRequests, cost);
    // Around midnight either day may have been charged, and the limit applies to both.
    if (!charge.granted && dayOf(this.#clock()) === day) await this.#refundKey(keyId, cost, day);
    return charge;
  }

  /** Returns the remaining quota of today (UTC), without a charge. */
  async remaining({ accountId, plan }: Caller): Promise<Remaining> {
    const { used, day } = (await this.#usage.get(accountId)) ?? {
      used: 0,
      day: dayOf(this.#clock()),
    };
    return { remaining: Math.max(0, plan.dailyRequests - used), day };
  }
}

/**
 * Returns the operator whose API key a request carries. Reads the account at every request, so the
 * keys of a former operator stop working at once.
 *
 * @throws ApiError KEY_RESTRICTION if the key lacks the scope, FORBIDDEN if its account is not an
 *   operator.
 */
export async function requireOperatorKey(
  store: Store,
  { accountId, keyId, access }: Caller,
  scope: OperatorScope,
): Promise<Operator> {
  // A key without a list of scopes has all scopes of the API, but no operator scopes.
  if (!access?.scopes?.includes(scope)) {
    throw new ApiError(
      'KEY_RESTRICTION',
      `This key does not have the scope "${scope}", which this request needs.`,
    );
  }
  const account = await findAccountById(store.accounts.db, accountId);
  if (!account?.isOperator) throw new ApiError('FORBIDDEN', 'This is for operators only.');
  return { accountId, keyId } as Operator;
}

/** Requests charged to an account on a day (UTC). */
interface Used {
  readonly used: number;
  readonly day: Day;
}

interface CallerSources {
  readonly statements: HolderStatements;
  readonly plans: Plans;
  /** Parsed restrictions by their stored form. */
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
  const holders = await statements.holders(keysByHash.keys(), day, now);
  if (!holders[0]) return new Map();
  const table = await plans.at(holders[0].plansVersion);
  return new Map(
    holders.map((holder) => [
      keysByHash.get(holder.hash) ?? '',
      callerOf(table, holder, accesses, day),
    ]),
  );
}

async function loadUsage(
  statements: HolderStatements,
  accountIds: readonly number[],
  now: Millis,
): Promise<ReadonlyMap<number, Used>> {
  const day = dayOf(now);
  const rows = await statements.usage(accountIds, day);
  return new Map(rows.map(({ id, used }) => [id, { used, day }]));
}
