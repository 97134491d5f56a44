import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import type { Caller, CallerCharge } from '../accounts/keys/authenticator.ts';
import { secondsToReset } from '../accounts/quota/quota-charger.ts';
import { RateLimiter } from '../accounts/quota/rate-limiter.ts';
import type { Millis } from '../domain/day.ts';
import { ApiError } from '../domain/errors.ts';
import { isSheetOnly, type KeyScope, SHEET_PATH } from '../domain/key-scopes.ts';
import type { BurstLimit, BurstLimits, Feature, Plan, PlanTable } from '../domain/plans.ts';
import { refusals } from '../lib/counts.ts';
import { splitList } from '../lib/csv.ts';
import { keyInHeaders } from './api-key.ts';
import { SHEET_TOKEN } from './parameters.ts';

/** The permissions of API keys, plans and quotas, and the errors for requests beyond them. */

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that an API key with a list of scopes must include. */
    scope?: KeyScope;
  }
}

export interface AdmissionOptions {
  readonly burst: BurstLimits;
  /** The burst limit of each API key; null for none. */
  readonly keyBurst: BurstLimit | null;
  readonly clock: () => Millis;
}

/**
 * Decides which requests of `/v1` are answered, by key, plan, quota and burst limits. The hooks and
 * the hot path share one, so they decide alike.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #accounts = new RateLimiter();
  readonly #keys = new RateLimiter();

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Returns the reason to refuse a request. Counts all others against the burst limits. */
  problemOf(caller: Caller, sender: Sender, needs: Needs): ApiError | undefined {
    return (
      keyRestriction(caller, sender, needs.scope) ??
      planRestriction(caller, needs) ??
      this.#usedUp(caller, 1) ??
      this.#paceProblem(caller)
    );
  }

  /**
   * Returns the reason to refuse an admitted request that costs more than one. Counts all others
   * against the burst limits.
   */
  problemOfCost(caller: Caller, cost: number): ApiError | undefined {
    const problem = this.#usedUp(caller, cost);
    if (problem) return problem;
    const { burst, keyBurst, clock } = this.#options;
    const limit = burstLimitOf(caller.plan, burst);
    if (limit) this.#accounts.count(caller.accountId, limit, cost - 1, clock());
    if (keyBurst) this.#keys.count(caller.keyId, keyBurst, cost - 1, clock());
    return undefined;
  }

  /** The error for a refused charge. */
  refusedCharge(caller: Caller, { isKeyLimit, day }: CallerCharge, cost: number): ApiError {
    const exceeded = isKeyLimit ? keyLimitExceeded : quotaExceeded;
    return exceeded({ ...caller, day }, this.#options.clock(), cost);
  }

  /** Usage never falls within a day, so no later charge would be granted. */
  #usedUp(caller: Caller, cost: number): ApiError | undefined {
    const { clock } = this.#options;
    if (caller.usedToday + cost > caller.plan.dailyRequests) {
      return quotaExceeded(caller, clock(), cost);
    }
    return exceedsKeyLimit(caller, cost) ? keyLimitExceeded(caller, clock(), cost) : undefined;
  }

  /** Counts a request against both burst limits. Returns an error if one is exceeded. */
  #paceProblem({ keyId, accountId, plan }: Caller): ApiError | undefined {
    const { burst, keyBurst, clock } = this.#options;
    const now = clock();
    const wait = keyBurst === null ? 0 : this.#keys.wait(keyId, keyBurst, now);
    if (keyBurst !== null && wait > 0) {
      refusals.add('key-burst');
      return tooFast('an API key may send', keyBurst, wait);
    }
    const limit = burstLimitOf(plan, burst);
    const accountWait = limit ? this.#accounts.wait(accountId, limit, now) : 0;
    if (!limit || accountWait === 0) return undefined;
    refusals.add('plan-burst');
    return tooFast('the plan allows', limit, accountWait);
  }
}

/**
 * The requirements of a request for its API key and plan. They follow from its route and its query.
 */
export interface Needs {
  /** The scope that a key with a list of scopes must include; any if undefined. */
  readonly scope: KeyScope | undefined;
  readonly features: readonly Feature[];
  /** The days of history; `Infinity` for all, 0 for none. */
  readonly historyDays: number;
}

/** Returns the needs of a request; `query` need not be validated yet. */
export function needsOf(config: FastifyContextConfig, query: unknown): Needs {
  return {
    scope: config.scope,
    features: featuresNeeded(config, query),
    historyDays: config.historyDays?.(query) ?? 0,
  };
}

/** The origin of an API key, and how it was sent. */
export interface Sender {
  /** The network address; `''` for a closed connection. */
  readonly address: string;
  /** Whether the key is in the query, not in a header. */
  readonly isInQuery: boolean;
  /** Whether the key is the token of a sheet address. */
  readonly isToken?: boolean;
}

/** Returns the token of a request to a sheet address; `''` for other requests. */
export function sheetToken({ query, routeOptions }: FastifyRequest): string {
  if (routeOptions.url !== SHEET_PATH) return '';
  const token = (query as Readonly<Record<string, unknown>>)[SHEET_TOKEN];
  return typeof token === 'string' ? token : '';
}

/** Returns the sender of a request's key. */
export function senderOf(request: FastifyRequest): Sender {
  // A closed connection has no address.
  const address: string | undefined = request.ip;
  const isInQuery = keyInHeaders(request.headers) === '';
  return { address: address ?? '', isInQuery, isToken: isInQuery && sheetToken(request) !== '' };
}

/**
 * Returns the error if an API key may not be used from this address, in the query or for this
 * scope. The check is free for keys without restrictions.
 */
export function keyRestriction(
  { access }: Caller,
  { address, isInQuery, isToken = false }: Sender,
  scope?: KeyScope,
): ApiError | undefined {
  // Sheet addresses are copied and logged, so they must give access only to their tables.
  if (isToken && !isSheetOnly(access?.scopes ?? null)) {
    return restricted('The token of a sheet address is a key whose only scope is "sheet".');
  }
  if (access === null) return undefined;
  if (!access.allows(address)) return restricted('This key does not work from here.');
  if (!access.inQuery && isInQuery) {
    return restricted('This key works in the X-API-Key header only, not in the query.');
  }
  if (!scope || !access.scopes || access.scopes.includes(scope)) return undefined;
  return restricted(`This request needs the scope "${scope}", which the key does not have.`);
}

function restricted(message: string): ApiError {
  return new ApiError('KEY_RESTRICTION', message);
}

/** Whether `cost` more requests would exceed the key's limit, as counted when it was identified. */
function exceedsKeyLimit({ access, keyUsedToday }: Caller, cost: number): boolean {
  const limit = access?.dailyRequests ?? null;
  return limit !== null && keyUsedToday + cost > limit;
}

const FEATURE_NAMES: Record<Feature, string> = {
  history: 'Price history',
  batch: 'Batch lookup',
  explain: 'The explanation of prices',
  'explain-match': 'The explanation of matches',
  resolve: 'The resolver',
  'marketplace-changes': 'The list of marketplace changes',
};

/** Returns the plan's burst limit, or the one in the settings if it has none. */
export function burstLimitOf(plan: Plan, burst: BurstLimits): BurstLimit | undefined {
  return plan.burst ?? burst[plan.name];
}

/** Returns the error if the plan does not include what a request needs. */
export function planRestriction(
  { plan, plans }: { readonly plan: Plan; readonly plans: PlanTable },
  { features, historyDays }: Needs,
): ApiError | undefined {
  const missing = features.find((feature) => !plan.features.includes(feature));
  if (missing) return missingFeature(missing, plans);
  return missingHistory(plan, historyDays);
}

/** The error for a plan without a feature. It names the cheapest plan that has the feature. */
export function missingFeature(feature: Feature, plans: PlanTable): ApiError {
  const needed = plans.findWith(feature);
  const who = needed ? `requires the ${needed.label} plan or above` : 'is in no plan here';
  return new ApiError('PLAN_RESTRICTION', `${FEATURE_NAMES[feature]} ${who}.`);
}

/** Returns the error if the plan includes fewer than `days` days of history. */
export function missingHistory({ historyDays }: Plan, days: number): ApiError | undefined {
  if (historyDays === null || days <= historyDays) return undefined;
  return new ApiError(
    'PLAN_RESTRICTION',
    `The plan includes the last ${historyDays} days of history, and this asks for more.`,
  );
}

function featuresNeeded(config: FastifyContextConfig, query: unknown): readonly Feature[] {
  const { feature, parameterFeatures } = config;
  if (!parameterFeatures) return feature ? [feature] : [];
  const needed = feature ? [feature] : [];
  for (const [parameter, own] of Object.entries(parameterFeatures)) {
    const [name = '', word] = parameter.split('=');
    const sent = (query as Record<string, unknown>)[name];
    if (sent === undefined) continue;
    if (word === undefined || splitList(String(sent)).includes(word)) needed.push(own);
  }
  return needed;
}

function quotaExceeded({ plan, day }: Caller, now: Millis, cost = 1): ApiError {
  refusals.add('quota');
  return usedUp(`daily quota of ${plan.dailyRequests} requests`, secondsToReset(day, now), cost);
}

function keyLimitExceeded({ access, day }: Caller, now: Millis, cost = 1): ApiError {
  refusals.add('key-limit');
  const limit = `limit of ${access?.dailyRequests} requests a day of this key`;
  return usedUp(limit, secondsToReset(day, now), cost);
}

function usedUp(quota: string, retryAfter: number, cost: number): ApiError {
  const problem =
    cost === 1
      ? `The ${quota} is used up.`
      : `This costs ${cost} requests, and fewer are left of the ${quota}.`;
  return new ApiError('RATE_LIMIT_EXCEEDED', `${problem} It resets at midnight UTC.`, {
    retryAfter,
  });
}

/** The error for a request that comes too early, by `wait` milliseconds. */
export function tooFast(who: string, { requests, seconds }: BurstLimit, wait: number): ApiError {
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `Too fast: ${who} ${requests} request(s) within ${seconds} s.`,
    { retryAfter: Math.ceil(wait / 1000) },
  );
}
