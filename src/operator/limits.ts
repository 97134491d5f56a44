import { type Static, Type } from 'typebox';
import {
  type AccountLimits,
  FEATURES,
  type Feature,
  MOST_ALERTS,
  UNLIMITED,
} from '../domain/plans.ts';

/** The schemas of plans' and accounts' limits. Null stands for no limit. */

export const Daily = Type.Unsafe<number | null>({
  title: 'The requests a day',
  type: ['integer', 'null'],
  minimum: 0,
  maximum: 999_999_999,
  description: 'Requests a day (UTC); null for no limit.',
  examples: [5000],
});

interface BurstParts {
  readonly requests: number;
  readonly seconds: number;
}

export const Burst = Type.Unsafe<BurstParts | null>({
  title: 'The burst limit',
  type: ['object', 'null'],
  additionalProperties: false,
  description: 'Requests allowed within some seconds; null for no limit.',
  examples: [{ requests: 20, seconds: 1 }],
  required: ['requests', 'seconds'],
  properties: {
    requests: { type: 'integer', minimum: 1, maximum: 100_000 },
    seconds: { type: 'integer', minimum: 1, maximum: 3600 },
  },
});

export const HistoryDays = Type.Unsafe<number | null>({
  title: 'The days of history',
  type: ['integer', 'null'],
  minimum: 1,
  maximum: 36_500,
  description: 'Days of history that may be read; null for all.',
  examples: [365],
});

export const Features = Type.Array(Type.Unsafe<Feature>({ type: 'string', enum: [...FEATURES] }), {
  title: 'The list of features',
  maxItems: FEATURES.length,
});

export const AlertCount = Type.Integer({
  title: 'The number of alerts',
  description: 'Alerts on prices that an account may have.',
  minimum: 0,
  maximum: MOST_ALERTS,
});

export const Price = Type.Number({
  title: 'The price',
  description: 'Dollars a month, with at most two decimals.',
  minimum: 0,
  maximum: 999_999.99,
});

/** The limits that an account may have in place of its plan's. */
export const LIMITS = {
  dailyRequests: Type.Optional(Daily),
  burst: Type.Optional(Burst),
  historyDays: Type.Optional(HistoryDays),
  features: Type.Optional(Features),
  alerts: Type.Optional(AlertCount),
};

export const Limits = Type.Object(LIMITS, {
  title: 'The limits',
  additionalProperties: false,
  description: 'A missing limit is that of the plan.',
});
export type LimitsParts = Static<typeof Limits>;

/** The limits of an account; null if it has only its plan's. */
export const OwnLimits = Type.Unsafe<LimitsParts | null>({
  type: ['object', 'null'],
  properties: LIMITS,
  description: 'The limits that differ from its plan; null if none do.',
});

/** Reads the limits of a body. */
export function limitsOf({ dailyRequests, ...limits }: LimitsParts): AccountLimits {
  if (dailyRequests === undefined) return limits;
  return { ...limits, dailyRequests: dailyRequests ?? UNLIMITED };
}
