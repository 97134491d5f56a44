import type { Feature } from '../../../src/domain/plans.ts';
import { useAccount, useSession } from '../session.tsx';

/** Whether the account's plan includes a feature, and the cheapest plan that does. */
export function useFeature(feature: Feature): { isIncluded: boolean; from: string | undefined } {
  const { plans } = useSession();
  const { plan: own } = useAccount();
  const including = plans.filter(({ features }) => features.includes(feature));
  return { isIncluded: including.some(({ name }) => name === own), from: including[0]?.label };
}
