import type { ListedAccount } from '../api/responses.ts';
import { useSession } from '../api/session.ts';
import { SelectField } from '../ui/controls.tsx';
import { formatCount, formatQuota } from '../ui/format.ts';

/** Selects a plan; by default the first one. */
export function PlanField({ plan }: { plan?: string }) {
  const { plans } = useSession();
  return (
    <SelectField
      name="plan"
      label="Plan"
      value={plan}
      options={plans.map(({ name, label }) => [name, label] as const)}
    />
  );
}

/** Describes the requests that an account has used today. */
export function describeUse({ usedToday, dailyRequests }: ListedAccount): string {
  return `${formatCount(usedToday)} of ${formatQuota(dailyRequests)}`;
}

/** Describes the state of an account in a few words. */
export function describeState({ disabledAt, isConfirmed, isOperator }: ListedAccount): string {
  if (disabledAt !== null) return isOperator ? 'operator, disabled' : 'disabled';
  if (!isConfirmed) return 'not confirmed';
  return isOperator ? 'operator' : 'active';
}
