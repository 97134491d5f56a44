import type { Feature } from '../../../src/domain/plans.ts';
import { useSession } from './session.tsx';

interface FeatureAccess {
  /** Whether the account's plan includes the feature, or it is an operator's; false for visitors. */
  readonly isIncluded: boolean;
  /** The label of the cheapest plan that includes it. */
  readonly cheapestPlan: string | undefined;
}

/** Returns whether the account may use a feature of the API, and from which plan on one may. */
export function useFeature(feature: Feature): FeatureAccess {
  const { plans, account } = useSession();
  const including = plans.filter(({ features }) => features.includes(feature));
  const isInPlan = including.some(({ name }) => name === account?.plan);
  return {
    isIncluded: isInPlan || account?.isOperator === true,
    cheapestPlan: including[0]?.label,
  };
}
