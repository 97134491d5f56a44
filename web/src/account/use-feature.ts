import type { Feature } from '../../../src/domain/plans.ts';
import { useAccount, useSession } from './session.tsx';

interface FeatureAccess {
  /** Whether the account's plan includes the feature, or it is of an operator, who has all. */
  readonly isIncluded: boolean;
  /** The label of the cheapest plan that includes it. */
  readonly cheapestPlan: string | undefined;
}

/** Returns whether the account may use a feature of the API, and from which plan on one may. */
export function useFeature(feature: Feature): FeatureAccess {
  const { plans } = useSession();
  const { plan, isOperator } = useAccount();
  const including = plans.filter(({ features }) => features.includes(feature));
  return {
    isIncluded: isOperator || including.some(({ name }) => name === plan),
    cheapestPlan: including[0]?.label,
  };
}
