import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import type { Caller } from '../accounts/keys/authenticator.ts';
import { secondsToReset } from '../accounts/quota/quota-charger.ts';
import type { Millis } from '../domain/day.ts';
import { ApiError } from '../domain/errors.ts';
import type { KeyScope } from '../domain/key-scopes.ts';
import type { BurstLimit, BurstLimits, Feature, Plan, PlanTable } from '../domain/plans.ts';
import { refusals } from '../lib/counts.ts';

/** What API keys, plans and quotas allow, and the errors for requests beyond that. */

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that an API key with a list of scopes must have. */
    scope?: KeyScope;
  }
}

/**
 * Returns the error if the API key of a request may not be used from this address, in the query or
 * for this endpoint. The check is free for keys without restrictions.
 */
export function keyRestriction(
  { access }: Caller,
  request: FastifyRequest,
  { scope }: FastifyContextConfig,
): ApiError | undefined {
  if (access === null) return undefined;
  // A closed connection has no address.
  const address: string | undefined = request.ip;
  if (!access.allows(address ?? '')) return restricted('This key does not work from here.');
  if (!access.inQuery && !request.headers['x-api-key']) {
    return restricted('This key works in the X-API-Key header only, not in the query.');
  }
  if (!scope || !access.scopes || access.scopes.includes(scope)) return undefined;
  return restricted(`This request needs the scope "${scope}", which the key does not have.`);
}

function restricted(message: string): ApiError {
  return new ApiError('KEY_RESTRICTION', message);
}

/** Whether `cost` more requests would exceed the key's limit, as counted when it was identified. */
export function exceedsKeyLimit({ access, keyUsedToday }: Caller, cost: number): boolean {
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
  config: FastifyContextConfig,
  query: unknown,
): ApiError | undefined {
  const missing = featuresNeeded(config, query).find((feature) => !plan.features.includes(feature));
  if (missing) return missingFeature(missing, plans);
  return missingHistory(plan, config.historyDays?.(query) ?? 0);
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
    if ((query as Record<string, unknown>)[parameter] !== undefined) needed.push(own);
  }
  return needed;
}

export function quotaExceeded({ plan, day }: Caller, now: Millis, cost = 1): ApiError {
  refusals.add('quota');
  return usedUp(`daily quota of ${plan.dailyRequests} requests`, secondsToReset(day, now), cost);
}

export function keyLimitExceeded({ access, day }: Caller, now: Millis, cost = 1): ApiError {
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

/** The error for a request that comes `wait` milliseconds too early. */
export function tooFast(who: string, { requests, seconds }: BurstLimit, wait: number): ApiError {
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `Too fast: ${who} ${requests} request(s) within ${seconds} s.`,
    { retryAfter: Math.ceil(wait / 1000) },
  );
}
