/** The plans of accounts: their features and limits. */

import type { Cents } from './money.ts';

/** The features that a plan can include in addition to search, cards, sets and games. */
export const FEATURES = [
  'history',
  'batch',
  'resolve',
  'explain',
  'explain-match',
  'marketplace-changes',
] as const;
export type Feature = (typeof FEATURES)[number];

/**
 * Daily requests of a plan without a quota: more than any caller can send in a day, and the largest
 * number that the counters of both engines can hold.
 */
export const UNLIMITED = 2_147_483_647;

/** The requests that an account may send within some seconds. */
export interface BurstLimit {
  readonly requests: number;
  readonly seconds: number;
}

export interface Plan {
  /** `[a-z][a-z0-9-]*`. Accounts refer to the plan by this name. */
  readonly name: string;
  /** Its name in sentences. */
  readonly label: string;
  /**
   * Requests per day (UTC) of the whole account, for all its keys; {@link UNLIMITED} for no quota.
   */
  readonly dailyRequests: number;
  /** Per month. */
  readonly price: Cents;
  /** Null for the burst limit that CARDPRICE_BURST sets for the plan, if any. */
  readonly burst: BurstLimit | null;
  /**
   * How many days of the history may be read; null for all days. The API also requires the feature
   * `history`; the pages show this many days on every plan.
   */
  readonly historyDays: number | null;
  readonly features: readonly Feature[];
  /** The most alerts of an account, from the pages and the API together. */
  readonly alerts: number;
  /** The operator's text on how to get the plan; empty for none. */
  readonly howToGet: string;
}

/** The limits of an account that differ from its plan. A missing limit is the plan's. */
export type AccountLimits = Partial<
  Pick<Plan, 'dailyRequests' | 'burst' | 'historyDays' | 'features' | 'alerts'>
>;

/** The burst limits of the settings, by name of plan. */
export type BurstLimits = Readonly<Record<string, BurstLimit>>;

/** The plan of new accounts; it cannot be deleted. */
export const FREE = 'free';

/** Days of history that the pages show on a plan without the feature `history`. */
const SHOWN_HISTORY_DAYS = 30;

/** Returns the default `historyDays` of a plan with these features; null for all days. */
export function defaultHistoryDays(features: readonly Feature[]): number | null {
  return features.includes('history') ? null : SHOWN_HISTORY_DAYS;
}

/** The default number of alerts of a plan. */
export const DEFAULT_ALERTS = 100;

/** The most alerts that a plan can allow. */
export const MOST_ALERTS = 100_000;

/** The plans of a new installation, cheapest first. */
export const DEFAULT_PLANS: readonly Plan[] = [
  {
    name: FREE,
    label: 'free',
    dailyRequests: 200,
    price: 0 as Cents,
    burst: null,
    historyDays: SHOWN_HISTORY_DAYS,
    features: [],
    alerts: DEFAULT_ALERTS,
    howToGet: '',
  },
  {
    name: 'trader',
    label: 'Trader',
    dailyRequests: 10_000,
    price: 14_99 as Cents,
    burst: null,
    historyDays: null,
    features: FEATURES,
    alerts: 1000,
    howToGet: '',
  },
  {
    name: 'business',
    label: 'Business',
    dailyRequests: 100_000,
    price: 89_99 as Cents,
    burst: null,
    historyDays: null,
    features: FEATURES,
    alerts: 10_000,
    howToGet: '',
  },
];

/** The plans at one moment, cheapest first. */
export class PlanTable {
  readonly plans: readonly Plan[];
  readonly #byName: ReadonlyMap<string, Plan>;

  constructor(plans: readonly Plan[]) {
    this.plans = [...plans].sort((a, b) => a.price - b.price || a.dailyRequests - b.dailyRequests);
    this.#byName = new Map(plans.map((plan) => [plan.name, plan]));
  }

  get names(): readonly string[] {
    return this.plans.map(({ name }) => name);
  }

  /** The plan of a name, or undefined. Letter case matters. */
  find(name: string): Plan | undefined {
    return this.#byName.get(name);
  }

  /** The cheapest plan that includes a feature; undefined if none does. */
  findWith(feature: Feature): Plan | undefined {
    return this.plans.find(({ features }) => features.includes(feature));
  }
}

/** The most characters of {@link Plan.howToGet}. */
export const MAX_HOW_TO_GET = 300;

/** Whether a text can be the name of a plan. */
export function isPlanName(text: string): boolean {
  return /^[a-z][a-z0-9-]{0,30}$/.test(text);
}
