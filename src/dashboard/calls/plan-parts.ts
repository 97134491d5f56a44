import type { Static } from 'typebox';
import { ApiError } from '../../domain/errors.ts';
import { type Cents, dollarsFromCents } from '../../domain/money.ts';
import { type AccountLimits, type Plan, UNLIMITED } from '../../domain/plans.ts';
import type { LimitsParts } from '../limit-schemas.ts';
import type { OperatorPlanView } from '../operator-schemas.ts';

/** Plans and limits between what operators send and see, and what the program works with. */

/** Limits of a body, in which null stands for no limit. */
export function limitsOf({ dailyRequests, ...limits }: LimitsParts): AccountLimits {
  if (dailyRequests === undefined) return limits;
  return { ...limits, dailyRequests: dailyRequests ?? UNLIMITED };
}

/** The price of a body. @throws ApiError when it has more than two decimals. */
export function centsOf(dollars: number): Cents {
  const cents = Math.round(dollars * 100);
  if (Math.abs(cents - dollars * 100) < 1e-6) return cents as Cents;
  throw new ApiError('INVALID_BODY', 'The price may have at most two decimals.');
}

/** A plan as operators see it. */
export function planView({ dailyRequests, price, ...plan }: Plan): Static<typeof OperatorPlanView> {
  return {
    ...plan,
    features: [...plan.features],
    price: dollarsFromCents(price),
    dailyRequests: dailyRequests === UNLIMITED ? null : dailyRequests,
  };
}
