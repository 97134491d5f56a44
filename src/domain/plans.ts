/** The plans of accounts, cheapest first. */

import type { Cents } from './money.ts';

export const PLAN_NAMES = ['free', 'trader', 'business'] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

/** What a plan can include besides search, cards, sets and games. */
export type Feature =
  | 'history'
  | 'batch'
  | 'resolve'
  | 'explain'
  | 'explain-match'
  | 'marketplace-changes';

const PAID_FEATURES: readonly Feature[] = [
  'history',
  'batch',
  'resolve',
  'explain',
  'explain-match',
  'marketplace-changes',
];

export interface Plan {
  readonly name: PlanName;
  /** Its name in sentences. */
  readonly label: string;
  /** Requests a day (UTC) of the whole account, however many keys it has. */
  readonly dailyRequests: number;
  /** A month. */
  readonly price: Cents;
  readonly features: readonly Feature[];
}

/** How many requests an account may send within some seconds. */
export interface BurstLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** The burst limit of each plan; null for none. */
export type BurstLimits = Readonly<Record<PlanName, BurstLimit | null>>;

export const PLANS: readonly Plan[] = [
  { name: 'free', label: 'free', dailyRequests: 200, price: 0 as Cents, features: [] },
  {
    name: 'trader',
    label: 'Trader',
    dailyRequests: 10_000,
    price: 14_99 as Cents,
    features: PAID_FEATURES,
  },
  {
    name: 'business',
    label: 'Business',
    dailyRequests: 100_000,
    price: 89_99 as Cents,
    features: PAID_FEATURES,
  },
];

const BY_NAME = new Map<string, Plan>(PLANS.map((plan) => [plan.name, plan]));

/** The plan of a name, or undefined. Letter case matters. */
export function findPlan(name: string): Plan | undefined {
  return BY_NAME.get(name);
}

/** The cheapest plan that includes a feature. */
export function findPlanWith(feature: Feature): Plan {
  const plan = PLANS.find((candidate) => candidate.features.includes(feature));
  if (!plan) throw new Error(`no plan includes ${feature}`);
  return plan;
}
